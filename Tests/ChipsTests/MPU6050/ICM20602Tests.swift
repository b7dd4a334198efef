// SPDX-License-Identifier: Apache-2.0
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

// The ICM-20600, ICM-20602 and MPU-6886. Addresses and bits typed from DS-000176, registers 0x23, 0x50 and 0x70, which the register
// lists of PX4's ICM20602 driver and of public ICM-20600 drivers repeat. Linux has scan masks of its own for the two,
// `inv_icm20602_scan_masks`: accelerometer and temperature, gyroscope and temperature, or all three.
// The MPU-6886's sheet DS-000193 has the same registers.
@Suite struct ICM20602Tests {
  static let identities: [UInt8] = [0x11, 0x12, 0x19]

  func bench(_ identity: UInt8) -> ModelBench {
    let bench = ModelBench { MPU6050Model($0, identity: identity) }
    bench.world.held.specificForce = Vector3(1, -1, 0.5)
    bench.world.held.rotationRate = Vector3(1, -1, 2) * (Double.pi / 180)
    bench.world.held.temperature = 26
    bench.at(0)
    bench.write(0x1A, 0x01)
    bench.write(0x6B, 0x01)
    return bench
  }

  /// 16384 counts a g, 326.8 a kelvin above 25, 131 a degree per second.
  static let force: [UInt8] = [0x40, 0x00, 0xC0, 0x00, 0x20, 0x00]
  static let warmth: [UInt8] = [0x01, 0x47]
  static let turn: [UInt8] = [0x00, 0x83, 0xFF, 0x7D, 0x01, 0x06]

  @Test(arguments: identities)
  func `either sensor queues the temperature too, and the register has two bits`(
    identity: UInt8
  ) {
    for (sources, frame) in [
      (0x18, Self.force + Self.warmth + Self.turn), (0x08, Self.force + Self.warmth),
      (0x10, Self.warmth + Self.turn), (0xE0, []),
    ] as [(UInt8, [UInt8])] {
      let bench = bench(identity)
      bench.at(60)
      bench.write(0x6A, 0x40)
      bench.write(0x23, sources)
      bench.at(61)
      #expect(bench.read(0x72, 2) == [0, UInt8(frame.count)])
      #expect(bench.read(0x74, frame.count) == frame)
    }
    let bench = bench(identity)
    for (register, holds) in [(0x23, 0x18), (0x70, 0x40), (0x6A, 0x40)] as [(UInt8, UInt8)] {
      bench.write(register, register == 0x6A ? 0x60 : 0xFF)
      if register == 0x70 { bench.port.model.deselect() }
      #expect(bench.read(register) == [holds], "\(register)")
    }
  }

  @Test(arguments: identities, [false, true])
  func `a queue that is read edge by edge gives what is there`(identity: UInt8, isSPI: Bool) throws
  {
    let bench = Rig.mpu6050(identity, isSPI: isSPI)
    bench.world.held = .inertial(Vector3(0, 0, 1), .zero, temperature: 30)
    var driver = MPU6050(bench.wire(), expecting: identity)
    var settings = MPU6050RunningTests.settings(.dataReady, rate: 200)
    settings.keepsLateSamples = true
    #expect(try driver.configure(settings).keepsLateSamples)
    driver.start()
    let outcome = bench.run(&driver, for: .seconds(1))
    #expect(bench.written(0x23).last == 0x18)
    #expect(outcome.errors == [] && outcome.missing == 0 && outcome.frames.count > 130)
    for frame in outcome.frames {
      #expect(frame.reading.specificForce == Vector3(0, 0, 1))
      #expect(frame.reading.rotationRate == .zero)
      #expect(abs(frame.reading.temperature - 30) < 0.51 / 326.8)
    }
    // The frames have the temperature, so nobody reads it separately.
    let warmths = bench.log.transactions.filter {
      if case .read(let register, _) = $0 { register == 0x41 } else { false }
    }
    #expect(warmths.isEmpty)
  }

  @Test(arguments: identities) func `low power queues frames of eight bytes`(identity: UInt8) throws
  {
    let bench = Rig.mpu6050(identity)
    var driver = MPU6050(bench.wire(), expecting: identity)
    _ = try driver.configure(MPU6050ModesTests.low(100, .fifo))
    driver.start()
    let outcome = bench.run(&driver, for: .seconds(2))
    #expect(bench.written(0x23).last == 0x08)
    #expect(outcome.errors == [] && outcome.missing == 0 && outcome.frames.count > 160)
    for frame in outcome.frames {
      #expect(frame.reading.channels == [.acceleration])
      #expect((frame.reading.specificForce - Vector3(0.5, -1, 1)).norm < 1e-4)
    }
  }

  /// The codes of the model are those of an MPU-6500: 112, 106, 127 and 213, 207, 216.
  @Test(arguments: identities) func `the gyroscope's self-test codes are at 0x50`(identity: UInt8)
    throws
  {
    let bench = Rig.mpu6050(identity)
    bench.world.held.rotationRate = .zero
    #expect((0x50...0x52).map { bench.register($0) } == [213, 207, 216])
    #expect((0x00...0x02).map { bench.register($0) } == [0, 0, 0])
    var driver = MPU6050(bench.wire(), expecting: identity)
    try driver.startSelfTest()
    bench.run(&driver, for: .seconds(5))
    let found = driver.selfTest
    let report = try #require(found)
    #expect(report.count == 6 && report.isPassed)
    // 2620 x 1.01^212 of 131 counts are 164.877 degrees per second.
    #expect(abs(degrees(fromRadians: report.items[3].lowest) - 164.877_44 / 2) < 0.001)
  }
}
