// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Otolith
import Synchronization
import Testing

/// Current and past steps, from scripts with known steps.
@Suite(.timeLimit(.minutes(1))) struct PedometerTests {
  /// A running stream of a walker.
  private final class Live {
    let pedometer: CMPedometer
    let got = Collected<CountedWalk>()

    init(_ walker: Walker, from start: Date) {
      pedometer = CMPedometer(hub: walker.hub)
      pedometer.startUpdates(from: start) { [got] in got.add($0?.counted, $1) }
    }

    var steps: Int? { got.values.last?.steps }
    func reaches(_ count: Int) -> Bool { Rig.eventually { steps == count } }
  }

  private func query(_ walker: Walker, _ start: Date, _ end: Date) -> (CountedWalk?, NSError?) {
    let got = Collected<CountedWalk>()
    CMPedometer(hub: walker.hub).queryPedometerData(from: start, to: end) {
      got.add($0?.counted, $1)
    }
    #expect(Rig.eventually { got.calls == 1 })
    return (got.values.last, got.errors.last)
  }

  /// The script's recogniser has steps of 0.75 m and 0.5 s.
  @Test func `a pedometer counts live steps until it is stopped`() async throws {
    let walker = try Walker()
    let start = walker.date
    let live = Live(walker, from: start)
    // The first update comes immediately, with what was counted since the start.
    #expect(Rig.eventually { live.got.calls == 1 })
    #expect(live.steps == 0 && live.got.values.first?.start == start)
    await walker.stand(1)
    try await Task.sleep(for: .seconds(0.05))
    #expect(live.got.calls == 1, "without a change no handler is called")
    await walker.walk(10)
    #expect(live.reaches(10))
    let first = try #require(live.got.values.last)
    #expect(first.start == start && first.end == walker.date)
    #expect(first.distance == 7.5 && first.ascended == 0 && first.descended == 0)
    #expect(first.cadence == 2 && first.pace == 2 / 3)
    #expect(abs(try #require(first.averagePace) - 5 / 7.5) < 1e-12)
    // Standing adds no step and has no pace.
    await walker.stand(5)
    #expect(Rig.eventually { live.got.values.last?.pace == nil })
    #expect(live.steps == 10 && live.got.values.last?.cadence == nil)
    await walker.walk(6)
    await walker.climb()
    #expect(Rig.eventually { live.got.values.last?.ascended == 1 })
    #expect(live.steps == 16)
    let counts = live.got.values.map(\.steps)
    #expect(counts == counts.sorted() && live.got.errors.isEmpty)
    // Without new steps there is no update.
    let calls = live.got.calls
    try await Task.sleep(for: .seconds(0.05))
    #expect(live.got.calls == calls)
    live.pedometer.stopUpdates()
    #expect(Rig.eventually { !walker.source.isRunning })
    #expect(live.got.calls == calls)
  }

  /// Without a barometer floors are `nil` and not zero.
  @Test func `without a barometer there are no floors, and no zero either`() async throws {
    let walker = try Walker(.acceleration)
    let live = Live(walker, from: walker.date)
    await walker.walk(4)
    #expect(live.reaches(4))
    let data = try #require(live.got.values.last)
    #expect(data.ascended == nil && data.descended == nil && data.distance == 3)
  }

  @Test func `a second start replaces the first`() async throws {
    let walker = try Walker()
    let live = Live(walker, from: walker.date)
    await walker.walk(4)
    #expect(live.reaches(4))
    let second = Collected<CountedWalk>()
    let calls = live.got.calls
    walker.pass(1)
    live.pedometer.startUpdates(from: walker.date) { second.add($0?.counted, $1) }
    await walker.walk(3)
    #expect(Rig.eventually { second.values.last?.steps == 3 })
    #expect(live.got.calls == calls)
  }

  /// Two streams run at once, and queries are answered meanwhile.
  @Test func `queries are answered while updates run`() async throws {
    let walker = try Walker()
    let start = walker.date
    let one = Live(walker, from: start)
    await walker.walk(5)
    walker.pass(1)
    let middle = walker.date
    let two = Live(walker, from: middle)
    for _ in 0..<5 {
      await walker.walk(2)
      #expect(query(walker, start, .distantFuture).0?.steps ?? 0 >= 5)
    }
    #expect(one.reaches(15) && two.reaches(10))
    #expect(query(walker, start, middle).0?.steps == 5)
    let all = try #require(query(walker, start, walker.date + 1).0)
    #expect(all.steps == 15 && all.pace == nil && all.cadence == nil)
    #expect(all.start == start)
  }

  /// A pedometer without references stops.
  @Test func `a pedometer that is let go stops`() async throws {
    let walker = try Walker()
    var live: Live? = Live(walker, from: walker.date)
    await walker.walk(1)
    #expect(live?.reaches(1) == true)
    weak let pedometer = live?.pedometer
    live = nil
    #expect(Rig.eventually { pedometer == nil && !walker.source.isRunning })
  }

  @Test func `a stop in the handler is the last of it`() async throws {
    let walker = try Walker()
    let pedometer = CMPedometer(hub: walker.hub)
    let calls = Mutex(0)
    pedometer.startUpdates(from: walker.date) { [weak pedometer] data, _ in
      // The first update has no steps.
      guard data?.numberOfSteps != 0 else { return }
      calls.withLock { $0 += 1 }
      pedometer?.stopUpdates()
    }
    await walker.walk(2)
    #expect(Rig.eventually { !walker.source.isRunning })
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func `walking and standing are events, none after the stop`() async throws {
    let walker = try Walker()
    let pedometer = CMPedometer(hub: walker.hub)
    let got = Collected<CMPedometerEventType>()
    let dates = Collected<Date>()
    pedometer.startEventUpdates {
      got.add($0?.type, $1)
      dates.add($0?.date, nil)
    }
    await walker.stand(1)
    let begin = walker.date
    await walker.walk(3)
    #expect(Rig.eventually { got.values == [.resume] })
    let end = walker.date
    await walker.stand(2)
    #expect(Rig.eventually { got.values == [.resume, .pause] })
    // The first sample of each is 0.1 s later.
    for (date, truth) in zip(dates.values, [begin + 0.1, end + 0.1]) {
      #expect(abs(date.timeIntervalSince(truth)) < 1e-6)
    }
    pedometer.stopEventUpdates()
    #expect(Rig.eventually { !walker.source.isRunning })
    walker.pass(10)
    // Steps before the start are not reported.
    pedometer.startEventUpdates { got.add($0?.type, $1) }
    await walker.stand(1)
    try await Task.sleep(for: .seconds(0.05))
    #expect(got.calls == 2)
  }

  @Test func `a step counter reports each fifth step until it is let go`() async throws {
    let walker = try Walker()
    let got = Collected<Int>()
    let start = walker.date
    var counter: CMStepCounter? = CMStepCounter(hub: walker.hub)
    counter?.startStepCountingUpdates(to: Rig.queue(), updateOn: 5) { got.add($0, $2) }
    await walker.walk(4)
    try await Task.sleep(for: .seconds(0.05))
    #expect(got.calls == 0)
    await walker.walk(1)
    #expect(Rig.eventually { got.values == [5] })
    // Each multiple is reported, even if several are reached at once.
    await walker.walk(12)
    #expect(Rig.eventually { got.values.last == 15 })
    #expect(got.values == [5, 10, 15])
    let asked = Collected<Int>()
    counter?.queryStepCountStarting(from: start, to: walker.date + 1, to: Rig.queue()) {
      asked.add($0, $1)
    }
    #expect(Rig.eventually { asked.values == [17] })
    counter = nil
    #expect(Rig.eventually { !walker.source.isRunning })
    #expect(got.errors.isEmpty)
  }

  /// From 3 to 23 in steps of five, typed by hand; and numbers that no walk reaches.
  @Test func `the multiples of a step count are each reported once`() {
    typealias Counter = CMStepCounter
    #expect(Counter.multiples(of: 5, after: 3, through: 23) == [5, 10, 15, 20])
    #expect(Counter.multiples(of: 5, after: 11, through: 14) == [])
    #expect(Counter.multiples(of: 5, after: 11, through: 15) == [15])
    #expect(Counter.multiples(of: 1, after: 2, through: 4) == [3, 4])
    #expect(Counter.multiples(of: -7, after: 0, through: 2) == [1, 2])
    #expect(Counter.multiples(of: 5, after: 20, through: 3) == [])
    #expect(Counter.multiples(of: 1, after: .min, through: .max).count == 100)
    #expect(Counter.multiples(of: .max, after: 0, through: .max) == [.max])
    #expect(Counter.multiples(of: 3, after: .max, through: .min) == [])
  }

  // MARK: - What goes wrong

  @Test func `an interval that ends before it begins is refused, an empty one has 0`() throws {
    let walker = try Walker()
    let now = walker.date
    let (data, error) = query(walker, now, now - 1)
    #expect(data == nil && error?.code == 107 && error?.domain == CMErrorDomain)
    #expect(query(walker, Date(timeIntervalSince1970: .nan), now).1?.code == 107)
    // There are no steps in the future, nor before counting began.
    for (start, end) in [
      (now + 60, now + 120), (now, now), (.distantPast, now - 30 * 86_400),
      (.distantPast, .distantFuture),
    ] {
      let (data, error) = query(walker, start, end)
      #expect(data?.steps == 0 && error == nil && data?.averagePace == nil)
      #expect(data?.start == start && data?.end == end)
    }
    #expect(walker.source.starts == 0, "a question starts no chips")
  }

  /// Updates from a future date begin at that date.
  @Test func `updates from a date to come begin there`() async throws {
    let walker = try Walker()
    let live = Live(walker, from: walker.date + 5)
    await walker.walk(8)
    try await Task.sleep(for: .seconds(0.05))
    #expect(live.got.calls == 0)
    await walker.stand(2)
    try await Task.sleep(for: .seconds(0.05))
    await walker.walk(4)
    #expect(live.reaches(4))
  }

  @Test func `a board without permission is one error, which may pass`() async throws {
    let walker = try Walker()
    walker.source.refuse(.denied())
    let live = Live(walker, from: walker.date)
    #expect(Rig.eventually { live.got.calls == 1 })
    #expect(live.got.errors.first?.code == 105)
    try await Task.sleep(for: .seconds(0.05))
    #expect(live.got.calls == 1, "once is enough")
    // The error may be temporary.
    walker.source.refuse(nil)
    await walker.walk(2)
    #expect(live.reaches(2))
  }

  /// A sensor that stops responding gives one error; counting continues when it responds again.
  @Test func `a sensor that falls silent is one error, and steps go on after it`() async throws {
    let walker = try Walker()
    let live = Live(walker, from: walker.date)
    await walker.walk(2)
    #expect(live.reaches(2))
    walker.source.fail("unplugged")
    #expect(Rig.eventually { live.got.errors.count == 1 })
    #expect(live.got.errors.first?.code == 109)
    #expect(live.got.errors.first?.localizedDescription == "unplugged")
    walker.source.recover()
    await walker.walk(3)
    #expect(live.reaches(5))
    #expect(live.got.errors.count == 1)
  }

  /// The clock is set forward or back while counting, which continues.
  @Test(arguments: [-7200.0, 7200, 3e8]) func `counts go on when the clock is set`(
    _ seconds: Double
  ) async throws {
    let walker = try Walker()
    let live = Live(walker, from: walker.date)
    await walker.walk(3)
    #expect(live.reaches(3))
    walker.set(by: seconds)
    await walker.walk(4)
    #expect(live.reaches(7))
    #expect(live.got.values.last?.end == walker.date)
  }

  /// If nothing can be written, updates and queries use the memory.
  @Test func `where no history can be kept updates and questions go on`() async throws {
    let walker = try Walker(folder: "/proc/otolith")
    let start = walker.date
    let live = Live(walker, from: start)
    await walker.walk(4)
    #expect(live.reaches(4))
    walker.pass(1)
    let middle = walker.date
    await walker.walk(6)
    #expect(live.reaches(10))
    #expect(query(walker, start, middle).0?.steps == 4)
    #expect(query(walker, middle, walker.date + 1).0?.steps == 6)
    #expect(query(walker, start, walker.date + 1).0?.distance == 7.5)
  }
}
