// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Simulation
import Testing

// Offsets that another program left in a part of ST or Bosch. Weights and addresses are typed from
// DocID030071 and DS12140 (X_OFS_USR, CTRL6_C, CTRL7_G), AN4602 and Adafruit's LIS3MDL library
// (0x05), and BST-BMI160-DS000-07 with Bosch's BMI160_SensorAPI (FOC_CONF, OFFSET, NVM).
@Suite struct LeftOffsetTests {
  /// 0x40 is 64 of 2^-10 g: 0.0625 g are 1025 counts of 61 micro-g. 0x81 is -127.
  @Test func `an LSM6DSO subtracts its offset if it is switched on, in fine or coarse steps`() {
    let bench = ModelBench { LSM6DSOModel($0, part: .lsm6dso) }
    bench.world.held = .inertial(Vector3(0, 0.5, -1), Vector3(0, 0, 0), temperature: 25.5)
    bench.at(0)
    bench.write(0x10, 0x40)
    bench.write(0x73, 0x40, 0x81, 0x00)
    bench.at(30)
    #expect(bench.read(0x28, 6) == [0, 0, 0x05, 0x20, 0xF7, 0xBF])
    bench.write(0x16, 0x02)
    bench.at(40)
    #expect(bench.read(0x28, 6) == [0xFF, 0xFB, 0xF6, 0x27, 0xF7, 0xBF])
    bench.write(0x73, 0x40, 0x00)
    bench.write(0x15, 0x08)
    bench.at(50)
    #expect(bench.read(0x28, 6) == [0xF7, 0xBF, 0x05, 0x20, 0xF7, 0xBF])
    bench.write(0x12, 0x05)
    bench.at(51)
    #expect(bench.read(0x73, 3) == [0, 0, 0])
  }

  /// 0.1 g are 1639 counts; the older part has no such register.
  @Test func `an LSM6DS3TR-C subtracts it without a switch, an LSM6DS3 has none`() {
    for (family, fine, coarse) in [
      (LSM6DS3Family.lsm6ds3trc, [0x67, 0x02], [0x5E, 0xC6]),
      (.lsm6ds3, [0x67, 0x06], [0x67, 0x06]),
    ] as [(LSM6DS3Family, [UInt8], [UInt8])] {
      let bench = ModelBench { LSM6DS3Model($0, family: family) }
      bench.world.held.specificForce = Vector3(0.1, 0, 0)
      bench.at(0)
      bench.write(0x10, 0x40)
      bench.write(0x73, 0x40)
      bench.at(30)
      #expect(bench.read(0x28, 2) == fine)
      bench.write(0x15, 0x08)
      bench.at(40)
      #expect(bench.read(0x28, 2) == coarse)
    }
  }

  /// 100 microtesla are 6842 counts at 4 gauss and 3421 at 8; the offset is 1000 counts at either.
  @Test func `a LIS3MDL subtracts its offset in counts, and a reset clears it`() {
    let bench = ModelBench(WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40)) { LIS3MDLModel($0) }
    bench.world.held.magneticField = Vector3(100, -100, 50)
    bench.at(0)
    bench.write(0x85, 0xE8, 0x03, 0x18, 0xFC, 0x00, 0x00)
    bench.write(0x20, 0x7C)
    bench.write(0x22, 0x00)
    bench.at(13)
    #expect(bench.read(0xA8, 6) == [0xD2, 0x16, 0x2E, 0xE9, 0x5D, 0x0D])
    bench.write(0x21, 0x20)
    bench.at(26)
    #expect(bench.read(0xA8, 2) == [0x75, 0x09])
    bench.write(0x21, 0x04)
    bench.at(30)
    #expect(bench.read(0x85, 6) == [0, 0, 0, 0, 0, 0])
  }

  /// The targets are 0, 0 and -1 g, and 0 degrees a second. Steps of 3.9 mg and 0.061 degrees: -64,
  /// 128 (which is 127 at most) and -64; 164, -82 and -328.
  @Test func `a BMI160 finds its offsets, and keeps those that are written to its memory`() {
    let bench = ModelBench { BMI160Model($0) }
    bench.world.held = .inertial(
      Vector3(0.25, -0.5, -0.75), Vector3(-10, 5, 20) * (Double.pi / 180), temperature: 25)
    func start() {
      bench.write(0x7E, 0x11)
      bench.at(now + 5)
      bench.write(0x7E, 0x15)
      bench.at(now + 90)
      now += 90
    }
    var now = 0.0
    bench.at(0)
    start()
    // FOC_CONF is 0: nothing is requested, and the command is over at once.
    bench.write(0x7E, 0x03)
    #expect(bench.read(0x1B)[0] & 0x08 == 0x08)
    bench.write(0x69, 0x7E)
    bench.write(0x77, 0xC0)
    bench.write(0x7E, 0x03)
    bench.at(now + 249)
    #expect(bench.read(0x1B)[0] & 0x08 == 0)
    bench.at(now + 275)
    now += 275
    #expect(bench.read(0x1B)[0] & 0x08 == 0x08)
    #expect(bench.read(0x71, 7) == [0xC0, 0x7F, 0xC0, 0xA4, 0xAE, 0xB8, 0xEC])
    // 0.4 mg, -4.7 mg and -999.6 mg at 16384 counts a g; less than a count of 16.4 a degree.
    #expect(bench.read(0x0C, 12) == [0, 0, 0, 0, 0, 0, 0x07, 0x00, 0xB3, 0xFF, 0x07, 0xC0])
    bench.write(0x7E, 0xB6)
    bench.at(now + 10)
    now += 10
    #expect(bench.read(0x71, 7) == [0, 0, 0, 0, 0, 0, 0])
    start()
    bench.write(0x71, 0x12)
    bench.write(0x77, 0x40)
    bench.write(0x7E, 0xA0)
    bench.write(0x71, 0x34)
    // Without CONF's nvm_prog_en the first command wrote nothing.
    bench.write(0x6A, 0x02)
    bench.write(0x7E, 0xA0)
    bench.write(0x71, 0x56)
    bench.write(0x7E, 0xB6)
    bench.at(now + 10)
    #expect(bench.read(0x71, 7) == [0x34, 0, 0, 0, 0, 0, 0x40])
  }

  // MARK: - Drivers

  /// Offsets that another program left are gone with the reset of a start.
  func left(
    in rig: Rig, _ registers: [(UInt8, UInt8)], _ driver: (Rig) throws -> Outcome
  ) throws -> [ChipReading] {
    for (register, value) in registers {
      rig.tamper(register, value)
      rig.clock.advance(to: rig.clock.now + .milliseconds(1))
      #expect(rig.register(register) == value)
    }
    let outcome = try driver(rig)
    #expect(outcome.errors.isEmpty && outcome.frames.count > 10)
    for (register, _) in registers where register != 0x15 && register != 0x16 {
      #expect(rig.register(register) == 0)
    }
    return outcome.frames.map(\.reading)
  }

  func run<Chip: RegisterChip>(
    _ type: Chip.Type, expecting part: Chip.Codes.Part = .expected, _ rig: Rig
  ) throws -> Outcome {
    var driver = RegisterDriver<Chip, RigBus>(rig.wire(), expecting: part)
    _ = try driver.configure(SensorSettings(rate: 50, acquisition: .polling))
    driver.start()
    return rig.run(&driver, for: .seconds(1))
  }

  static let force = Vector3(0.1, -0.2, 0.97)
  static let turn = Vector3(0.5, -0.25, 1)

  @Test(arguments: [0x69, 0x6A, 0x6C, 0xD1] as [UInt8])
  func `a driver reads right on an inertial unit in which offsets were left`(
    identity: UInt8
  ) throws {
    let rig = Rig(at: 0x6A, WireFormat()) {
      switch identity {
      case 0x69: LSM6DS3Model($0, family: .lsm6ds3)
      case 0x6A: LSM6DS3Model($0, family: .lsm6ds3trc)
      case 0x6C: LSM6DSOModel($0, part: .lsm6dso)
      default: BMI160Model($0)
      }
    }
    rig.world.held = .inertial(Self.force, Self.turn, temperature: 31.5)
    let bosch: [(UInt8, UInt8)] = [(0x71, 0x11), (0x74, 0x22), (0x77, 0xC0)]
    let offsets: [(UInt8, UInt8)] = [(0x73, 0x11), (0x74, 0x22), (0x75, 0x33)]
    let switches: [(UInt8, UInt8)] = identity == 0x6C ? [(0x15, 0x08), (0x16, 0x02)] : []
    let older: [(UInt8, UInt8)] = []
    let readings = try left(
      in: rig, identity == 0xD1 ? bosch : identity == 0x69 ? older : switches + offsets
    ) {
      switch identity {
      case 0x6C: try run(LSM6DSOChip.self, $0)
      case 0xD1: try run(BMI160Chip.self, $0)
      default: try run(LSM6DS3Chip.self, $0)
      }
    }
    for reading in readings {
      #expect((reading.specificForce - Self.force).norm < 0.001)
      #expect((reading.rotationRate - Self.turn).norm < 0.002)
    }
  }

  @Test(arguments: [LIS3MDLPart.lis3mdl, .lsm9ds1])
  func `a driver reads right on a magnetometer in which offsets were left`(
    part: LIS3MDLPart
  ) throws {
    let rig = Rig(at: 0x1C, WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40)) {
      LIS3MDLModel($0, part: part)
    }
    rig.world.held.magneticField = Vector3(14, -28, 42)
    let readings = try left(in: rig, [(0x05, 0x11), (0x08, 0x22), (0x09, 0x33)]) {
      try run(LIS3MDLChip.self, expecting: part, $0)
    }
    for reading in readings {
      #expect((reading.magneticField - Vector3(14, -28, 42)).norm < 0.15)
    }
  }
}
