// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The values in which the self-tests of the family's parts differ.
public struct LSM6SelfTestFacts {
  /// The family whose register map applies in `LSM6Chip.selfTestTable`: the map of 0x69 parts, or
  /// the map of all other parts.
  var family = LSM6DS3Family.lsm6ds3trc
  /// The wait from a change of settings to the first poll for a sample, in microseconds; `nil` if
  /// the stages have different waits.
  var wait: UInt32?
  /// The accelerometer's g per count with the register code that means 4 g in most parts.
  var gPerCount: Scalar
  /// The limits of the accelerometer's response to the self-test, in g.
  var limits: ClosedRange<Scalar>
}

/// ST's self-test, which compares each sensor's output with and without a stimulus. Rates, ranges,
/// waits, averages and limits are from AN4650 and AN5130 (self-test) and ST's example for the
/// family. Waits are in microseconds.
public enum LSM6SelfTest<Chip: LSM6Chip>: ChipSelfTest {
  /// The steps of the self-test. The last two reset the chip, which turns the stimulus and the
  /// sensors off.
  public enum Step: UInt8, ChipStep {
    case accelResting, accelStimulated, gyroResting, gyroStimulated, reset, resetOver

    var isAccel: Bool { self == .accelResting || self == .accelStimulated }
  }

  /// The number of samples that the self-test averages.
  private static var averaged: UInt16 { 5 }
  /// The limit for the number of polls in one stage. Six samples take 24 polls, so this limit is
  /// sufficient even if the chip is half as fast.
  private static var polls: Int { 49 }

  public static func action(
    _ driver: inout RegisterDriver<Chip, some ChipBus>, at step: Step
  ) throws(ChipError) -> StepAction {
    let wait: UInt32
    switch step {
    case .accelResting, .accelStimulated: wait = 100_000
    case .gyroResting: wait = 150_000
    case .gyroStimulated: wait = 50_000
    case .reset: return Chip.reset
    case .resetOver: return Chip.hasReset
    }
    let facts = Chip.selfTestFacts(of: driver.part)
    let table = Chip.selfTestTable(at: step, of: driver.part)
    try driver.bus.configure { table[$0] }
    // A stage reads one sample more than is averaged, because its first sample is dropped. The poll
    // interval is a quarter of a period at 52 or 208 Hz.
    return .collect(averaged + 1, wait: facts.wait ?? wait, each: step.isAccel ? 4800 : 1200)
  }

  /// Reads a sample if one is available. Status and outputs have the same addresses in all related
  /// parts.
  public static func read(
    _ driver: inout RegisterDriver<Chip, some ChipBus>, at step: Step, into batch: inout RawBatch
  ) throws(ChipError) {
    let map = LSM6DS3Map()
    let status = try driver.bus.read(map.statusReg)
    guard (step.isAccel ? status({ $0.xlda }) : status({ $0.gda })) == true else {
      guard driver.testProgress.isHopeless(after: polls) else { return }
      // The sensor does not return samples.
      throw .unexpected(
        register: map.statusReg.address, wanted: step.isAccel ? 0x01 : 0x02, found: status.raw)
    }
    try driver.read(first: 6, from: step.isAccel ? map.outXl.first : map.outG.first, into: &batch)
    batch.frameSize = 6
    if driver.testProgress.take() {
      driver.testProgress.sums[Int(step.rawValue)] += batch.littleEndianVector(0, 0)
    }
  }

  /// Returns the response of each sensor to the self-test's stimulus. The gyroscope has a range of
  /// 2000 degrees per second; its limits are 150 and 700 degrees per second.
  public static func report(
    of driver: borrowing RegisterDriver<Chip, some ChipBus>
  ) -> SelfTestReport {
    let facts = Chip.selfTestFacts(of: driver.part)
    let sums = driver.testProgress.sums
    var report = SelfTestReport()
    let unit = LSM6DS3Map.GyroFullScale.dps2000.degreesPerSecondPerCount
    report.append(
      .acceleration, change: (sums[1] - sums[0]) * (facts.gPerCount / Scalar(averaged)),
      within: facts.limits)
    report.append(
      .rotationRate, change: (sums[3] - sums[2]) * (radians(fromDegrees: unit) / Scalar(averaged)),
      within: radians(fromDegrees: 150)...radians(fromDegrees: 700))
    return report
  }
}

extension LSM6Chip {
  public static func selfTestTable(
    at step: LSM6SelfTest<Self>.Step, of part: Codes.Part
  ) -> ConfigurationTable {
    let map = LSM6DS3Map()
    var table = ConfigurationTable()
    switch step {
    case .accelResting:
      table.add(map.ctrl3C) { $0.bdu(true) | $0.ifInc(true) }
      if selfTestFacts(of: part).family == .lsm6ds3 {
        // The bits that enable the axes are written, because the reset values of these two
        // registers are known only from secondary sources.
        table.add(map.ctrl9Xl) { $0.zenXl(true) | $0.yenXl(true) | $0.xenXl(true) }
        table.add(map.ctrl10C) { $0.zenG(true) | $0.yenG(true) | $0.xenG(true) }
      }
      table.add(map.ctrl5C)
      table.add(map.ctrl2G)
      table.add(map.ctrl1Xl) { $0.odrXl(.hz52) | $0.fsXl(.g4) }
    case .accelStimulated: table.add(map.ctrl5C) { $0.stXl(.positive) }
    case .gyroResting:
      table.add(map.ctrl5C)
      table.add(map.ctrl1Xl)
      table.add(map.ctrl2G) { $0.odrG(.hz208) | $0.fsG(.dps2000) }
    case .gyroStimulated: table.add(map.ctrl5C) { $0.stG(.positive) }
    case .reset, .resetOver: break
    }
    return table
  }
}

extension LSM6DS3Chip {
  public typealias SelfTest = LSM6SelfTest<LSM6DS3Chip>

  public static func selfTestFacts(of part: LSM6DS3Family) -> LSM6SelfTestFacts {
    LSM6SelfTestFacts(
      family: part, gPerCount: LSM6DS3Map.AccelFullScale.g4.gPerCount, limits: 0.09...1.7)
  }
}
