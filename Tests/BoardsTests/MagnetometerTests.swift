// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Sensors
import Testing

/// The key `magnetometer` of a chip in a board file.
@Suite struct MagnetometerTests {
  static func board(_ chips: String...) -> String {
    "otolith-board: 1\nname: x\nbuses:\n  bus: { simulated: i2c }\nchips:\n"
      + chips.map { "  \($0)\n" }.joined()
  }

  static func errors(_ text: String) -> [String] {
    do {
      _ = try BoardFile.parse(text, file: "x", catalogue: ChipCatalog.descriptions)
      return []
    } catch { return "\(error)".split(separator: "\n").map(String.init) }
  }

  @Test func `a chip with one inside samples it, and its delay is known`() throws {
    for (chip, address) in [("mpu9250", "0x68"), ("icm20948", "0x69")] {
      let text = Self.board(
        "imu: { chip: \"invensense,\(chip)\", on: bus, address: \(address), magnetometer: true }")
      let board = try BoardFile.parse(text, file: "x", catalogue: ChipCatalog.descriptions)
      let imu = try #require(board.chips.first)
      #expect(imu.settings.usesMagnetometer && !imu.settings.passesThrough)
      #expect(imu.delays.magneticField == 0.0036)
    }
  }

  static let mistakes = [
    (
      board("imu: { chip: \"invensense,mpu6050\", on: bus, address: 0x68, magnetometer: true }"),
      "x:6:62: 'magnetometer' for invensense,mpu6050, which has none inside; remove it: add a "
        + "separate compass as its own entry in 'chips'"
    ),
    (
      board(
        "imu: { chip: \"invensense,mpu9250\", on: bus, address: 0x68, magnetometer: true, power: low }"
      ),
      "x:6:62: 'magnetometer' is true and 'power' is low, which is the accelerometer alone; "
        + "remove one of them"
    ),
    (
      board(
        "imu: { chip: \"invensense,mpu9250\", on: bus, address: 0x68, magnetometer: true }",
        "compass: { chip: \"asahi-kasei,ak8963\", on: bus, address: 0x0C, behind: imu }"),
      "x:7:74: 'imu' keeps its auxiliary bus for itself: its 'magnetometer' is true; "
        + "remove 'magnetometer' there, or this chip"
    ),
  ]

  @Test(arguments: mistakes.indices) func `a key that excludes another is reported`(_ index: Int) {
    #expect(Self.errors(Self.mistakes[index].0) == [Self.mistakes[index].1])
  }
}
