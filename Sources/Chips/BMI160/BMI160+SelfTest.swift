// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The maker's self-test. At 8 g, 2 g between both ways: more than 8192 counts (Bosch's driver,
/// BMI160_ACCEL_SELF_TEST_LIMIT).
enum BMI160SelfTest {
  static var countsPerG: Scalar { BMI160Map.AccelRange.g8.countsPerG }
  /// To from one end of the range to the other.
  static var limits: ClosedRange<Scalar> { 8193 / countsPerG...65535 / countsPerG }
}

extension BMI160Chip {
  public static var hasSelfTest: Bool { true }

  /// 8 g, 1600 Hz with the normal filter, a push of the accelerometer and one the other way; then
  /// the gyroscope tests itself: registers as in Bosch's driver.
  public static func trial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout BMI160<Bus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = BMI160Map()
    switch index {
    case 0: return .write(map.accRange) { $0.accRange(.g8) }
    case 1: return .write(map.accConf) { $0.accBwp(.normal) | $0.accOdr(.hz1600) }
    case 2, 4:
      try driver.bus.set(map.selfTest) {
        $0.accSelfTestAmp(true) | $0.accSelfTestSign(index == 2) | $0.accSelfTestEn(1)
      }
      return .collect(1, wait: BMI160Timing.deflection, each: 0)
    case 3: return .wait(0)
    case 5: return .write(map.selfTest, wait: BMI160Timing.gyroTestPoll) { $0.gyrSelfTestEn(true) }
    case 6:
      driver.chip.isGyroGood = try driver.bus.read(map.status)({ $0.gyrSelfTestOk }) == true
      let isOver =
        driver.chip.isGyroGood
        || driver.trial.isHopeless(after: BMI160Timing.gyroTestPolls - 1)
      if isOver { return command(.softReset) }
      return try driver.again(from: 6, after: BMI160Timing.gyroTestPoll, times: .max)
    default: return .end
    }
  }

  public static func readTrial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout BMI160<Bus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {
    var span = batch.bytes.mutableSpan
    var part = span._mutatingExtracting(first: 6)
    try driver.bus.read(&part, from: BMI160Map().accXLow)
    batch.frameSize = 6
    guard driver.trial.take(afterFirst: false) else { return }
    driver.trial.sums[index / 2 - 1] += batch.littleEndianVector(0, 0)
  }

  /// The second way less the first: the sign counts. All axes of the gyroscope answer with one bit.
  public static func report<Bus: RegisterBus & ~Copyable>(of driver: borrowing BMI160<Bus>)
    -> SelfTestReport
  {
    let change = (driver.trial.sums[1] - driver.trial.sums[0]) / BMI160SelfTest.countsPerG
    let limits = BMI160SelfTest.limits
    var report = SelfTestReport()
    report.append(.acceleration, change, x: limits, y: limits, z: limits)
    report.append(
      SelfTestItem(
        .rotationRate, axis: 0, response: driver.chip.isGyroGood ? 1 : 0, lowest: 1, highest: 1))
    return report
  }
}
