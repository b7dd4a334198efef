// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

extension BMI270Chip {
  /// The manufacturer's self-test: a deflection of the accelerometer in each direction at 16 g and
  /// 1600 Hz, then the firmware's test of the gyroscope. The limits and the wait after a deflection
  /// are from Bosch's driver (`bmi2_perform_accel_self_test`, `bmi2_do_gyro_st`). Unlike this
  /// driver, Bosch's driver resets the chip between the two tests.
  public enum SelfTest: ChipSelfTest {
    public enum Step: UInt8, ChipStep {
      case range, rate, power, pushed, pulled, rest, running, page, selection, firstPage, trigger
      case gyroResult, status, reset
    }

    public static func action(
      _ driver: inout BMI270<some ChipBus>, at step: Step
    ) throws(ChipError) -> StepAction {
      let map = BMI270Map()
      switch step {
      case .range: return .write(map.accRange) { $0(.g16) }
      case .rate:
        return .write(map.accConf) {
          $0.accFilterPerf(true) | $0.accBwp(.normal) | $0.accOdr(.hz1600)
        }
      case .power: return .write(map.pwrCtrl, wait: BMI270Timing.accelStart) { $0.accEn(true) }
      case .pushed, .pulled:
        try driver.bus.set(map.accSelfTest) {
          $0.accSelfTestAmp(true) | $0.accSelfTestSign(step == .pushed) | $0.accSelfTestEn(true)
        }
        return .collect(1, wait: BMI270Timing.deflection, each: 0)
      // The chip must be at rest for the gyroscope's test, but the end of a deflection looks like a
      // motion to the chip. So wait until the accelerometer has settled.
      case .rest: return .write(map.accSelfTest, wait: BMI270Timing.deflection) { _ in .nothing }
      // The chip clears this bit at the end of the gyroscope's test.
      case .running: return .write(map.gyrCrtConf) { $0.crtRunning(true) }
      // G_TRIG_1 is on page 1. Bit 8 of this register is 0 for the self-test.
      case .page: return .write(map.featPage) { $0(1) }
      case .selection:
        let selection: InlineArray<2, UInt8> = [0, 0]
        try driver.load(selection.span, to: map.features[2].address)
        return .next
      case .firstPage: return .write(map.featPage) { $0(0) }
      case .trigger: return command(.gyroTrigger, wait: BMI270Timing.gyroTestPoll)
      case .gyroResult:
        let isRunning = try driver.bus.read(map.gyrCrtConf)({ $0.crtRunning }) == true
        if isRunning, !driver.testProgress.isHopeless(after: BMI270Timing.gyroTestPolls - 1) {
          return try driver.again(after: BMI270Timing.gyroTestPoll, times: .max)
        }
        driver.chip.gyroResult = try driver.bus.read(map.gyrSelfTestAxes).raw
        return .next
      case .status:
        driver.chip.wasMoved = try driver.bus.read(map.gyrGainStatus)({ $0.trigger }) == .aborted
        return .next
      case .reset: return command(.softReset)
      }
    }

    public static func read(
      _ driver: inout BMI270<some ChipBus>, at step: Step, into batch: inout RawBatch
    ) throws(ChipError) {
      try driver.read(first: 6, from: BMI270Map().acc.first, into: &batch)
      batch.frameSize = 6
      guard driver.testProgress.take(afterFirst: false) else { return }
      driver.testProgress.sums[step == .pushed ? 0 : 1] += batch.littleEndianVector(0, 0)
    }

    /// Returns the first deflection minus the second, for each axis and with its sign: more than 16
    /// g along x, less than -15 g along y, more than 10 g along z. For the gyroscope the chip
    /// reports one bit for each axis, unless the chip was moved.
    public static func report(of driver: borrowing BMI270<some ChipBus>) -> SelfTestReport {
      let scale = BMI270Map.AccelFullScale.g16
      let change = (driver.testProgress.sums[0] - driver.testProgress.sums[1]) * scale.gPerCount
      let (count, most) = (scale.gPerCount, 2 * scale.g)
      var report = SelfTestReport()
      report.append(
        .acceleration, change, x: 16 + count...most, y: -most...(-15 - count),
        z: 10 + count...most)
      let result = BMI270Map().gyrSelfTestAxes.contents(driver.chip.gyroResult)
      let isDone = result({ $0.gyrStAxesDone }) == true
      func response(_ isGood: Bool?) -> Scalar { isDone && isGood == true ? 1 : 0 }
      report.wasMoved = driver.chip.wasMoved
      report.append(
        .rotationRate,
        Vector3(
          response(result { $0.gyrAxisXOk }), response(result { $0.gyrAxisYOk }),
          response(result { $0.gyrAxisZOk })),
        x: 1...1, y: 1...1, z: 1...1)
      return report
    }
  }
}
