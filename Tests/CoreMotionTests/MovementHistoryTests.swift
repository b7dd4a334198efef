// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Foundation
import MotionServer
import Otolith
import ServedSources
import Service
import Synchronization
import Testing

/// Past and current movement together: each step counts once, whichever process counted it.
@Suite(.timeLimit(.minutes(1))) struct MovementHistoryTests {
  /// A second process continues the stored history of the first, and its first update precedes any
  /// new step.
  @Test func `updates from the past begin with what was counted then`() async throws {
    let walker = try Walker()
    let start = walker.date
    var first: (CMPedometer, Collected<CountedWalk>)? = live(walker.hub, from: start)
    await walker.walk(10)
    #expect(Rig.eventually { first?.1.values.last?.steps == 10 })
    first = nil
    walker.rest()
    walker.begin()
    walker.pass(3600)
    #expect(steps(walker.hub, start, walker.date) == 10)
    let pause = walker.date
    let second = live(walker.hub, from: start)
    #expect(Rig.eventually { second.1.values.last?.steps == 10 })
    #expect(second.1.values.last?.pace == nil && second.1.values.last?.ascended == 0)
    await walker.walk(7)
    #expect(Rig.eventually { second.1.values.last?.steps == 17 })
    #expect(second.1.values.last?.distance == 12.75)
    #expect(steps(walker.hub, pause, walker.date + 1) == 7)
    #expect(steps(walker.hub, start, pause) == 10)
    // The clock is set back permanently; no step is lost or counted twice.
    walker.set(by: -1800)
    await walker.walk(3)
    #expect(Rig.eventually { second.1.values.last?.steps == 20 })
    #expect(steps(walker.hub, start - 1800, walker.date + 1) == 20)
  }

  /// Adjacent intervals add up to the whole, wherever they meet, even in steps counted just now.
  @Test func `steps of adjacent intervals add up to those of both`() async throws {
    let walker = try Walker()
    let start = walker.date
    let (pedometer, got) = live(walker.hub, from: start)
    await walker.walk(40)
    #expect(Rig.eventually { got.values.last?.steps == 40 })
    for offset in stride(from: 0.1, to: 20, by: 2.37) {
      let border = start + offset
      let parts = [(start - 1, border), (border, walker.date + 1)].map {
        steps(walker.hub, $0, $1) ?? 0
      }
      #expect(parts[0] + parts[1] == 40, "\(offset): \(parts)")
    }
    pedometer.stopUpdates()
  }

  /// Activities are unknown while no program recorded; the first activity began before the
  /// interval.
  @Test func `activities of the past have gaps, and the one that began before`() async throws {
    let walker = try Walker()
    let manager = CMMotionActivityManager(hub: walker.hub)
    let start = walker.date
    manager.startActivityUpdates(to: Rig.queue()) { _ in }
    await walker.stand(10, as: .stationary)
    await walker.walk(20, as: .walking)
    let middle = walker.date
    await walker.walk(20)
    func names(_ from: Date, _ to: Date) -> [Set<String>] {
      let got = Collected<[ActivityTests.Seen]>()
      manager.queryActivityStarting(from: from, to: to, to: Rig.queue()) {
        got.add($0?.map(ActivityTests.Seen.init), $1)
      }
      #expect(Rig.eventually { got.calls == 1 })
      return got.values.first?.map(\.names) ?? []
    }
    #expect(names(middle, walker.date) == [["walking"]])
    #expect(names(start - 60, walker.date) == [["unknown"], ["stationary"], ["walking"]])
    manager.stopActivityUpdates()
    walker.rest()
    walker.pass(600)
    #expect(names(start + 5, walker.date) == [["stationary"], ["walking"], ["unknown"]])
  }

  /// A second process cannot write the same history: its current counts are its own, the past is
  /// that of the file.
  @Test func `where another process writes the history, counting goes on live`() async throws {
    let walker = try Walker()
    let start = walker.date
    let other = try Process.run(
      URL(filePath: "/usr/bin/flock"),
      arguments: [try walker.made("/movement-simulated") + "/lock", "sleep", "20"])
    defer { other.terminate() }
    let lock = walker.folder + "/movement-simulated/lock"
    #expect(Rig.eventually { FileManager.default.fileExists(atPath: lock) })
    try await Task.sleep(for: .seconds(0.1))
    let (pedometer, got) = live(walker.hub, from: start)
    await walker.walk(5)
    #expect(Rig.eventually { got.values.last?.steps == 5 })
    #expect(steps(walker.hub, start, walker.date + 1) == 0)
    pedometer.stopUpdates()
  }

  /// The first sample alone has no entry yet, and its step is added later.
  @Test func `a sum that is asked for at the first sample loses no step`() async throws {
    let walker = try Walker()
    let feed = PedometerStore(walker.hub)
    let stop = try feed.count()
    #expect(Rig.eventually { walker.source.isRunning })
    walker.send(Vector3(1, 0, 0))
    #expect(await walker.hub.flush())
    let sum = try feed.total(from: walker.date - 60, to: .distantFuture)
    #expect(sum.total.counts.steps == 0)
    await walker.walk(2)
    #expect(sum.continued(to: try feed.counted())?.total.counts.steps == 3)
    stop()
    feed.finish()
  }

  // MARK: - Through a service

  /// The service counts and its clients query: two of them see the same steps, and a third joins
  /// later.
  @Test func `through a service all programs see the same steps`() async throws {
    let walker = try Walker()
    let start = walker.date
    let service = try Served(walker.source, movement: PedometerStore(walker.hub).answers)
    func program() throws -> MotionHub {
      let hub = MotionHub()
      try hub.use(ServiceSource(path: service.path))
      hub.movement.setting = walker.hub.movement.setting
      return hub
    }
    let one = try program(), two = try program()
    let first = live(one, from: start)
    await walker.walk(6)
    // The total may be newer than the cadence delivered with it; the next item has both.
    #expect(
      Rig.eventually { first.1.values.last?.steps == 6 && first.1.values.last?.cadence == 2 })
    #expect(first.1.values.last?.ascended == 0)
    let second = live(two, from: start)
    #expect(Rig.eventually { second.1.values.last?.steps == 6 })
    await walker.walk(4)
    #expect(
      Rig.eventually { first.1.values.last?.steps == 10 && second.1.values.last?.steps == 10 })
    #expect(steps(two, start, walker.date + 1) == 10)
    let events = Collected<CMPedometerEventType>()
    first.0.startEventUpdates { events.add($0?.type, $1) }
    let activities = Collected<ActivityTests.Seen>()
    let manager = CMMotionActivityManager(hub: two)
    manager.startActivityUpdates(to: Rig.queue()) {
      activities.add($0.map(ActivityTests.Seen.init), nil)
    }
    #expect(Rig.eventually { activities.calls == 1 })
    await walker.stand(1, as: [.stationary, .automotive])
    #expect(Rig.eventually { activities.values.last?.names == ["stationary", "automotive"] })
    #expect(Rig.eventually { events.values == [.pause] })
    // After the last client has stopped, the board sleeps.
    first.0.stopUpdates()
    first.0.stopEventUpdates()
    second.0.stopUpdates()
    manager.stopActivityUpdates()
    #expect(Rig.eventually { !walker.source.isRunning })
    service.end()
    #expect(first.1.errors.isEmpty && second.1.errors.isEmpty)
  }

  /// A restarted service has counted nothing yet, so its stored history is queried again.
  @Test func `the history survives a restart of the service`() async throws {
    let walker = try Walker()
    let start = walker.date
    let path = Served.path()
    var service: Served? = try walker.served(at: path)
    let hub = try walker.program(at: path)
    let (pedometer, got) = live(hub, from: start)
    await walker.walk(6)
    #expect(Rig.eventually { got.values.last?.steps == 6 })
    service?.end()
    service = nil
    #expect(Rig.eventually { got.errors.count == 1 }, "it is reported once")
    walker.rest()
    walker.begin()
    service = try walker.served(at: path)
    await walker.walk(5)
    #expect(Rig.eventually { got.values.last?.steps == 11 })
    #expect(got.errors.count == 1)
    pedometer.stopUpdates()
    service?.end()
  }
}
