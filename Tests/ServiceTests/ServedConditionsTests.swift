// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import MotionSources
import Quantities
import Runtime
import ServedSources
import Service
import Testing

/// Tests of what a client learns of chips that the service combines.
@Suite(.timeLimit(.minutes(2))) struct ServedConditionsTests {
  /// A board with an MPU-6050 `a`, whose supply is noisy, and a BMI160 `b`.
  static let board = """
    otolith-board: 1
    name: Two IMUs
    buses: { bus: { simulated: i2c } }
    chips:
      a: { chip: mpu6050, on: bus, address: 0x68, rate-hz: 100 }
      b: { chip: bmi160, on: bus, address: 0x69, rate-hz: 100 }
    simulation: { motion: still, faults: [{ fault: noisy-supply, chip: a, at-s: 1 }] }

    """

  @Test func `a client's pipeline has the conditions of the service`() async throws {
    let board = try BoardFile.parse(
      Self.board, file: "two.yaml", catalogue: ChipCatalog.descriptions)
    let served = try Served(BoardSession(board))
    defer { served.end() }
    let source = try ServiceSource(path: served.path)
    try source.start()
    defer { source.stop() }
    func states(_ chip: Int) -> [[String]] {
      source.pipeline.conditions(ofChip: chip).map(\.states)
    }
    #expect(
      try await eventually {
        source.pipeline.conditions(ofChip: 0).contains { !$0.isUsed && !$0.causes.isEmpty }
      }, "\(states(0))")
    let good = ["good", "good", "good"]
    #expect(states(1) == [good, good])
    #expect(source.report.first?.conditions.contains { !$0.isUsed } == true)
    #expect(source.report.last?.conditions.allSatisfy(\.isUsed) == true)
    // The remark of the service contains the condition; it is not repeated.
    #expect(
      try await eventually {
        source.remarks(ofChip: 0).joined().contains("motion goes on with b")
      })
    #expect(source.remarks(ofChip: 0).count == 1, "\(source.remarks(ofChip: 0))")
    #expect(source.remarks(ofChip: 1) == [])
  }
}
