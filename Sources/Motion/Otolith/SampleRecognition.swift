// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A recogniser as used by the hub: samples in, occasionally an event out.
package protocol SampleRecognition: Sendable {
  associatedtype Event: Sendable
  /// The channels that every sample for the recogniser has.
  static var channels: ChannelSet { get }
  mutating func update(_ sample: Sample) -> Event?
}

/// Passes the hub's samples to a recogniser, and delivers its events.
package final class RecognitionReceiver<Recognition: SampleRecognition>: MotionReceiver {
  private let recognition: Mutex<Recognition>
  private let sink: @Sendable (Recognition.Event) -> Void

  /// Creates a receiver. `sink` is called on the hub's thread and must return at once.
  package init(
    _ recognition: Recognition, sink: @escaping @Sendable (Recognition.Event) -> Void
  ) {
    self.recognition = Mutex(recognition)
    self.sink = sink
  }

  package func receive(_ sourced: SourcedSample) {
    guard sourced.sample.channels.isSuperset(of: Recognition.channels),
      let event = recognition.withLock({ $0.update(sourced.sample) })
    else { return }
    sink(event)
  }

  package func receive(_ motion: MotionSample) {}
  package func missed(_ count: UInt64) {}
  package func chipsChanged(_ chips: [ChipState]) {}

  /// Every sample: recognisers were not tested on fewer.
  package var demand: SampleDemand { SampleDemand(Recognition.channels) }
}

extension MotionHub {
  /// Starts delivering motion to `receiver`; throws if the source lacks any of `channels`.
  package func listen(
    _ receiver: any MotionReceiver, needing channels: ChannelSet
  ) throws(SessionError) -> Listening {
    if let source, !source.has(channels) {
      throw .missing(channels.subtracting(source.channels), source: source.name)
    }
    return try listen(receiver)
  }
}
