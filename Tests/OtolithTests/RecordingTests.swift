// SPDX-License-Identifier: Apache-2.0
import Foundation
import Otolith
import Testing

/// Recording of value samples at any rate.
@Suite(.serialized, .timeLimit(.minutes(1))) struct RecordingTests {
  static func store() -> SampleStore {
    SampleStore(
      folder: FileManager.default.temporaryDirectory.path + "/otolith-\(UUID().uuidString)")
  }

  static func remove(_ store: SampleStore) {
    try? FileManager.default.removeItem(atPath: store.folder)
  }

  @Test(
    arguments: [
      (1000, .zero, 1000), (1000, .milliseconds(5), 200), (100, .microseconds(2500), 100),
    ] as [(Int, Duration, Int)])
  func `a recording has the rate asked for, or the board's where that is less`(
    _ board: Int, _ asked: Duration, _ expected: Int
  ) async throws {
    let hub = try MotionsTests.hub(rate: board)
    let store = Self.store()
    defer { Self.remove(store) }
    do {
      let recording = try hub.recordAcceleration(to: store, every: asked)
      #expect(try await MotionsTests.eventually { recording.isActive })
      #expect(!hub.reset())
      try await Task.sleep(for: .seconds(2))
      recording.stop()
      #expect(!recording.isActive)
    }
    #expect(hub.reset())
    let samples = Array(try store.samples())
    let times = samples.map(\.timestamp)
    let period = 1 / Double(expected)
    #expect(samples.count > expected)
    // If the machine is too busy, the simulated chip's FIFO overflows, which is counted.
    let isWhole = try store.summary().lost == 0
    // The first times are estimates: a driver knows a chip's rate better after 64 readings.
    let settled = 64 * expected / board
    for (index, (a, b)) in zip(times, times.dropFirst()).dropFirst(settled).enumerated() {
      let step = (b - a).seconds
      #expect(
        step > 0.8 * period && (!isWhole || step < 1.2 * period),
        "\(step) s before sample \(index + settled + 1) of \(samples.count)")
    }
  }

  @Test func `a store has one recording at a time`() throws {
    let hub = try MotionsTests.hub()
    let store = Self.store()
    defer { Self.remove(store) }
    let recording = try hub.recordAcceleration(to: store)
    let error = #expect(throws: RecorderError.self) { _ = try hub.recordAcceleration(to: store) }
    guard case .history(let cause)? = error, case .inUse = cause.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    recording.stop()
    let next = try hub.recordAcceleration(to: store)
    next.stop()
    #expect(hub.reset())
  }

  @Test func `a recording that cannot begin says why`() throws {
    let store = Self.store()
    defer { Self.remove(store) }
    let hub = try MotionsTests.hub("i2c: /dev/i2c-97")
    let error = #expect(throws: RecorderError.self) { _ = try hub.recordAcceleration(to: store) }
    #expect(error?.description.hasPrefix("/dev/i2c-97 does not exist") == true)
    let place = #expect(throws: RecorderError.self) {
      _ = try MotionsTests.hub().recordAcceleration(to: SampleStore(folder: "/dev/null/x"))
    }
    #expect(place?.description.hasPrefix("/dev/null/x: ") == true)
  }

  /// Simulated samples are stored apart from real ones.
  @Test func `what is made up is stored elsewhere than what was felt`() throws {
    #expect(
      MotionHub.store(in: "/var/lib/otolith", isMadeUp: false).folder
        == "/var/lib/otolith/acceleration")
    #expect(
      MotionHub.store(in: "/var/lib/otolith", isMadeUp: true).folder
        == "/var/lib/otolith/acceleration-simulated")
    #expect(try MotionsTests.hub().isMadeUp)
    #expect(try !MotionsTests.hub("i2c: /dev/i2c-97").isMadeUp)
  }
}
