// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import Quantities
import Registers
import Runtime
import Sensors
import Synchronization
import Testing

/// Tests of the waker, in which a waker sleeps until a sample is due.
@Suite(.timeLimit(.minutes(1))) struct WakerTests {
  private static func time(_ milliseconds: Int64) -> Timestamp {
    .zero + .milliseconds(milliseconds)
  }

  /// Sleeps on a separate thread until `due`. Returns a flag that is raised when the thread is
  /// awake.
  private func sleep(
    _ waker: Waker, on pipeline: MotionPipeline, until due: Timestamp,
    deadline: Timestamp = .distantFuture
  ) throws -> Flag {
    let isAwake = Flag()
    _ = try startThread(name: "sleeper") {
      waker.wait(until: deadline, notBefore: due) { false }
      isAwake.raise()
    }
    #expect(Fixtures.eventually { pipeline.due == due })
    return isAwake
  }

  private final class Flag: Sendable {
    private let flag = Atomic(false)
    func raise() { flag.store(true, ordering: .releasing) }
    var isRaised: Bool { flag.load(ordering: .acquiring) }
  }

  private func send(_ milliseconds: Int64, to pipeline: MotionPipeline) {
    pipeline.receive(
      Sample(timestamp: Self.time(milliseconds), channels: .acceleration), from: 0)
  }

  @Test func `a waker is woken only by what is due`() throws {
    let pipeline = MotionPipeline(chips: [.acceleration])
    #expect(pipeline.due == .distantFuture, "nobody listens")
    let waker = try Waker()
    pipeline.add(waker)
    #expect(pipeline.due == .zero, "it is awake")
    let isAwake = try sleep(waker, on: pipeline, until: Self.time(100))
    for time in Int64(1)...99 { send(time, to: pipeline) }
    #expect(!Fixtures.eventually(0.1) { isAwake.isRaised })
    send(100, to: pipeline)
    #expect(Fixtures.eventually { isAwake.isRaised })
    #expect(pipeline.due == .zero)
    pipeline.remove(waker)
  }

  /// A chip that fails, a detection, a wake-up call and the deadline each end the sleep.
  @Test(arguments: 0..<4)
  func `a failure, a detection, a wake and the deadline end each sleep`(reason: Int) throws {
    let pipeline = MotionPipeline(chips: [.acceleration])
    let waker = try Waker()
    pipeline.add(waker)
    let isAwake = try sleep(
      waker, on: pipeline, until: .distantFuture,
      deadline: reason == 0 ? .now + .milliseconds(300) : .distantFuture)
    send(1, to: pipeline)
    #expect(!Fixtures.eventually(0.05) { isAwake.isRaised })
    switch reason {
    case 1: pipeline.chip(0, failed: .resetTimedOut)
    case 2: pipeline.receive(Detection(.step, at: Self.time(1), detail: 1), from: 0)
    case 3: waker.wake()
    default: break
    }
    #expect(Fixtures.eventually { isAwake.isRaised })
    pipeline.remove(waker)
  }

  /// Of all wakers, the one that needs a sample soonest decides.
  @Test func `a pipeline is due when the soonest of its wakers is`() throws {
    let pipeline = MotionPipeline(chips: [.acceleration])
    let wakers = [try Waker(), try Waker()]
    for waker in wakers { pipeline.add(waker) }
    _ = try sleep(wakers[0], on: MotionPipeline.with(wakers[0]), until: Self.time(300))
    _ = try sleep(wakers[1], on: MotionPipeline.with(wakers[1]), until: Self.time(200))
    #expect(pipeline.due == Self.time(200))
    for waker in wakers { waker.wake() }
    #expect(Fixtures.eventually { pipeline.due == .zero })
  }
}

extension MotionPipeline {
  /// Returns a pipeline whose only waker is this one.
  fileprivate static func with(_ waker: Waker) -> MotionPipeline {
    let pipeline = MotionPipeline(chips: [])
    pipeline.add(waker)
    return pipeline
  }
}
