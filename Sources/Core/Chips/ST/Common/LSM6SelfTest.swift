// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// ST's self-test, which compares each sensor's output with a stimulus with its output at rest.
/// Rates, ranges, waits, averages and limits are from AN4650 and AN5130 (self-test) and ST's
/// example for the family. Waits are in microseconds.
enum LSM6SelfTest {
  enum Stage: UInt8 {
    case accelResting, accelPushed, gyroResting, gyroPushed

    var isAccel: Bool { self == .accelResting || self == .accelPushed }

    /// The wait from a change of settings to the first poll for a sample.
    var wait: UInt32 {
      switch self {
      case .accelResting, .accelPushed: 100_000
      case .gyroResting: 150_000
      case .gyroPushed: 50_000
      }
    }

    /// The polling interval: a quarter of a period at 52 or 208 Hz.
    var look: UInt32 { isAccel ? 4800 : 1200 }
  }

  /// The number of samples that are averaged.
  static var averaged: UInt16 { 5 }
  /// The limit of polls in one stage. Six samples take 24 polls, so this limit allows a chip that
  /// is twice as slow.
  static var looks: Int { 49 }

  /// Returns step `index` of the self-test. All related parts have the same registers and codes for
  /// it. `wait` replaces the stage's wait from a change of settings to the first poll.
  static func task<Chip: RegisterChip, Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Chip, Bus>, at index: Int, of family: LSM6DS3Family,
    wait: UInt32? = nil
  ) throws(ChipError) -> ChipTask {
    if let stage = Stage(rawValue: UInt8(truncatingIfNeeded: index)) {
      let table = table(stage, of: family)
      try driver.bus.configure { table[$0] }
      // One sample more than is averaged, because the first sample of a stage is dropped.
      return .collect(averaged + 1, wait: wait ?? stage.wait, each: stage.look)
    }
    // Afterwards the chip is reset, which turns stimulus and sensors off.
    return index == 4 ? LSM6DS3Chip.reset : index == 5 ? LSM6DS3Chip.hasReset : .end
  }

  /// Reads a sample for stage `index` if one is available. Status and outputs have the same
  /// addresses in all related parts.
  static func read<Chip: RegisterChip, Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Chip, Bus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {
    let map = LSM6DS3Map()
    let isAccel = index < 2
    let status = try driver.bus.read(map.statusReg)
    guard (isAccel ? status({ $0.xlda }) : status({ $0.gda })) == true else {
      guard driver.trial.isHopeless(after: looks) else { return }
      // The sensor does not return samples.
      throw .rejected(
        register: map.statusReg.address, wrote: isAccel ? 0x01 : 0x02, readBack: status.raw)
    }
    try driver.read(first: 6, from: isAccel ? map.outXl.first : map.outG.first, into: &batch)
    batch.frameSize = 6
    if driver.trial.take() { driver.trial.sums[index] += batch.littleEndianVector(0, 0) }
  }

  private static func table(_ stage: Stage, of family: LSM6DS3Family) -> ConfigurationTable {
    let map = LSM6DS3Map()
    var table = ConfigurationTable()
    switch stage {
    case .accelResting:
      table.add(map.ctrl3C) { $0.bdu(true) | $0.ifInc(true) }
      if family == .lsm6ds3 {
        // The bits that enable the axes are written, because the reset values of these two
        // registers are known from secondary sources only.
        table.add(map.ctrl9Xl) { $0.zenXl(true) | $0.yenXl(true) | $0.xenXl(true) }
        table.add(map.ctrl10C) { $0.zenG(true) | $0.yenG(true) | $0.xenG(true) }
      }
      table.add(map.ctrl5C)
      table.add(map.ctrl2G)
      table.add(map.ctrl1Xl) { $0.odrXl(.hz52) | $0.fsXl(.g4) }
    case .accelPushed: table.add(map.ctrl5C) { $0.stXl(.positive) }
    case .gyroResting:
      table.add(map.ctrl5C)
      table.add(map.ctrl1Xl)
      table.add(map.ctrl2G) { $0.odrG(.hz208) | $0.fsG(.dps2000) }
    case .gyroPushed: table.add(map.ctrl5C) { $0.stG(.positive) }
    }
    return table
  }

  /// Returns the response of each sensor to the stimulus. It passes if the magnitudes are within
  /// `g` for the accelerometer and 150 to 700 degrees per second for the gyroscope, which has a
  /// range of 2000.
  static func report(
    _ sums: InlineArray<4, Vector3>, gPerCount: Scalar, g: ClosedRange<Scalar>
  ) -> SelfTestReport {
    var report = SelfTestReport()
    let unit = LSM6DS3Map.GyroFullScale.dps2000.degreesPerSecondPerCount
    report.append(
      .acceleration, change: (sums[1] - sums[0]) * (gPerCount / Scalar(averaged)), within: g)
    report.append(
      .rotationRate, change: (sums[3] - sums[2]) * (radians(fromDegrees: unit) / Scalar(averaged)),
      within: radians(fromDegrees: 150)...radians(fromDegrees: 700))
    return report
  }
}

extension LSM6DS3Chip {
  public static var hasSelfTest: Bool { true }

  public static func trial(
    _ driver: inout LSM6DS3<some ChipBus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    try LSM6SelfTest.task(&driver, at: index, of: driver.part)
  }

  public static func readTrial(
    _ driver: inout LSM6DS3<some ChipBus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) { try LSM6SelfTest.read(&driver, at: index, into: &batch) }

  /// Returns the results. The limits are magnitudes of 90 to 1700 mg and 150 to 700 degrees per
  /// second.
  public static func report(of driver: borrowing LSM6DS3<some ChipBus>) -> SelfTestReport {
    LSM6SelfTest.report(
      driver.trial.sums, gPerCount: LSM6DS3Map.AccelFullScale.g4.gPerCount, g: 0.09...1.7)
  }
}
