// SPDX-License-Identifier: Apache-2.0
internal import LinuxBus
internal import Synchronization

/// Who is told of samples and motion, on a thread made for that. A slow receiver misses some and is told how many; the
/// sensors do not wait for it.
public protocol MotionReceiver: AnyObject, Sendable {
  func receive(_ sample: SourcedSample)
  func receive(_ motion: MotionSample)
  /// So many samples or motions were overwritten before they could be handed over.
  func missed(_ count: UInt64)
  /// The state of some chip has changed.
  func chipsChanged(_ chips: [ChipState])
}

/// A receiver at work, until `stop` or the end of this object's life.
public final class Listening: Sendable {
  private let session: BoardSession
  private let hub: MotionHub
  private let listener: Listener
  private let isWanted = Gate()
  private let thread: ThreadHandle

  /// Outlives this object in its thread.
  private final class Gate: Sendable {
    let isOpen = Atomic<Bool>(true)
  }

  init(_ receiver: any MotionReceiver, session: BoardSession, hub: MotionHub) throws(OpenError) {
    self.session = session
    self.hub = hub
    listener = try Listener()
    let pipeline = session.pipeline
    pipeline.add(listener)
    thread = ThreadHandle(
      try startThread(name: "otolith listen") {
        [weak receiver, pipeline, listener, isWanted] in
        Self.run(pipeline, listener, isWanted) { receiver }
      })
  }

  deinit { stop() }

  /// Hands over nothing more. Returns at once when called by the receiver, else when the receiver has returned.
  public func stop() {
    guard isWanted.isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
    session.pipeline.remove(listener)
    listener.wake()
    thread.join()
    hub.leave(session)
  }

  private static func run(
    _ pipeline: MotionPipeline, _ listener: Listener, _ gate: Gate,
    receiver: () -> (any MotionReceiver)?
  ) {
    var samples = pipeline.samples.reader()
    var motions = pipeline.motions.reader()
    var missed: UInt64 = 0
    var chips: [ChipState] = []
    while gate.isOpen.load(ordering: .acquiring) {
      guard let receiver = receiver() else { return }
      let present = pipeline.chips
      if present != chips {
        chips = present
        receiver.chipsChanged(chips)
      }
      while let sample = samples.read(), gate.isOpen.load(ordering: .relaxed) {
        receiver.receive(sample)
      }
      while let motion = motions.read(), gate.isOpen.load(ordering: .relaxed) {
        receiver.receive(motion)
      }
      if samples.missed + motions.missed > missed {
        receiver.missed(samples.missed + motions.missed - missed)
        missed = samples.missed + motions.missed
      }
      listener.wait(until: .distantFuture) { samples.isBehind || motions.isBehind }
    }
  }
}
