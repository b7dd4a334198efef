// SPDX-License-Identifier: Apache-2.0
import Runtime
import Simulation
import Boards
import BringUp
import ChipCatalog
import Foundation
import MotionSources
import Quantities
import Registers
import Testing

/// The findings about an identity that no driver accepts, and about one hidden by another register
/// bank.
@Suite struct IdentityTests {
  /// An undriven line reads as ones and a line held low as zeros, so neither is reported as a
  /// clone.
  @Test(
    arguments: [
      ("0xFF", "does not drive the data line: no chip's identity is 0xFF"),
      ("0x00", "the data line stays low: no chip's identity is 0x00"),
    ])
  func `all zeros or all ones on I2C are no clone`(_ value: String, _ words: String) throws {
    let findings = try FaultyBoard.mpu6050.findings("wrong-chip, identity: \(value)")
    let finding = try #require(findings.first)
    #expect(findings.count == 1 && finding.cause == .noAnswer)
    #expect(finding.evidence == "register 0x75 at 0x68 on simulated bus bus reads \(value)")
    #expect(finding.explanation == "it acknowledges its address, but \(words)")
    #expect(finding.steps.first?.hasPrefix("switch the power off and on") ?? false)
    #expect(!finding.steps.contains { $0.contains("treat-as") || $0.contains("chip:") })
  }

  /// QST's data sheet 1.0, section 9.2.6: the chip ID register of the QMC5883L holds 0xFF.
  @Test func `a chip whose identity is all ones is right`() throws {
    let board = FaultyBoard(chip: "qst,qmc5883l", address: 0x0D, rate: 100, pins: 0)
    #expect(try board.findings("bit-flip, at-s: 100000").isEmpty)
  }

  @Test func `a copy of a chip is reported with the line to write for it`() throws {
    let findings = try FaultyBoard.mpu6050.findings("wrong-chip, identity: 0x72")
    #expect(findings.map(\.cause) == [.wrongChip])
    #expect(
      findings.first?.explanation
        == "it is an MPU-6050 clone, which runs as the original if the board file has 'treat-as'")
    #expect(
      findings.first?.steps == [
        "add 'treat-as: \"invensense,mpu6050\"' for 'sensor' to the board file",
        "then test it: otolith selftest --chip sensor",
      ])
  }

  /// WHO_AM_I of the LSM6DSV16BX: 0x71 (ST's lsm6dsv16bx-pid).
  @Test func `a part without a driver is not to be written into the board file`() throws {
    let findings = try FaultyBoard.lsm6ds3.findings("wrong-chip, identity: 0x71")
    #expect(findings.map(\.cause) == [.unsupportedChip], "\(findings)")
    #expect(findings.first?.explanation.contains("it is LSM6DSV16BX") ?? false, "\(findings)")
    #expect(!(findings.first?.steps ?? []).contains { $0.contains("write the part") })
  }

  static let icm20948 = FaultyBoard(chip: "invensense,icm20948", address: 0x68, rate: 100, pins: 0)

  /// REG_BANK_SEL is 0x7F in every bank; bits 5:4 are the bank (DS-000189, section 7.6).
  @Test(arguments: [UInt8(0x10), 0x20, 0x30])
  func `a chip that another program left in another bank is known`(_ selector: UInt8) throws {
    let board = try Self.icm20948.board()
    let clock = VirtualClock()
    let bus = try BoardBuilder(board, clock: clock).models(on: board.buses[0])
    let probe = BusProbe.simulated(bus, board.buses[0])
    guard case .success = probe.write(selector, 0x7F, 0x68, WireFormat()) else {
      Issue.record("the bank cannot be selected")
      return
    }
    var result = DetectionResult()
    result.buses = ["bus"]
    Detector.detect(on: probe, &result)
    #expect(result.chips.map(\.candidate.name) == ["invensense,icm20948"])
    #expect(result.chips.first?.identity == 0xEA)
    #expect(
      result.explanation.contains(
        "  0x68: ICM-20948, for register 0x00 holds 0xEA, used as invensense,icm20948"),
      "\(result.explanation)")
    // The bank is restored, so that the other program can continue.
    #expect(probe.read(0x7F, 0x68, WireFormat()) == .success(selector))

    let examination = Examination(board)
    let chip = try #require(try examination.open("sensor"))
    try chip.write(selector, to: 0x7F)
    let identity = IdentityCheck.run(chip, on: try examination.probe(board.buses[0]), of: board)
    #expect(identity.isRight && identity.identity == 0xEA, "\(identity)")
  }

  /// The trace has reads of one register bank only, so that the other cannot be examined.
  @Test func `a trace of such a chip names what it may be`() throws {
    let trace = """
      otolith-trace: 2
      otolith: 0.1.0
      kernel: 6.12
      clock: 10.0
      board: |
        otolith-board: 1
        name: icm
        buses: { i2c1: { i2c: /dev/i2c-1 } }
        chips:
          imu: { chip: "invensense,icm20948", on: i2c1, address: 0x68, rate-hz: 100 }
      events:
      0.010000000 imu open invensense,icm20948 i2c identity 0x0A
      0.010100000+0.000100000 imu r 0x7F 1 20
      0.010300000+0.000100000 imu r 0x00 1 0A
      0.020000000 - end

      """
    let path = FileManager.default.temporaryDirectory
      .appending(path: "otolith-\(UUID().uuidString).trace").path()
    try trace.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let board = try BoardFile.load(path: path, catalogue: ChipCatalog.descriptions)
    let result = try Detector.detect(on: board, clock: VirtualClock())
    #expect(
      result.explanation.suffix(2) == [
        "  0x68: perhaps an ICM-20948 that another program left with its bank 2 shown: register 0x00 "
          + "holds 0x0A there, and its identity is in bank 0",
        "    otolith run and otolith bringup select it; a board file may say chip: "
          + "\"invensense,icm20948\"",
      ], "\(result.explanation)")
    // Playback and bring-up say so too, and suggest no clone.
    let playback = try #require(TracePlayback(board))
    let played = try playback.run { _, _ in }
    #expect(
      played.map(\.notes) == [
        [
          "the identity register held 0x0A, because register bank 2 was selected: another program "
            + "left it so; the identity of ICM-20948 is in bank 0, which otolith run and otolith "
            + "bringup select"
        ]
      ])
    let examination = Examination(board)
    let chip = try #require(try examination.open("imu"))
    let identity = IdentityCheck.run(chip, on: try examination.probe(board.buses[0]), of: board)
    #expect(
      identity.findings.map(\.explanation) == [
        "another program left register bank 2 of ICM-20948 selected, and its identity is in bank 0"
      ])
  }
}
