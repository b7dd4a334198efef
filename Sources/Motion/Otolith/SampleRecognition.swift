// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A recogniser as the hub uses it: it takes samples, and returns an event when it has recognised
/// one.
package protocol SampleRecognition: Sendable {
  associatedtype Event: Sendable
  /// The channels that the recogniser needs in every sample.
  static var channels: ChannelSet { get }
  mutating func update(_ sample: Sample) -> Event?
}

/// Passes samples from the hub to a recogniser, and delivers its events.
package final class RecognitionReceiver<Recognition: SampleRecognition>: MotionReceiver {
  private let recognition: Mutex<Recognition>
  private let chipsChanged: @Sendable ([ChipState]) -> Void
  private let sink: @Sendable (Recognition.Event) -> Void

  /// Creates a receiver. `chipsChanged` is called like `MotionReceiver.chipsChanged`, and `sink` is
  /// called with each event. Both are called on the hub's thread, and must return immediately.
  package init(
    _ recognition: Recognition, chipsChanged: @escaping @Sendable ([ChipState]) -> Void = { _ in },
    sink: @escaping @Sendable (Recognition.Event) -> Void
  ) {
    self.recognition = Mutex(recognition)
    self.chipsChanged = chipsChanged
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
  package func chipsChanged(_ chips: [ChipState]) { chipsChanged(chips) }

  /// Request every sample, because recognisers were not tested at lower rates.
  package var demand: SampleDemand { SampleDemand(Recognition.channels) }
}

extension MotionHub {
  /// Starts to deliver motion to `receiver`. Throws if the source lacks any of `channels`.
  package func listen(
    _ receiver: any MotionReceiver, needing channels: ChannelSet
  ) throws(SessionError) -> Listening {
    if let source, !source.has(channels) {
      throw .missing(channels.subtracting(source.channels), source: source.name)
    }
    return try listen(receiver)
  }
}
