// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Recognition
import Synchronization

// HistoryCost: seven days of made-up life, 30 million samples, go through the recognisers into a
// store, an entry a second, which is then asked a thousand times for a day and for all of it. The
// week is written without waiting for the disk; what a durable write costs is measured apart.
// --script leaves the samples out: entries as the script says them.

/// Clocks that go as fast as entries come.
final class WeekClock: Sendable {
  private let reading: Mutex<ClockReading>

  init(_ start: ClockReading) { reading = Mutex(start) }

  var clocks: HostClocks {
    HostClocks(boot: BootIdentifier(high: 1, low: 2)) { [self] in reading.withLock { $0 } }
  }

  func pass(_ span: TimeSpan) {
    reading.withLock {
      $0.boot = $0.boot + span
      $0.wall += span.nanoseconds
    }
  }
}

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return (ContinuousClock.now - start) / .milliseconds(1)
}

func report(_ name: String, _ times: [Double]) {
  let sorted = times.sorted()
  guard let last = sorted.last else { return }
  let text = [sorted[sorted.count / 2], sorted[sorted.count * 99 / 100], last].map {
    String(format: "%.2f", $0)
  }
  print("\(name): p50 \(text[0]) ms, p99 \(text[1]) ms, most \(text[2]) ms")
}

@main
enum HistoryCost {
  static let days = 7

  static func main() throws {
    let folder =
      FileManager.default.currentDirectoryPath + "/.build/history-cost-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let now = HostClocks.system.now()
    let start = now.wall - Int64(days) * 86_400_000_000_000
    let clock = WeekClock(ClockReading(wall: start, boot: Timestamp(seconds: 200 * 86_400)))
    let store = MovementStore(folder: folder, clocks: clock.clocks)
    if CommandLine.arguments.contains("--script") {
      _ = try fill(store, LifeSource(), clock)
    } else {
      let life = try fill(store, SampledLife(), clock)
      print(
        "the script says \(life.trueSteps) steps and \(life.trueFloors) floors; counted are \(life.counted.counts.steps), "
          + "\(life.counted.counts.floorsAscended + life.counted.counts.floorsDescended)")
    }
    try ask(store, Date(timeIntervalSince1970: Double(start) / 1e9))
    try append(MovementStore(folder: folder + "/durable"))
  }

  static func fill<Source: EntrySource>(
    _ store: MovementStore, _ source: Source, _ clock: WeekClock
  ) throws -> Source {
    var source = source
    var writer = try MovementWriter(
      store, keeping: .seconds(8 * 86_400), isDurable: false)
    var begin = clock.clocks.now().boot
    var sum = 0
    let time = try milliseconds {
      for second in 0..<days * 86_400 {
        clock.pass(.seconds(1))
        let entry = source.entry(second, begin: begin)
        sum += entry.counts.steps
        try writer.append(entry)
        begin = entry.end
      }
      try writer.close()
    }
    let total = try store.total(from: .distantPast, to: .distantFuture)
    print(
      "\(days) days, \(sum / days) steps a day, written in \(Int(time / 1000)) s without waiting for the disk"
    )
    print(
      total.counts.steps == sum
        ? "no step is missing" : "STEPS ARE MISSING: \(total.counts.steps) of \(sum)")
    let summary = try store.summary()
    let database = try FileManager.default.attributesOfItem(
      atPath: store.folder + "/movement.sqlite")
    let size = (database[.size] as? Int) ?? 0
    print(
      "\(summary.rows) rows, database \(size / 1024) KB, with log and index \(summary.bytes / 1024) KB"
    )
    return source
  }

  static func ask(_ store: MovementStore, _ start: Date) throws {
    for span in [1, days] {
      var totals: [Double] = []
      var activities: [Double] = []
      for round in 0..<1000 {
        // Somewhere within, so that borders lie where they like.
        let shift = Double((days - span) * 86_400) * Double(round) / 1000 + Double(round) / 7
        let begin = start + shift
        let end = begin + Double(span * 86_400)
        totals.append(try milliseconds { _ = try store.total(from: begin, to: end) })
        activities.append(try milliseconds { _ = try store.activities(from: begin, to: end) })
      }
      report("total of \(span) d", totals)
      report("activities of \(span) d", activities)
    }
  }

  static func append(_ store: MovementStore) throws {
    var writer = try MovementWriter(store)
    var times: [Double] = []
    for _ in 0..<1000 {
      let now = HostClocks.system.now().boot
      var entry = MovementEntry(begin: now - .seconds(1), end: now)
      entry.counts.steps = 2
      entry.counts.activeTime = 1
      times.append(try milliseconds { try writer.append(entry) })
    }
    report("durable entry", times)
  }
}
