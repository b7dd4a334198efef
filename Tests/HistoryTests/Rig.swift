// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Synchronization
import Testing

/// A store in its own folder, and clocks that the test sets.
final class Rig: Sendable {
  let root: String
  let store: SampleStore
  private struct Time: Sendable {
    var reading: ClockReading
    var boot = BootIdentifier(high: 1, low: 1)
  }
  private let time: Mutex<Time>

  /// 2026-01-01 00:00:00 UTC, from `date -ud 2026-01-01 +%s`.
  static let newYear: Int64 = 1_767_225_600_000_000_000

  init() throws {
    root = FileManager.default.temporaryDirectory.path + "/otolith-history-\(UUID().uuidString)"
    store = SampleStore(folder: root + "/state/acceleration")
    time = Mutex(
      Time(reading: ClockReading(wall: Self.newYear, boot: Timestamp(seconds: 1000))))
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  var clocks: HostClocks {
    HostClocks(boot: time.withLock(\.boot)) { [self] in time.withLock { $0.reading } }
  }

  var now: ClockReading { time.withLock { $0.reading } }

  /// Lets time pass.
  func pass(_ seconds: Double) {
    time.withLock {
      $0.reading.wall += TimeSpan(seconds: seconds).nanoseconds
      $0.reading.boot = $0.reading.boot + TimeSpan(seconds: seconds)
    }
  }

  /// Changes the wall clock by `seconds`.
  func setWall(by seconds: Double) {
    time.withLock { $0.reading.wall += TimeSpan(seconds: seconds).nanoseconds }
  }

  /// Restarts the machine, which was off for `seconds`.
  func restart(after seconds: Double) {
    time.withLock {
      $0.boot.low += 1
      $0.reading.wall += TimeSpan(seconds: seconds).nanoseconds
      $0.reading.boot = Timestamp(seconds: 20)
      $0.reading.suspended = .zero
    }
  }

  /// Suspends the machine: CLOCK_MONOTONIC stops.
  func sleep(_ seconds: Double) {
    time.withLock {
      $0.reading.wall += TimeSpan(seconds: seconds).nanoseconds
      $0.reading.suspended = $0.reading.suspended + TimeSpan(seconds: seconds)
    }
  }

  /// Lets a second pass, and returns its samples at `rate`, with `x` g in x.
  func second(_ x: Double, rate: Int = 50) -> [TimedAcceleration] {
    let start = now.boot
    pass(1)
    return (1...rate).map { index in
      TimedAcceleration(
        timestamp: start + TimeSpan(seconds: Double(index) / Double(rate)),
        acceleration: Vector3(x, 0, -1))
    }
  }

  func files(_ suffix: String = ".samples") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store.folder)
      .filter { $0.hasSuffix(suffix) }.sorted().map { store.folder + "/" + $0 }
  }

  func all() throws -> [RecordedSample] { Array(try store.samples()) }

  /// Returns the x of every sample, with repeated values once.
  func story() throws -> [Double] {
    var story: [Double] = []
    for sample in try store.samples() where story.last != sample.acceleration.x {
      story.append(sample.acceleration.x)
    }
    return story
  }
}
