// SPDX-License-Identifier: Apache-2.0
import Simulation
import Boards
import BringUp
import ChipCatalog
import Quantities
import MotionSources
import Testing

/// Tests of what a search of a bus says about the chips on it.
@Suite struct DetectorTests {
  static func detect(_ chips: String, simulation: String = "") throws -> DetectionResult {
    let text = """
      otolith-board: 1
      name: Test
      buses: { i2c1: { simulated: i2c }, spi0: { simulated: spi } }
      chips:
      \(chips)
      simulation: { motion: still, noise: false \(simulation) }
      """
    let board = try BoardFile.parse(text, file: "t.yaml", catalogue: ChipCatalog.descriptions)
    return try Detector.detect(on: board, clock: VirtualClock())
  }

  /// The two families of chips that share the addresses 0x68 and 0x69 are distinguished by both
  /// identity registers.
  @Test func `families that share an address are distinguished by their identities`() throws {
    let result = try Self.detect(
      """
        imu: { chip: "invensense,mpu6050", on: i2c1, address: 0x68 }
        other: { chip: "bosch,bmi160", on: i2c1, address: 0x69 }
      """)
    #expect(result.chips.map(\.candidate.name) == ["invensense,mpu6050", "bosch,bmi160"])
    #expect(result.chips.map(\.address) == [0x68, 0x69])
    #expect(result.chips.map(\.identity) == [0x68, 0xD1])
    let lines = result.explanation
    #expect(lines.first == "i2c1, 400 kHz:")
    let mpu = try #require(lines.firstIndex { $0.hasPrefix("  0x68:") })
    #expect(lines[mpu].contains("register 0x75 holds 0x68, used as invensense,mpu6050"))
    #expect(lines.contains { $0.hasPrefix("    no BMI160: register 0x00 holds 0x") })
    #expect(lines.contains { $0.contains("register 0x00 holds 0xD1, used as bosch,bmi160") })
    #expect(lines.contains("    its strap can also select 0x69"))
  }

  /// One name is sold with two register maps; the identity register decides which one is used.
  @Test func `of one name with two register maps the identity decides`() throws {
    let result = try Self.detect(
      """
        a: { chip: "st,lsm6ds3tr-c", on: i2c1, address: 0x6A }
        b: { chip: "st,lsm6ds3", on: i2c1, address: 0x6B }
      """)
    #expect(result.chips.map(\.candidate.name) == ["st,lsm6ds3tr-c", "st,lsm6ds3"])
  }

  /// A BMI160 on SPI answers from the second frame on, so that it is found only after a dummy read.
  @Test func `a BMI160 on SPI is found after a dummy read`() throws {
    let result = try Self.detect("  imu: { chip: \"bosch,bmi160\", on: spi0 }\n")
    #expect(result.chips.map(\.candidate.name) == ["bosch,bmi160"])
    #expect(result.chips.first?.identity == 0xD1)
  }

  @Test func `an unknown identity is reported with how to treat it`() throws {
    let result = try Self.detect(
      "  imu: { chip: \"st,lsm6ds3\", on: i2c1, address: 0x6A }\n",
      simulation: ", faults: [{ fault: wrong-chip, identity: 0x6F }]")
    #expect(result.chips.isEmpty)
    let lines = result.explanation
    #expect(lines.contains("  0x6A: register 0x0F holds 0x6F, the identity of no known part"))
    #expect(lines.contains { $0.contains("treat-as: \"st,lsm6ds3") })
  }

  @Test func `the identity of a related part is reported as not supported`() throws {
    let result = try Self.detect(
      "  compass: { chip: \"st,lis3mdl\", on: i2c1, address: 0x1C }\n",
      simulation: ", faults: [{ fault: wrong-chip, identity: 0x40 }]")
    #expect(result.chips.isEmpty)
    #expect(
      result.explanation.contains {
        $0.contains("holds 0x40, the identity of LIS2MDL: not supported")
      })
  }

  /// A chip that is known but has no driver is named by the identity that its data sheet gives, and
  /// never taken for a chip that has one.
  @Test(
    arguments: [
      ("st,lsm6ds3", 0x6A, 0x71, "LSM6DSV16BX", "0x0F"),
      ("bosch,bmp280", 0x77, 0x55, "BMP180", "0xD0"),
    ] as [(String, Int, Int, String, String)])
  func `a chip that is known but not driven is named`(
    _ chip: String, _ address: Int, _ identity: Int, _ title: String, _ register: String
  )
    throws
  {
    let result = try Self.detect(
      "  it: { chip: \"\(chip)\", on: i2c1, address: \(address) }\n",
      simulation: ", faults: [{ fault: wrong-chip, identity: \(identity) }]")
    #expect(result.chips.isEmpty)
    #expect(result.known.map(\.chip.title) == [title])
    let hex = "0x" + String(identity, radix: 16, uppercase: true)
    let place = "0x" + String(address, radix: 16, uppercase: true)
    #expect(
      result.explanation.contains(
        "  \(place): \(title), for register \(register) holds \(hex); not supported yet"),
      "\(result.explanation)")
  }

  /// The magnetometer of an LSM9DS1 has the same identity as a LIS3MDL; only the other half of the
  /// LSM9DS1 shows which of the two it is. Where two such magnetometers are on the bus, it cannot
  /// be decided which one belongs to the LSM9DS1, and both are called LIS3MDL.
  @Test func `the halves of one chip are recognised by each other`() throws {
    let faults = ", faults: [{ fault: wrong-chip, identity: 0x68, chip: imu }]"
    let imu = "  imu: { chip: \"st,lsm6ds3\", on: i2c1, address: 0x6A }\n"
    let compass = "  compass: { chip: \"st,lis3mdl\", on: i2c1, address: 0x1C }\n"
    let result = try Self.detect(imu + compass, simulation: faults)
    #expect(result.chips.map(\.candidate.name) == ["st,lsm9ds1-magn", "st,lsm9ds1-imu"])
    let other = "  other: { chip: \"st,lis3mdl\", on: i2c1, address: 0x1E }\n"
    let two = try Self.detect(imu + compass + other, simulation: faults)
    #expect(two.chips.map(\.candidate.name) == ["st,lis3mdl", "st,lis3mdl", "st,lsm9ds1-imu"])
    // A magnetometer without another half on the bus is the LIS3MDL that its identity names.
    #expect(try Self.detect(compass).chips.map(\.candidate.name) == ["st,lis3mdl"])
  }

  /// A device without registers takes a register's number for data. So no identity is read at the
  /// addresses where there are such devices (PCF8574 at 0x20 and 0x38, TCA9548A at 0x70).
  @Test func `known chips are at addresses where asking does no harm`() {
    let addresses = KnownChips.all.flatMap(\.identities).flatMap(\.addresses)
    for address in addresses {
      #expect(!(0x20...0x27).contains(address) && !(0x38...0x3F).contains(address))
      #expect(!(0x70...0x75).contains(address) && (0x08...0x77).contains(address))
    }
    let driven = Set(ChipCatalog.descriptions.map(\.name))
    #expect(KnownChips.all.allSatisfy { !driven.contains($0.name) })
  }

  @Test func `a stuck bus and a bus without any answer are reported`() throws {
    let result = try Self.detect(
      "  imu: { chip: \"st,lsm6ds3\", on: i2c1, address: 0x6A }\n",
      simulation: ", faults: [{ fault: stuck-bus }]")
    #expect(result.chips.isEmpty)
    #expect(
      result.explanation.contains(
        "  every transfer times out: SDA or SCL is held low, or a chip holds the clock"))
    let nobody = try Self.detect(
      "  imu: { chip: \"st,lsm6ds3\", on: i2c1, address: 0x6A }\n",
      simulation: ", faults: [{ fault: nack }]")
    #expect(nobody.findings.isEmpty)
    #expect(
      nobody.explanation.contains("  nothing answers: check power, wiring and, on I2C, pull-ups"))
  }

  /// The explanation names the kernel driver that has taken a chip, and says that the clock of a
  /// bus is unknown where the kernel does not give it.
  @Test func `a chip's owner and the bus's clock are reported`() throws {
    var result = DetectionResult()
    result.buses = ["/dev/i2c-1", "/dev/i2c-0"]
    result.clocks = ["/dev/i2c-0": 100_000]
    result.findings = [
      try SelectionTests.finding("st,lis3mdl", "/dev/i2c-1", 0x1C, identity: nil)
    ]
    result.findings[0].owner = "st-magn-i2c"
    result.strangers = ["/dev/i2c-0": [0x3C]]
    #expect(
      result.explanation == [
        "/dev/i2c-1, clock unknown (on a Raspberry Pi dtparam=i2c_arm_baudrate=400000 in config.txt sets it):",
        "  0x1C: taken by the kernel's driver st-magn-i2c",
        "    to use otolith instead: echo 1-001c | sudo tee /sys/bus/i2c/drivers/st-magn-i2c/unbind",
        "/dev/i2c-0, 100 kHz:",
        "  0x3C: answers; no chip that otolith drives has this address",
      ])
  }
}
