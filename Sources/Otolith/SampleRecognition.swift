// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A recogniser as the hub feeds it: samples in, now and then an event out.
package protocol SampleRecognition: Sendable {
  associatedtype Event: Sendable
  /// A sample that it looks at has all of these.
  static var channels: ChannelSet { get }
  mutating func update(_ sample: Sample) -> Event?
}

/// Feeds a recogniser with the hub's samples, and hands on its events.
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

  /// Every sample: recognisers were not measured on fewer.
  package var demand: SampleDemand { SampleDemand(Recognition.channels) }
}

extension MotionHub {
  /// Begins to hand motion to `receiver`, if the source has `channels`.
  package func listen(
    _ receiver: any MotionReceiver, needing channels: ChannelSet
  ) throws(SessionError) -> Listening {
    if let source, !source.has(channels) {
      throw .missing(channels.subtracting(source.channels), source: source.name)
    }
    return try listen(receiver)
  }
}
