// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// ST's self-test: each sensor at rest and pushed, and what the push changed. Rates, ranges, waits
/// and averages from ST's example for the family; limits from DS12140 revision 2, table 2. Waits in
/// microseconds.
extension LSM6DSOChip {
  public static var hasSelfTest: Bool { true }

  public static func trial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LSM6DSO<Bus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = LSM6DSOMap()
    var lines = ConfigurationTable()
    switch index {
    case 0:
      lines.add(map.ctrl3C) { $0.bdu(true) | $0.ifInc(true) }
      // 4 g; of the LSM6DSO32 8 g.
      lines.add(map.ctrl1Xl) { $0.odrXl(.hz52) | $0.fsXl(.g4) }
    case 1: lines.add(map.ctrl5C) { $0.stXl(.positive) }
    case 2:
      lines.add(map.ctrl5C)
      lines.add(map.ctrl1Xl)
      lines.add(map.ctrl2G) { $0.odrG(.hz208) | $0.fsG(.dps2000) }
    case 3: lines.add(map.ctrl5C) { $0.stG(.positive) }
    // Stimulus and sensors off, everything forgotten.
    case 4: return LSM6DS3Chip.reset
    case 5: return LSM6DS3Chip.hasReset
    default: return .end
    }
    try driver.bus.configure { lines[$0] }
    // The first of a stage is thrown away. A look each quarter of a period.
    return .collect(
      LSM6DS3SelfTest.averaged + 1, wait: 100_000, each: index < 2 ? 4800 : 1200)
  }

  public static func readTrial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LSM6DSO<Bus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) { try LSM6DS3SelfTest.read(&driver, at: index, into: &batch) }

  /// 50 to 1700 mg and 150 to 700 degrees per second, either way.
  public static func report<Bus: RegisterBus & ~Copyable>(of driver: borrowing LSM6DSO<Bus>)
    -> SelfTestReport
  {
    LSM6DS3SelfTest.report(
      driver.trial.sums,
      gPerCount: LSM6DSOMap.AccelFullScale.g4.gPerCount * driver.part.accelFactor, g: 0.05...1.7)
  }
}
