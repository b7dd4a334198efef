// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxBus
import Quantities
import Runtime
import Sensors
import Testing

extension KernelBenchTests {
  /// Half a minute at a high rate over the true nodes.
  @Suite(.serialized) struct StreamTests {
    static let seconds = 30.0

    /// A chip at its rate, read in its way; its first pin is on the line.
    struct Stream: CustomTestStringConvertible {
      var chip: String
      var address: String
      var rate: Double
      var acquisition: String
      var line: Int

      var testDescription: String { "\(chip) at \(Int(rate)) Hz by \(acquisition)" }
    }

    static let streams = [
      Stream(
        chip: "invensense,mpu6050", address: "0x68", rate: 1000, acquisition: "data-ready", line: 0),
      Stream(chip: "bosch,bmi160", address: "0x69", rate: 1600, acquisition: "data-ready", line: 2),
    ]

    @Test(arguments: streams) func nothingIsLost(stream: Stream) throws {
      try BenchServer.serve(Boards.all, hold: I2CTests.held)
      try VirtualBench.forgetEdges()
      let interrupt =
        stream.acquisition == "fifo" ? "" : ", interrupt: { line: GPIO\(stream.line) }"
      let ours = try Ours.run(
        try Ours.board(
          "chip: { chip: '\(stream.chip)', on: i2c, address: \(stream.address), "
            + "rate-hz: \(Int(stream.rate)), read-by: \(stream.acquisition), "
            + "batch-interval-ms: 20\(interrupt) }"), seconds: Self.seconds)
      let report = try #require(ours.report.first)
      let times = ours.samples.map(\.sample.timestamp.nanoseconds)
      let gaps = ours.samples.filter { $0.sample.missing > 0 }.map(\.sample.timestamp.nanoseconds)
      #expect(
        report.health.missing == 0 && report.health.busErrors == 0, "before \(gaps): \(report)")
      #expect(report.health.missedInterrupts == 0 && report.health.restarts == 0, "\(report)")
      #expect(report.late == 0, "\(report)")
      #expect(Double(times.count) > stream.rate * (Self.seconds - 1))
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
      var error = "times not compared"
      if stream.acquisition == "data-ready" {
        // Each sample has the edge that the chip said it by, and no other. The bench itself is late by what it takes to wake.
        let edges = try VirtualBench.edges(of: stream.line).filter(\.isRising)
        var errors: [Int64] = []
        var fromChip: [Int64] = []
        var next = 0
        for time in times {
          while next < edges.count, edges[next].raisedTime < time - 300_000 { next += 1 }
          try #require(next < edges.count)
          errors.append(time - edges[next].raisedTime)
          fromChip.append(time - edges[next].chipTime)
          next += 1
        }
        let worst = try #require(errors.map(abs).max())
        #expect(worst <= 20_000, "\(worst) ns")
        error =
          "from the line's edge \(errors.min() ?? 0) to \(errors.max() ?? 0) ns, from the chip's sample "
          + "\(fromChip.min() ?? 0) to \(fromChip.max() ?? 0) ns"
      }
      print(
        "stream: | \(stream.testDescription) | \(times.count) samples | lost \(report.health.missing) | \(error) |"
      )
    }
  }
}
