// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A receiver of samples and motion, called on the hub's own thread. It must return at once: every
/// receiver of the process is called there, and items not read in time are overwritten and counted.
/// The sensors never wait.
public protocol MotionReceiver: AnyObject, Sendable {
  func receive(_ sample: SourcedSample)
  /// Receives one motion. Attitudes of the arbitrary frames have yaw zero in the first motion that
  /// this receiver gets, or at the last `resetYaw`: other listeners of the hub change nothing.
  func receive(_ motion: MotionSample)
  /// Receives an event that a chip detected by itself. The default ignores it. Chips detect while
  /// any listener needs any samples: a demand for nothing at all lets them sleep.
  func receive(_ detection: SourcedDetection)
  /// Reports that `count` samples or motions were overwritten before they could be handed over.
  func missed(_ count: UInt64)
  /// Reports that the state of some chip has changed; also called once at the beginning.
  func chipsChanged(_ chips: [ChipState])
  /// The samples it needs of the source, which may run its chips no faster: it may not get samples
  /// beyond these. Asked on any thread when it begins to listen and at `Listening.demandChanged`.
  /// The default is everything.
  var demand: SampleDemand { get }
  /// The moment before which samples are not urgent: those taken earlier may be handed over later,
  /// at the latest a quarter of a second, together with the next ones. Asked on the hub's thread
  /// before that falls asleep. By default each is handed over at once.
  var due: Timestamp { get }
}

extension MotionReceiver {
  public func receive(_ detection: SourcedDetection) {}
  public var demand: SampleDemand { .everything }
  public var due: Timestamp { .zero }
}

/// A receiver of several things, each of which begins at a moment of its own: with each sample and
/// each motion it is told how many the pipeline published before it. A stream that was started at a
/// given count does not get older ones, although they may be handed over later.
package protocol CountingReceiver: MotionReceiver {
  func receive(_ sample: SourcedSample, number: UInt64)
  func receive(_ motion: MotionSample, number: UInt64)
}

extension CountingReceiver {
  package func receive(_ sample: SourcedSample) { receive(sample, number: .max) }
  package func receive(_ motion: MotionSample) { receive(motion, number: .max) }
}

/// A receiver at work, until `stop` or the end of this object's life.
public final class Listening: Sendable {
  /// The source of the samples.
  public let source: any MotionSource
  private let hub: MotionHub
  private let distributor: Distributor
  private let entry: Distributor.Entry
  private let isOver = Atomic<Bool>(false)

  init(
    _ entry: Distributor.Entry, of distributor: Distributor, hub: MotionHub,
    source: any MotionSource
  ) {
    self.entry = entry
    self.distributor = distributor
    self.hub = hub
    self.source = source
  }

  deinit { stop() }

  /// Stops handing over. Returns at once when called by a receiver, else when the receiver has
  /// returned: do not call it with a lock held that the receiver takes.
  public func stop() { end(waits: true) }

  /// Stops handing over, but a call of the receiver that is under way may go on for a moment.
  func stopWithoutWaiting() { end(waits: false) }

  /// Tells the hub that the receiver's `demand` has changed. May be called by the receiver; not
  /// with a lock held that its `demand` takes.
  public func demandChanged() {
    entry.askDemand()
    guard !isOver.load(ordering: .acquiring) else { return }
    distributor.changeDemand()
  }

  /// Lets the receiver's arbitrary frames begin again, with yaw zero in the motion before which
  /// `number` were published, or in the next.
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
