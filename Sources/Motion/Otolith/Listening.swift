// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A receiver of samples and motion. The hub's thread calls it. It must return immediately, because
/// the thread calls every receiver in the process. Items that are not read in time are overwritten
/// and counted; the sensors never wait.
public protocol MotionReceiver: AnyObject, Sendable {
  func receive(_ sample: SourcedSample)
  /// Receives a motion. In the arbitrary frames, yaw is zero at the first motion of this receiver
  /// or at the last `resetYaw`, independently of the hub's other receivers.
  func receive(_ motion: MotionSample)
  /// Receives an event that a chip has detected. By default it is ignored. Chips detect events
  /// while any receiver needs samples, and may sleep if no receiver does.
  func receive(_ detection: SourcedDetection)
  /// Reports that `count` samples or motions were overwritten before they were delivered.
  func missed(_ count: UInt64)
  /// Reports that the state of a chip has changed. Also called once at the start.
  func chipsChanged(_ chips: [ChipState])
  /// The samples that the receiver needs; by default all. The source need not run its chips faster
  /// than this, so the receiver may get no more samples. Any thread may read this property, when
  /// listening starts and at `Listening.demandChanged`.
  var demand: SampleDemand { get }
  /// The time before which samples are not urgent: they may be delivered together with later
  /// samples, up to 0.25 s late. The hub's thread reads this property before it sleeps. By default
  /// each sample is delivered immediately.
  var due: Timestamp { get }
}

extension MotionReceiver {
  public func receive(_ detection: SourcedDetection) {}
  public var demand: SampleDemand { .everything }
  public var due: Timestamp { .zero }
}

/// A receiver whose streams start at different times. Each sample and motion comes with the number
/// of items that the pipeline published before it, so that a stream can ignore items from before
/// its start.
package protocol CountingReceiver: MotionReceiver {
  func receive(_ sample: SourcedSample, number: UInt64)
  func receive(_ motion: MotionSample, number: UInt64)
}

/// A receiver that also needs the separate samples of each chip.
package protocol ChipReceiver: MotionReceiver {
  /// True if the hub should call `receive(ofChip:)`.
  var needsChipSamples: Bool { get }
  /// Receives a sample of a chip. It contains the channels that are combined with other chips'
  /// channels, and the channels that motion does not use. All other channels are in the samples for
  /// motion.
  func receive(ofChip sample: SourcedSample)
}

extension CountingReceiver {
  package func receive(_ sample: SourcedSample) { receive(sample, number: .max) }
  package func receive(_ motion: MotionSample) { receive(motion, number: .max) }
}

/// The registration of a receiver. It lasts until `stop` is called or this object is released.
public final class Listening: Sendable {
  /// The source of the samples and motions.
  public let source: any MotionSource
  private let hub: MotionHub
  private let broadcaster: Broadcaster
  private let entry: Broadcaster.Entry
  private let isOver = Atomic<Bool>(false)

  init(
    _ entry: Broadcaster.Entry, of broadcaster: Broadcaster, hub: MotionHub,
    source: any MotionSource
  ) {
    self.entry = entry
    self.broadcaster = broadcaster
    self.hub = hub
    self.source = source
  }

  deinit { stop() }

  /// Ends delivery, and waits until the receiver has returned, unless the receiver itself makes
  /// this call. Do not call this function while holding a lock that the receiver takes.
  public func stop() { end(waits: true) }

  /// Ends delivery without waiting. A call of the receiver that is in progress may continue for a
  /// moment.
  func stopWithoutWaiting() { end(waits: false) }

  /// Informs the hub that the receiver's `demand` has changed. The receiver may call this function.
  /// Do not call it while holding a lock that `demand` takes.
  public func demandChanged() {
    entry.askDemand()
    guard !isOver.load(ordering: .acquiring) else { return }
    broadcaster.changeDemand()
  }

  /// Restarts the receiver's arbitrary frames. Yaw is zero in the motion before which `number`
  /// motions were published, or in the next motion if that motion is past.
  package func resetYaw(from number: UInt64) {
    entry.yawBegin.store(number, ordering: .releasing)
  }

  private func end(waits: Bool) {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    broadcaster.remove(entry)
    if waits { broadcaster.wait() }
    hub.leave()
  }
}
