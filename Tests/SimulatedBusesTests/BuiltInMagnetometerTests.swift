// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Quantities
import Registers
import Simulation
import SimulatedBuses
import Testing

/// The magnetometer inside an IMU, on a simulated board: one part with two ways to it. Registers typed from RM-MPU-9250A-00
/// and MS1356-E-02.
@Suite(.serialized) struct BuiltInMagnetometerTests {
  static func board(_ chips: String..., clock: VirtualClock) throws -> SimulatedBoard {
    let text =
      "otolith-board: 1\nname: x\nbuses:\n  bus: { simulated: i2c }\nchips:\n"
      + chips.map { "  \($0)\n" }.joined()
      + "simulation: { motion: still }\n"
    return try SimulatedBoard(
      try BoardFile.parse(text, file: "x", catalogue: ChipCatalog.descriptions),
      clock: clock)
  }

  static func reply(_ bytes: [UInt8], of board: SimulatedBoard) -> [UInt8] {
    var conversation = BusConversation()
    var replies: [UInt8] = []
    conversation.take(bytes.span)
    while conversation.answer(from: board, into: &replies) {}
    return replies
  }

  static func write(_ address: UInt8, _ register: UInt8, _ value: UInt8, _ board: SimulatedBoard) {
    #expect(reply([0x49, address, 2, 0, 0, 0, register, value], of: board) == [0, 0, 0])
  }

  @Test(arguments: [false, true])
  func `what the master writes is read by the bypass`(isInFile: Bool) throws {
    let imu = "imu: { chip: \"invensense,mpu9250\", on: bus, address: 0x68 }"
    let compass =
      "compass: { chip: \"asahi-kasei,ak8963\", on: bus, address: 0x0C, behind: imu, mounting: [y, x, -z] }"
    let clock = VirtualClock()
    let board =
      try isInFile ? Self.board(imu, compass, clock: clock) : Self.board(imu, clock: clock)
    // Awake, master on; slave 4 writes CNTL1 (0x0A): 16 bits, fuse ROM. Then master off, bypass on.
    for (register, value) in [
      (0x6B, 0x01), (0x6A, 0x20), (0x31, 0x0C), (0x32, 0x0A), (0x33, 0x1F), (0x34, 0x80),
    ] as [(UInt8, UInt8)] { Self.write(0x68, register, value, board) }
    clock.advance(to: clock.now + .milliseconds(20))
    _ = Self.reply([0x49, 0x68, 1, 0, 1, 0, 0x75], of: board)
    Self.write(0x68, 0x6A, 0x00, board)
    Self.write(0x68, 0x37, 0x02, board)
    #expect(Self.reply([0x49, 0x0C, 1, 0, 1, 0, 0x00], of: board) == [0, 1, 0, 0x48])
    #expect(Self.reply([0x49, 0x0C, 1, 0, 1, 0, 0x0A], of: board) == [0, 1, 0, 0x1F])
  }
}
