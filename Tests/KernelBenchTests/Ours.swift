// SPDX-License-Identifier: Apache-2.0
import Runtime
import Boards
import ChipCatalog
import Foundation
import LinuxSystem
import Quantities
import MotionSources
import Sensors
import Testing

/// otolith's stack on the device nodes: a session of a board file, and its samples.
struct Ours {
  var samples: [SourcedSample] = []
  var report: [ChipReport] = []

  /// Returns the samples of the chip with index `source`.
  func samples(of source: Int) -> [Sample] {
    samples.filter { $0.source == Int32(source) }.map(\.sample)
  }

  /// Returns a board with chips on the bench's nodes; each text is like `imu: { chip:
  /// "invensense,mpu6050", on: i2c, address: 0x68 }`. The buses are i2c, smbus and spi0, spi1...
  static func board(_ chips: String..., spi: [Int] = []) throws -> Board {
    let selects = spi.map { ", spi\($0): { spi: /dev/spidev0.\($0), speed-hz: 5000000 }" }.joined()
    let used = ["i2c", "smbus"].filter { bus in chips.contains { $0.contains("on: \(bus)") } }
      .map { "\($0): { i2c: \($0 == "i2c" ? VirtualBench.i2c : VirtualBench.smbus) }" }
    let buses = (used.joined(separator: ", ") + selects)
      .trimmingCharacters(in: CharacterSet(charactersIn: ", "))
    return try BoardFile.parse(
      """
      otolith-board: 1
      name: On the virtual bench
      buses: { \(buses) }
      chips:
      \(chips.map { "  \($0)" }.joined(separator: "\n"))

      """, file: "bench.yaml", catalogue: ChipCatalog.descriptions)
  }

  /// Runs `board` for `seconds`.
  static func run(_ board: Board, seconds: Double, meanwhile body: () throws -> Void = {}) throws
    -> Ours
  {
    let session = BoardSession(board)
    var reader = session.pipeline.samples.reader()
    var ours = Ours()
    try session.start()
    let end = monotonicNow() + TimeSpan(seconds: seconds)
    let result = Result {
      try body()
      while monotonicNow() < end {
        Thread.sleep(forTimeInterval: 0.05)
        while let sample = reader.read() { ours.samples.append(sample) }
      }
    }
    session.stop()
    while let sample = reader.read() { ours.samples.append(sample) }
    try result.get()
    try #require(reader.missed == 0)
    ours.report = session.report
    return ours
  }

  /// Returns the last sample of a chip after it has run alone.
  static func last(_ board: Board) throws -> Sample {
    let ours = try run(board, seconds: 0.35)
    return try #require(
      ours.samples.last?.sample,
      "no sample: \(ours.report.map { "\($0.name) \($0.state) \($0.health)" })")
  }
}
