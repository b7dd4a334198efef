// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `otolith registers`, with addresses and contents typed from RM-MPU-6000A.
@Suite struct RegistersCommandTests {
  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    try scratch.write(CheckCommandTests.board, to: "board.yaml")
  }

  private func run(_ arguments: String) throws -> Tool.Ending {
    try Tool.shell("\"$OTOLITH\" registers \(arguments)", in: scratch)
  }

  private static let imu = "--chip imu --board board.yaml"

  @Test func `registers are read by name, number and field`() throws {
    let ending = try run("read \(Self.imu) whoAmI 0x6B power1.sleep")
    #expect(ending.status == 0 && ending.errors == CheckCommandTests.notice + "\n")
    #expect(ending.lines.count == 3)
    #expect(ending.lines[0] == "0x75 whoAmI = 0x68 (104)")
    #expect(ending.lines[1].hasPrefix("0x6B power1 = 0x40 (64)  deviceReset=0 sleep=1"))
    #expect(ending.lines[2] == "0x6B power1.sleep = 1")
    let json = try run("read \(Self.imu) WHOAMI --count 2 --json")
    #expect(json.output == "{\"WHOAMI\":[104,104]}\n")
  }

  @Test func `what changes by being read is refused`() throws {
    let refused = try run("read \(Self.imu) interruptStatus")
    #expect(refused.status == 64 && refused.output.isEmpty)
    #expect(
      refused.errorLines.last == "imu: reading interruptStatus clears it; read it with --force")
    #expect(try run("read \(Self.imu) interruptStatus --force").status == 0)
    let wrong = try run("read \(Self.imu) whoAmJ")
    #expect(wrong.status == 64)
    #expect(wrong.errorLines.last == "imu: there is no register 'whoAmJ'; did you mean whoAmI?")
  }

  @Test func `a write says what changed and how it is undone`() throws {
    let ending = try run(
      "write \(Self.imu) power1.sleep=off power1.clockSource=gyroX --save undo.txt")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.output == """
        0x6B power1  0x40 -> 0x01  sleep 1 -> 0, clockSource internalOscillator -> gyroX
        undo: otolith registers write --chip imu --board board.yaml power1=0x40

        """)
    #expect(try scratch.text("undo.txt").hasSuffix("power1=0x40\n"))
    let undone = try run("write \(Self.imu) --undo undo.txt --json")
    #expect(undone.status == 0 && undone.output.contains("\"undo\":\"otolith registers write"))
  }

  @Test func `a write that should not be is refused before anything is written`() throws {
    for (assignment, words) in [
      ("whoAmI=0x12", "whoAmI is read-only"), ("0x11=1", "is not in the register map"),
      ("power1.sleep=2", "'2' is not a value of power1.sleep: it takes 0 to 1"),
    ] {
      let ending = try run("write \(Self.imu) \(assignment)")
      #expect(ending.status == 64 && ending.errors.contains(words), "\(ending.errors)")
      #expect(ending.output.isEmpty)
    }
  }

  @Test func `dumps and starts are compared`() throws {
    #expect(
      try Tool.shell("\"$OTOLITH\" registers dump \(Self.imu) --json > a", in: scratch).status == 0)
    let same = try run("diff \(Self.imu) --from a --to a")
    #expect(same.status == 0 && same.output.isEmpty)
    let started = try run("diff \(Self.imu) --start")
    #expect(started.lines.contains { $0.hasPrefix("0x6B power1 ") && $0.contains("0x40 -> 0x01") })
    let bad = try run("diff \(Self.imu) --from board.yaml --to a")
    #expect(bad.status == 65 && bad.errors.contains("board.yaml: is not a dump"))
    #expect(try run("diff \(Self.imu) --from nothing").status == 66)
  }

  @Test func `a watch shows what changes`() throws {
    let ending = try run("watch \(Self.imu) --start --interval 0.05 --count 3")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("registers every 0.05 s"))
    // A chip that samples changes its data registers.
    #expect(!ending.lines.isEmpty && ending.lines.allSatisfy { $0.contains(" -> ") })
    let still = try run("watch \(Self.imu) whoAmI --interval 0.05 --count 2 --json")
    #expect(still.status == 0 && still.output.isEmpty)
  }
}
