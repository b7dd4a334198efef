// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

extension ICM42688PChip {
  /// The manufacturer's self-test: means of 200 samples at 1 kHz without and with a stimulus, at
  /// 250 degrees per second and 2 g with a 100 Hz filter. The steps, waits and limits are from
  /// TDK's driver for this family (public.mcu.iim42652). The factory codes have the same meaning as
  /// in an MPU-6500.
  public enum SelfTest: ChipSelfTest {
    public enum Step: UInt8, ChipStep {
      case configuration, resting, gyroStimulated, accelStimulated, factoryCodes, reset, resetOver
    }

    private static var samples: UInt16 { 200 }

    public static func action(
      _ driver: inout ICM42688P<some ChipBus>, at step: Step
    ) throws(ChipError) -> StepAction {
      let map = ICM42688PMap()
      switch step {
      case .configuration:
        let pin = driver.codes.interruptPin
        let codes = ICM42688PConfiguration(ReadoutMode(.polling, interruptPin: pin)) {
          $0.accelFullScale = .g2
          $0.gyroFullScale = .dps250
          $0.filter = .tenth
        }
        let isSPI = driver.bus.isSPI
        try driver.bus.set(map.gyroConfig1) { $0.reserved(true) | $0.order(2) | $0.decimation(2) }
        try driver.bus.set(map.accelConfig1) { $0.order(2) | $0.decimation(2) | $0.reserved(true) }
        try driver.bus.configure { codes.row($0, isSPI: isSPI) }
        return .wait(ICM42688PTiming.start)
      case .resting: return .collect(samples, wait: 1000, each: 1000)
      case .gyroStimulated:
        try driver.bus.set(map.selfTest) { $0.gyroX(true) | $0.gyroY(true) | $0.gyroZ(true) }
        return .collect(samples, wait: 200_000, each: 1000)
      case .accelStimulated:
        try driver.bus.set(map.selfTest) {
          $0.accelPower(true) | $0.accelX(true) | $0.accelY(true) | $0.accelZ(true)
        }
        return .collect(samples, wait: 25_000, each: 1000)
      case .factoryCodes:
        let gyro: InlineArray<3, UInt8> = try driver.bus.bytes(from: map.gyroSelfTestData.first)
        let accel: InlineArray<3, UInt8> = try driver.bus.bytes(from: map.accelSelfTestData.first)
        driver.chip.selfTestCodes = [gyro[0], gyro[1], gyro[2], accel[0], accel[1], accel[2]]
        return .next
      case .reset: return reset
      case .resetOver: return hasReset
      }
    }

    public static func read(
      _ driver: inout ICM42688P<some ChipBus>, at step: Step, into batch: inout RawBatch
    ) throws(ChipError) {
      let map = ICM42688PMap()
      guard try hasSample(&driver) else {
        guard driver.testProgress.isHopeless(after: 40) else { return }
        throw .unexpected(register: map.intStatus.address, wanted: 0x08, found: 0)
      }
      try driver.read(first: 12, from: map.accel.first, into: &batch)
      batch.frameSize = 12
      _ = driver.testProgress.take(afterFirst: false)
      let (force, turn) = (batch.bigEndianVector(0, 0), batch.bigEndianVector(0, 6))
      switch step {
      case .gyroStimulated: driver.testProgress.sums[1] += turn
      case .accelStimulated: driver.testProgress.sums[3] += force
      default:
        driver.testProgress.sums[0] += turn
        driver.testProgress.sums[2] += force
      }
    }

    /// Returns the results of the self-test. The limits are half to one and a half times the
    /// expected response, which follows from the factory codes. Without factory codes the limits
    /// are at least 60 degrees per second, and 50 to 1200 mg.
    public static func report(of driver: borrowing ICM42688P<some ChipBus>) -> SelfTestReport {
      var report = SelfTestReport()
      let (sums, codes) = (driver.testProgress.sums, driver.chip.selfTestCodes)
      func range(_ first: Int, _ axis: Int, _ limits: ClosedRange<Scalar>) -> ClosedRange<Scalar> {
        guard codes[first] > 0, codes[first + 1] > 0, codes[first + 2] > 0 else { return limits }
        let code = codes[first + axis]
        let trim =
          first == 0
          ? radians(fromDegrees: InvenSenseTrim.degreesPerSecond(code, axis: axis, of: .mpu6500))
          : InvenSenseTrim.g(code, of: .mpu6500)
        return trim / 2...trim * 1.5
      }
      let turn = (sums[1] - sums[0]) * (radians(fromDegrees: 1) / 131 / Scalar(samples))
      let turns = radians(fromDegrees: 60)...radians(fromDegrees: 250)
      report.append(
        .rotationRate, turn.magnitudes, x: range(0, 0, turns), y: range(0, 1, turns),
        z: range(0, 2, turns))
      let force = (sums[3] - sums[2]) / (16384 * Scalar(samples))
      report.append(
        .acceleration, force.magnitudes, x: range(3, 0, 0.05...1.2), y: range(3, 1, 0.05...1.2),
        z: range(3, 2, 0.05...1.2))
      return report
    }
  }
}
