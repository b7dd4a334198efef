// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Quantities
import Runtime
import Simulation
import Testing

/// What a look at a bus says of what is on it.
@Suite struct DetectorTests {
  static func survey(_ chips: String, simulation: String = "") throws -> Survey {
    let text = """
      otolith-board: 1
      name: Test
      buses: { i2c1: { simulated: i2c }, spi0: { simulated: spi } }
      chips:
      \(chips)
      simulation: { motion: still, noise: false \(simulation) }
      """
    let board = try BoardFile.parse(text, file: "t.yaml", catalogue: ChipCatalog.descriptions)
    return try Detector.look(on: board, clock: VirtualClock())
  }

  /// The two families that share 0x68 and 0x69 are told apart by both identity registers.
  @Test func sharedAddresses() throws {
    let survey = try Self.survey(
      """
        imu: { chip: "invensense,mpu6050", on: i2c1, address: 0x68 }
        other: { chip: "bosch,bmi160", on: i2c1, address: 0x69 }
      """)
    #expect(survey.chips.map(\.asked.name) == ["invensense,mpu6050", "bosch,bmi160"])
    #expect(survey.chips.map(\.address) == [0x68, 0x69])
    #expect(survey.chips.map(\.identity) == [0x68, 0xD1])
    let lines = survey.explanation
    #expect(lines.first == "i2c1, 400 kHz:")
    let mpu = try #require(lines.firstIndex { $0.hasPrefix("  0x68:") })
    #expect(lines[mpu].contains("register 0x75 holds 0x68, taken for invensense,mpu6050"))
    #expect(lines.contains { $0.hasPrefix("    no BMI160: register 0x00 holds 0x") })
    #expect(lines.contains { $0.contains("register 0x00 holds 0xD1, taken for bosch,bmi160") })
    #expect(lines.contains("    its strap can also select 0x69"))
  }

  /// One name is sold with two register maps: the identity decides.
  @Test func generations() throws {
    let survey = try Self.survey(
      """
        a: { chip: "st,lsm6ds3tr-c", on: i2c1, address: 0x6A }
        b: { chip: "st,lsm6ds3", on: i2c1, address: 0x6B }
      """)
    #expect(survey.chips.map(\.asked.name) == ["st,lsm6ds3tr-c", "st,lsm6ds3"])
  }

  /// A BMI160 on SPI answers from the second frame on.
  @Test func afterADummyRead() throws {
    let survey = try Self.survey("  imu: { chip: \"bosch,bmi160\", on: spi0 }\n")
    #expect(survey.chips.map(\.asked.name) == ["bosch,bmi160"])
    #expect(survey.chips.first?.identity == 0xD1)
  }

  @Test func unknownIdentity() throws {
    let survey = try Self.survey(
      "  imu: { chip: \"st,lsm6ds3\", on: i2c1, address: 0x6A }\n",
      simulation: ", faults: [{ fault: wrong-chip, identity: 0x6F }]")
    #expect(survey.chips.isEmpty)
    let lines = survey.explanation
    #expect(lines.contains("  0x6A: register 0x0F holds 0x6F, which no known part says"))
    #expect(lines.contains { $0.contains("treat-as: \"st,lsm6ds3") })
  }

  @Test func relatives() throws {
    let survey = try Self.survey(
      "  imu: { chip: \"st,lsm6ds3\", on: i2c1, address: 0x6A }\n",
      simulation: ", faults: [{ fault: wrong-chip, identity: 0x6C }]")
    #expect(survey.chips.isEmpty)
    #expect(
      survey.explanation.contains {
        $0.contains("holds 0x6C, which is what LSM6DSO or LSM6DSOX says: not supported")
      })
  }

  @Test func silence() throws {
    let survey = try Self.survey(
      "  imu: { chip: \"st,lsm6ds3\", on: i2c1, address: 0x6A }\n",
      simulation: ", faults: [{ fault: stuck-bus }]")
    #expect(survey.chips.isEmpty)
    #expect(
      survey.explanation.contains(
        "  every transfer times out: SDA or SCL is held low, or a chip holds the clock"))
    let nobody = try Self.survey(
      "  imu: { chip: \"st,lsm6ds3\", on: i2c1, address: 0x6A }\n",
      simulation: ", faults: [{ fault: nack }]")
    #expect(nobody.findings.isEmpty)
    #expect(
      nobody.explanation.contains("  nothing answers: check power, wiring and, on I2C, pull-ups"))
  }

  /// Where the kernel has the chip, and where nobody says how fast the bus is.
  @Test func ownersAndClocks() throws {
    var survey = Survey()
    survey.buses = ["/dev/i2c-1", "/dev/i2c-0"]
    survey.clocks = ["/dev/i2c-0": 100_000]
    survey.findings = [
      try SelectionTests.finding("st,lis3mdl", "/dev/i2c-1", 0x1C, identity: nil)
    ]
    survey.findings[0].owner = "st-magn-i2c"
    survey.strangers = ["/dev/i2c-0": [0x3C]]
    #expect(
      survey.explanation == [
        "/dev/i2c-1, clock unknown (on a Raspberry Pi dtparam=i2c_arm_baudrate=400000 in config.txt sets it):",
        "  0x1C: taken by the kernel's driver st-magn-i2c",
        "    to use otolith instead: echo 1-001c | sudo tee /sys/bus/i2c/drivers/st-magn-i2c/unbind",
        "/dev/i2c-0, 100 kHz:",
        "  0x3C: answers; no chip that otolith drives has this address",
      ])
  }
}
