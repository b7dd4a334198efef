// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A receiver of samples and motion, which the hub's thread calls. It must return immediately,
/// because the thread calls every receiver of the process. Items not read in time are overwritten
/// and counted; the sensors never wait.
public protocol MotionReceiver: AnyObject, Sendable {
  func receive(_ sample: SourcedSample)
  /// Receives one motion. In the arbitrary frames, yaw is zero at this receiver's first motion or
  /// at the last `resetYaw`, independently of the hub's other receivers.
  func receive(_ motion: MotionSample)
  /// Receives an event that a chip has detected; by default it is ignored. Chips detect events
  /// while any receiver needs any samples, and may sleep if no receiver does.
  func receive(_ detection: SourcedDetection)
  /// Reports that `count` samples or motions were overwritten before they were delivered.
  func missed(_ count: UInt64)
  /// Reports that a chip's state has changed; also called once at the start.
  func chipsChanged(_ chips: [ChipState])
  /// The samples that the receiver needs; by default all. The source may run its chips no faster,
  /// so there may be no further samples. Any thread may read it, when listening starts and at
  /// `Listening.demandChanged`.
  var demand: SampleDemand { get }
  /// The time before which samples are not urgent: earlier samples may be delivered together with
  /// later ones, up to 0.25 s late. The hub's thread reads it before it sleeps. By default each
  /// sample is delivered immediately.
  var due: Timestamp { get }
}

extension MotionReceiver {
  public func receive(_ detection: SourcedDetection) {}
  public var demand: SampleDemand { .everything }
  public var due: Timestamp { .zero }
}

/// A receiver whose streams start at different times. Each sample and motion comes with the number
/// of items that the pipeline published before it, so that a stream can ignore items older than its
/// start.
package protocol CountingReceiver: MotionReceiver {
  func receive(_ sample: SourcedSample, number: UInt64)
  func receive(_ motion: MotionSample, number: UInt64)
}

extension CountingReceiver {
  package func receive(_ sample: SourcedSample) { receive(sample, number: .max) }
  package func receive(_ motion: MotionSample) { receive(motion, number: .max) }
}

/// The registration of a receiver, which lasts until `stop` or the release of this object.
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

  /// Ends delivery, and waits until the receiver has returned, unless the receiver itself calls
  /// this. Do not call it while holding a lock that the receiver takes.
  public func stop() { end(waits: true) }

  /// Ends delivery without waiting; a current call of the receiver may continue for a moment.
  func stopWithoutWaiting() { end(waits: false) }

  /// Tells the hub that the receiver's `demand` has changed. The receiver may call it. Do not call
  /// it while holding a lock that `demand` takes.
  public func demandChanged() {
    entry.askDemand()
    guard !isOver.load(ordering: .acquiring) else { return }
    broadcaster.changeDemand()
  }

  /// Restarts the receiver's arbitrary frames: yaw is zero in the motion before which `number`
  /// motions were published, or in the next motion if that one is past.
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
