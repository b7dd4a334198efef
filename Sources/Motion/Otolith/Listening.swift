// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A receiver of samples and motion, called on the hub's thread. It must return at once: every
/// receiver of the process is called there, and items not read in time are overwritten and counted.
/// The sensors never wait.
public protocol MotionReceiver: AnyObject, Sendable {
  func receive(_ sample: SourcedSample)
  /// Receives one motion. Attitudes in the arbitrary frames have yaw zero in the first motion for
  /// this receiver, or at the last `resetYaw`, independently of the hub's other listeners.
  func receive(_ motion: MotionSample)
  /// Receives an event detected by a chip itself. The default ignores it. Chips detect while any
  /// listener needs any samples: a demand for nothing lets them sleep.
  func receive(_ detection: SourcedDetection)
  /// Reports that `count` samples or motions were overwritten before delivery.
  func missed(_ count: UInt64)
  /// Reports that the state of a chip has changed; also called once at the start.
  func chipsChanged(_ chips: [ChipState])
  /// The samples that the receiver needs. The source may run its chips no faster, so the receiver
  /// may get no more samples than these. Read on any thread at the start of listening and at
  /// `Listening.demandChanged`. The default is everything.
  var demand: SampleDemand { get }
  /// The time before which samples are not urgent: earlier samples may be delivered together with
  /// later ones, delayed by at most a quarter of a second. Read on the hub's thread before it
  /// sleeps. By default each sample is delivered at once.
  var due: Timestamp { get }
}

extension MotionReceiver {
  public func receive(_ detection: SourcedDetection) {}
  public var demand: SampleDemand { .everything }
  public var due: Timestamp { .zero }
}

/// A receiver with several streams that start at different times: each sample and each motion comes
/// with the number that the pipeline published before it. A stream started at a given count ignores
/// older items, which may still be delivered later.
package protocol CountingReceiver: MotionReceiver {
  func receive(_ sample: SourcedSample, number: UInt64)
  func receive(_ motion: MotionSample, number: UInt64)
}

extension CountingReceiver {
  package func receive(_ sample: SourcedSample) { receive(sample, number: .max) }
  package func receive(_ motion: MotionSample) { receive(motion, number: .max) }
}

/// A registered receiver, until `stop` or release of this object.
public final class Listening: Sendable {
  /// The source of the samples.
  public let source: any MotionSource
  private let hub: MotionHub
  private let distributor: Broadcaster
  private let entry: Broadcaster.Entry
  private let isOver = Atomic<Bool>(false)

  init(
    _ entry: Broadcaster.Entry, of distributor: Broadcaster, hub: MotionHub,
    source: any MotionSource
  ) {
    self.entry = entry
    self.distributor = distributor
    self.hub = hub
    self.source = source
  }

  deinit { stop() }

  /// Stops delivery. Returns at once when called by the receiver, otherwise when the receiver has
  /// returned: do not call it while holding a lock that the receiver takes.
  public func stop() { end(waits: true) }

  /// Stops delivery without waiting; a current call of the receiver may continue for a moment.
  func stopWithoutWaiting() { end(waits: false) }

  /// Reports to the hub that the receiver's `demand` has changed. The receiver may call it; do not
  /// call it while holding a lock that `demand` takes.
  public func demandChanged() {
    entry.askDemand()
    guard !isOver.load(ordering: .acquiring) else { return }
    distributor.changeDemand()
  }

  /// Restarts the receiver's arbitrary frames, with yaw zero in the motion before which `number`
  /// were published, or in the next one.
  package func resetYaw(from number: UInt64) {
    entry.yawBegin.store(number, ordering: .releasing)
  }

  private func end(waits: Bool) {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    distributor.remove(entry)
    if waits { distributor.wait() }
    hub.leave()
  }
}
