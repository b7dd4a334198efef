// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Who is told of samples and motion, on the hub's own thread. It must return at once: every receiver of the process is
/// called there, and what is not read in time is overwritten and counted. The sensors never wait.
public protocol MotionReceiver: AnyObject, Sendable {
  func receive(_ sample: SourcedSample)
  /// Attitudes of the arbitrary frames have yaw zero where the hub's first listener began, or at the last `resetYaw`.
  func receive(_ motion: MotionSample)
  /// Something that a chip detected by itself. Unless it says otherwise it is passed over. Chips detect while anybody needs any
  /// samples: a demand for nothing at all lets them sleep.
  func receive(_ detection: SourcedDetection)
  /// So many samples or motions were overwritten before they could be handed over.
  func missed(_ count: UInt64)
  /// The state of some chip has changed; also called once at the beginning.
  func chipsChanged(_ chips: [ChipState])
  /// What it needs of the source, which may run its chips no faster: every sample that it does not need it may not get.
  /// Asked on any thread when it begins to listen and at `Listening.demandChanged`. Unless it says otherwise: everything.
  var demand: SampleDemand { get }
  /// What was taken before this moment it does not wait for: it may be handed over later, at the latest a quarter of a
  /// second, together with what comes then. Asked on the hub's thread before that falls asleep. Unless it says otherwise
  /// each is handed over at once.
  var due: Timestamp { get }
}

extension MotionReceiver {
  public func receive(_ detection: SourcedDetection) {}
  public var demand: SampleDemand { .everything }
  public var due: Timestamp { .zero }
}

/// A receiver of several things, each of which begins at a moment of its own: it is told with each sample and each motion how
/// many the pipeline published before it. A stream that was started when so many were there does not get older ones, although
/// they may be handed over later.
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
  /// Where the samples come from.
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

  /// Hands over nothing more. Returns at once when called by a receiver, else when the receiver has returned: not to be
  /// called with a lock held that the receiver wants.
  public func stop() { end(waits: true) }

  /// Likewise, but a call of the receiver that is under way may go on for a moment.
  func stopWithoutWaiting() { end(waits: false) }

  /// The receiver's `demand` is another from now on. May be called by the receiver; not with a lock held that its `demand`
  /// wants.
  public func demandChanged() {
    entry.askDemand()
    guard !isOver.load(ordering: .acquiring) else { return }
    distributor.changeDemand()
  }

  private func end(waits: Bool) {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    distributor.remove(entry)
    if waits { distributor.wait() }
    hub.leave()
  }
}
