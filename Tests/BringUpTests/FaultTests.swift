// SPDX-License-Identifier: Apache-2.0
import BringUp
import Runtime
import Testing

/// The checks name each fault correctly from the bus and the line, and report no other.
@Suite struct FaultTests {
  @Test(arguments: FaultyBoard.all) func `a good board has nothing that would be found`(
    _ board: FaultyBoard
  ) throws {
    let findings = try board.findings()
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test(arguments: FaultyBoard.all) func `a bus that is held low is stuck, and no chip is blamed`(
    _ board: FaultyBoard
  ) throws {
    #expect(try board.causes("stuck-bus") == [.stuckBus])
  }

  @Test(arguments: FaultyBoard.all.filter { $0.address != nil })
  func `a chip that is strapped otherwise is found there`(_ board: FaultyBoard) throws {
    let findings = try board.findings("wrong-address")
    #expect(findings.map(\.cause) == [.wrongAddress], "\(findings)")
    // The alternative address of each chip, typed from its data sheet.
    let other = [0x68: "0x69", 0x69: "0x68", 0x6B: "0x6A", 0x1C: "0x1E", 0x76: "0x77"]
    let step = try #require(findings.first?.steps.first)
    #expect(step.hasPrefix("write 'address: \(other[board.address ?? 0] ?? "?")'"), "\(step)")
  }

  @Test(arguments: FaultyBoard.all) func `an identity that no chip has is a wrong chip`(
    _ board: FaultyBoard
  ) throws {
    #expect(try board.causes("wrong-chip, identity: 0x42") == [.wrongChip])
  }

  @Test func `another part of the family is named, and its line for the board file`() throws {
    // MPU-6500: WHO_AM_I 0x70 (RM-MPU-6500A, section 4.40).
    let findings = try FaultyBoard.mpu6050.findings("wrong-chip, identity: 0x70")
    #expect(findings.map(\.cause) == [.wrongChip])
    #expect(findings.first?.explanation.contains("MPU-6500") ?? false)
    #expect(findings.first?.steps.first?.contains("invensense,mpu6500") ?? false)
  }

  @Test(arguments: ["0x00", "0xFF"]) func `all zeros or all ones on SPI are a wire`(_ value: String)
    throws
  {
    let findings = try FaultyBoard.bmi160SPI.findings("wrong-chip, identity: \(value)")
    #expect(findings.map(\.cause) == [.noAnswer])
    #expect(findings.first?.evidence.contains("MISO") ?? false)
  }

  @Test func `no answer at all is a silent bus`() throws {
    #expect(try FaultyBoard.mpu6050.causes("nack, probability: 1") == [.silentBus])
  }

  @Test(arguments: FaultyBoard.drivers.filter { $0.pins > 0 })
  func `a line that stands still is dead`(_ board: FaultyBoard) throws {
    let findings = try board.findings("stuck-interrupt")
    #expect(findings.map(\.cause) == [.deadInterrupt], "\(findings)")
  }

  @Test(
    arguments: FaultyBoard.drivers.filter { $0.pins > 0 }, ["lost-interrupt", "doubled-interrupt"])
  func `edges that are lost or doubled are seen in the rate`(_ board: FaultyBoard, _ fault: String)
    throws
  {
    let findings = try board.findings("\(fault), probability: 0.2")
    #expect(findings.map(\.cause) == [.interruptRate], "\(findings)")
    #expect(
      findings.first?.evidence.contains(fault == "lost-interrupt" ? "did not arrive" : "came twice")
        ?? false)
  }

  @Test(arguments: FaultyBoard.all.filter { $0.pins == 2 }) func `the chip's other pin is named`(
    _ board: FaultyBoard
  ) throws {
    let findings = try board.findings("wrong-pin")
    #expect(findings.map(\.cause) == [.interruptPin], "\(findings)")
    #expect(findings.first?.steps.first?.contains("'pin: 2'") ?? false)
  }

  @Test(arguments: FaultyBoard.all.filter { $0.pins > 0 })
  func `a line with an inverter has the wrong polarity`(_ board: FaultyBoard) throws {
    #expect(try board.causes("inverted-interrupt") == [.interruptPolarity])
  }

  @Test(arguments: FaultyBoard.drivers.filter { $0.address != nil })
  func `transfers that fail now and then make the bus unreliable`(_ board: FaultyBoard) throws {
    let findings = try board.findings("nack, probability: 0.02")
    #expect(Set(findings.map(\.cause)) == [.unreliableBus], "\(findings)")
  }

  @Test(arguments: FaultyBoard.drivers) func `bits that flip make the bus unreliable`(
    _ board: FaultyBoard
  ) throws {
    let findings = try board.findings("bit-flip, probability: 0.01")
    #expect(Set(findings.map(\.cause)) == [.unreliableBus], "\(findings)")
  }

  @Test(arguments: FaultyBoard.drivers) func `a supply that fails for a moment is a brown-out`(
    _ board: FaultyBoard
  ) throws {
    // A chip without an interrupt line shows brown-outs only in the soak.
    let isPolled = board.pins == 0
    let findings = try board.findings(
      "brown-out, every-s: \(isPolled ? 0.15 : 0.9)", soak: isPolled ? 12_000 : 1000)
    #expect(Set(findings.map(\.cause)) == [.brownOut], "\(findings)")
  }

  @Test(arguments: FaultyBoard.all.filter { $0.pins > 0 && !$0.chip.contains("lis3mdl") })
  func `a queue that runs over is named`(_ board: FaultyBoard) throws {
    let findings = try board.findings("fifo-overflow, every-s: 0.7")
    #expect(findings.map(\.cause) == [.queueOverflow], "\(findings)")
  }

  @Test(arguments: [FaultyBoard.mpu6050, .bmi160SPI], ["swapped-axes", "noisy-supply"])
  func `faults that only samples show are left to the checks of samples`(
    _ board: FaultyBoard, _ fault: String
  ) throws {
    let findings = try board.findings(fault)
    #expect(findings.isEmpty, "\(findings)")
  }
}
