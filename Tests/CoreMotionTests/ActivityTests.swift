// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Otolith
import Synchronization
import Testing

/// Activities of a scripted person, current and past.
@Suite(.timeLimit(.minutes(1))) struct ActivityTests {
  struct Seen: Equatable, Sendable {
    var names: Set<String>
    var start: Date
    var confidence: CMMotionActivityConfidence

    init(_ activity: CMMotionActivity) {
      let flags = [
        ("unknown", activity.unknown), ("stationary", activity.stationary),
        ("walking", activity.walking), ("running", activity.running),
        ("cycling", activity.cycling), ("automotive", activity.automotive),
      ]
      names = Set(flags.filter(\.1).map(\.0))
      start = activity.startDate
      confidence = activity.confidence
    }
  }

  private func isNear(_ a: Date, _ b: Date) -> Bool { abs(a.timeIntervalSince(b)) < 1e-3 }

  @Test func `the first activity comes at once, then each change`() async throws {
    let walker = try Walker()
    let manager = CMMotionActivityManager(hub: walker.hub)
    let got = Collected<Seen>()
    let queue = Rig.queue()
    manager.startActivityUpdates(to: queue) { got.add($0.map(Seen.init), nil) }
    #expect(Rig.eventually { got.values.first?.names == ["unknown"] })
    await walker.stand(1)
    // The query finds no new activity.
    try await Task.sleep(for: .seconds(0.05))
    let begin = walker.date
    await walker.walk(4, as: .walking)
    #expect(Rig.eventually { got.values.last?.names == ["walking"] })
    let walking = try #require(got.values.last)
    #expect(isNear(walking.start, begin + 0.1) && walking.confidence == .high)
    await walker.stand(1, as: [.stationary, .automotive])
    #expect(Rig.eventually { got.values.last?.names == ["stationary", "automotive"] })
    #expect(got.calls == 3, "each is reported once")
    // A second start begins with the current activity.
    let other = Collected<Seen>()
    let calls = got.calls
    manager.startActivityUpdates(to: queue) { other.add($0.map(Seen.init), nil) }
    #expect(Rig.eventually { other.values.map(\.names) == [["stationary", "automotive"]] })
    #expect(got.calls == calls)
    manager.stopActivityUpdates()
    #expect(Rig.eventually { !walker.source.isRunning })
  }

  @Test func `a manager that is let go stops`() throws {
    let walker = try Walker()
    var manager: CMMotionActivityManager? = CMMotionActivityManager(hub: walker.hub)
    manager?.startActivityUpdates(to: Rig.queue()) { _ in }
    #expect(Rig.eventually { walker.source.isRunning })
    manager = nil
    #expect(Rig.eventually { !walker.source.isRunning })
  }

  @Test func `a question of an interval that ends before it begins is refused`() throws {
    let walker = try Walker()
    let got = Collected<Int>()
    CMMotionActivityManager(hub: walker.hub).queryActivityStarting(
      from: walker.date, to: walker.date - 1, to: Rig.queue()
    ) { got.add($0?.count, $1) }
    #expect(Rig.eventually { got.calls == 1 })
    #expect(got.errors.first?.code == 107)
  }
}
