// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxBus
import Quantities
import Runtime
import Sensors
import Testing

extension KernelBenchTests {
  /// Half a minute at a high rate on the real nodes.
  @Suite(.serialized) struct StreamTests {
    static let seconds = 30.0

    /// A chip that signals each sample by an edge on its line.
    struct Stream: CustomTestStringConvertible {
      var chip: String
      var address: String
      var rate: Double
      var line: Int

      var testDescription: String { "\(chip) at \(Int(rate)) Hz by data-ready" }
    }

    static let streams = [
      Stream(chip: "invensense,mpu6050", address: "0x68", rate: 1000, line: 0),
      Stream(chip: "bosch,bmi160", address: "0x69", rate: 1600, line: 2),
    ]

    private func expectWhole(_ report: ChipReport, _ rate: Double) {
      #expect(report.health.missing == 0 && report.health.busErrors == 0, "\(report)")
      #expect(report.health.missedInterrupts == 0 && report.health.restarts == 0, "\(report)")
      #expect(report.late == 0, "\(report)")
      #expect(Double(report.health.received) > rate * (Self.seconds - 1), "\(report)")
    }

    @Test(arguments: streams) func `each edge is a sample with its time`(stream: Stream) throws {
      try BenchServer.serve(Boards.all, hold: I2CTests.held)
      try VirtualBench.forgetEdges()
      let ours = try Ours.run(
        try Ours.board(
          "chip: { chip: '\(stream.chip)', on: i2c, address: \(stream.address), "
            + "rate-hz: \(Int(stream.rate)), interrupt: { line: GPIO\(stream.line) } }"),
        seconds: Self.seconds)
      expectWhole(ours.report[0], stream.rate)
      let times = ours.samples.map(\.sample.timestamp.nanoseconds)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
      // Each sample has the edge by which the chip signalled it, and no other. The bench itself is
      // late by its wake-up time.
      let edges = try VirtualBench.edges(of: stream.line).filter(\.isRising)
      var fromLine: [Int64] = []
      var fromChip: [Int64] = []
      var next = 0
      for time in times {
        while next < edges.count, edges[next].raisedTime < time - 300_000 { next += 1 }
        try #require(next < edges.count)
        fromLine.append(time - edges[next].raisedTime)
        fromChip.append(time - edges[next].chipTime)
        next += 1
      }
      let worst = try #require(fromLine.map(abs).max())
      #expect(worst <= 20_000, "\(worst) ns")
      print(
        "stream: | \(stream.testDescription) | \(times.count) samples | lost \(ours.report[0].health.missing) | "
          + "from the line's edge \(fromLine.min() ?? 0) to \(worst) ns, "
          + "from the chip's sample \(fromChip.min() ?? 0) to \(fromChip.max() ?? 0) ns |")
    }

    /// Two chips on one bus, each with its FIFO.
    @Test func `two queues on one bus lose nothing`() throws {
      try BenchServer.serve(Boards.all, hold: I2CTests.held)
      let ours = try Ours.run(
        try Ours.board(
          "one: { chip: 'invensense,mpu6050', on: i2c, address: 0x68, rate-hz: 1000, "
            + "read-by: fifo, batch-interval-ms: 20 }",
          "two: { chip: 'bosch,bmi160', on: i2c, address: 0x69, rate-hz: 1600, "
            + "read-by: fifo, batch-interval-ms: 20 }"),
        seconds: Self.seconds)
      for (report, rate) in zip(ours.report, [1000.0, 1600]) {
        expectWhole(report, rate)
        print(
          "stream: | \(report.chip) at \(Int(rate)) Hz by its FIFO | \(report.health.received) samples | "
            + "lost \(report.health.missing) | |")
      }
    }
  }
}
