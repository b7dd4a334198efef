// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The expected response of a part to the built-in stimulus, from the codes that the factory
/// stored.
public enum InvenSenseTrim {
  /// Returns the gyroscope's expected response in degrees per second for a factory code other than
  /// 0.
  ///
  /// - MPU-6050: 25 * 1.046^(code - 1), negative for y (register map 4.1, divided by 131 counts).
  /// - Later parts: 2620 * 1.01^(code - 1) counts at 250 deg/s, the table in InvenSense's drivers
  ///   and in application note AN-MPU-9250A-03.
  public static func degreesPerSecond(
    _ code: UInt8, axis: Int, of generation: MPU6050Part.Generation
  ) -> Scalar {
    if generation == .mpu6050 { return power(1.046, code) * (axis == 1 ? -25 : 25) }
    return 2620 / 131 * power(1.01, code)
  }

  /// Returns the accelerometer's expected response in g for a factory code other than 0.
  ///
  /// - MPU-6050: 0.34 * (0.92 / 0.34)^((code - 1) / 30) (register map 4.1, divided by 4096 counts
  ///   at 8 g).
  /// - Later parts: 2620 * 1.01^(code - 1) counts at 2 g.
  public static func g(_ code: UInt8, of generation: MPU6050Part.Generation) -> Scalar {
    // The base of the power is the thirtieth root of 0.92 / 0.34.
    if generation == .mpu6050 { return 0.34 * power(1.033_737_561_710_892_6, code) }
    return 2620 / 16384 * power(1.01, code)
  }

  private static func power(_ base: Scalar, _ code: UInt8) -> Scalar {
    var result = 1.0
    for _ in 1..<max(1, code) { result *= base }
    return result
  }
}

/// The settings of the self-test, and the evaluation of the sums of its samples.
enum InvenSenseSelfTest {
  /// The number of samples that the self-test averages, as in InvenSense's drivers.
  static var samples: UInt16 { 200 }

  /// Returns the register write at `index` of the self-test's configuration; `nil` after the last
  /// write. The configuration is 250 deg/s and 8 g (2 g on later parts) at 1 kHz with filter 2.
  static func row(_ index: Int, stimulus: Bool, of part: MPU6050Part) -> RegisterValue? {
    let map = MPU6050Map()
    let filter = MPU6050Map.LowPassFilter.hz98
    switch index {
    case 0:
      return RegisterValue(map.gyroConfig) {
        $0.selfTestX(stimulus) | $0.selfTestY(stimulus) | $0.selfTestZ(stimulus)
          | $0.fullScale(.dps250)
      }
    case 1:
      return RegisterValue(map.accelConfig) {
        $0.selfTestX(stimulus) | $0.selfTestY(stimulus) | $0.selfTestZ(stimulus)
          | $0.fullScale(accelFullScale(of: part))
      }
    case 2: return RegisterValue(map.power1) { $0.clockSource(.gyroX) }
    case 3: return RegisterValue(map.power2) { _ in .nothing }
    case 4: return RegisterValue(map.sampleRateDivider) { $0.value(0) }
    case 5: return RegisterValue(map.config) { $0.lowPassFilter(filter) }
    case 6 where part.generation != .mpu6050:
      return RegisterValue(MPU6500Map().accelConfig2) { $0.lowPassFilter(filter) }
    default: return nil
    }
  }

  private static func accelFullScale(of part: MPU6050Part) -> MPU6050Map.AccelFullScale {
    part.generation == .mpu6050 ? .g8 : .g2
  }

  /// Returns the results of the self-test with their limits, from the sums of
  /// `SelfTestProgress.add` and the factory's codes.
  static func report(
    _ sums: InlineArray<4, Vector3>, _ codes: InlineArray<6, UInt8>, of part: MPU6050Part
  ) -> SelfTestReport {
    var report = SelfTestReport()
    let accel = (sums[1] - sums[0]) / (accelFullScale(of: part).countsPerG * Scalar(samples))
    let gyro =
      (sums[3] - sums[2])
      / (MPU6050Map.GyroFullScale.dps250.countsPerDegreePerSecond * Scalar(samples))
    let generation = part.generation
    report.append(accelItem(accel.x, codes[0], 0, of: generation))
    report.append(accelItem(accel.y, codes[1], 1, of: generation))
    report.append(accelItem(accel.z, codes[2], 2, of: generation))
    report.append(gyroItem(gyro.x, codes[3], 0, of: generation))
    report.append(gyroItem(gyro.y, codes[4], 1, of: generation))
    report.append(gyroItem(gyro.z, codes[5], 2, of: generation))
    return report
  }

  /// Returns a result in g. The limits are:
  ///
  /// - MPU-6050: within 14 percent of the factory's response (product specification 6.2).
  /// - Later parts: half to one and a half times that response.
  /// - Without a factory code: 0.3 to 0.95 g, on later parts 0.225 to 0.675 g (InvenSense's Linux
  ///   drivers and Motion Driver).
  private static func accelItem(
    _ response: Scalar, _ code: UInt8, _ axis: Int, of generation: MPU6050Part.Generation
  ) -> SelfTestItem {
    let isFirst = generation == .mpu6050
    guard code != 0 else {
      return SelfTestItem(
        .acceleration, axis: UInt8(axis), response: abs(response), lowest: isFirst ? 0.3 : 0.225,
        highest: isFirst ? 0.95 : 0.675)
    }
    let trim = InvenSenseTrim.g(code, of: generation)
    return SelfTestItem(
      .acceleration, axis: UInt8(axis), response: isFirst ? response : abs(response),
      lowest: trim * (isFirst ? 0.86 : 0.5), highest: trim * (isFirst ? 1.14 : 1.5))
  }

  /// Returns a result in rad/s for a response in degrees per second. Where no upper limit is given,
  /// it is the converter's range. The limits are:
  ///
  /// - MPU-6050: within 14 percent of the factory's response (product specification 6.1).
  /// - Later parts: at least half of that response.
  /// - Without a factory code: 10 to 105 deg/s, on later parts at least 60 deg/s (InvenSense's
  ///   Linux drivers and Motion Driver).
  private static func gyroItem(
    _ response: Scalar, _ code: UInt8, _ axis: Int, of generation: MPU6050Part.Generation
  ) -> SelfTestItem {
    let isFirst = generation == .mpu6050
    var limits = (isFirst ? 10.0 : 60.0, isFirst ? 105.0 : 500.0)
    var response = response
    if code == 0 || !isFirst { response = abs(response) }
    if code != 0 {
      let trim = InvenSenseTrim.degreesPerSecond(code, axis: axis, of: generation)
      if isFirst {
        limits = (min(trim * 0.86, trim * 1.14), max(trim * 0.86, trim * 1.14))
      } else {
        limits = (trim * 0.5, 500)
      }
    }
    return SelfTestItem(
      .rotationRate, axis: UInt8(axis), response: radians(fromDegrees: response),
      lowest: radians(fromDegrees: limits.0), highest: radians(fromDegrees: limits.1))
  }
}

extension SelfTestProgress {
  /// Adds a frame that starts with the accelerometer's words and whose gyroscope words start at
  /// `gyro`. In `sums`, values at rest come before values with the stimulus, and the accelerometer
  /// comes before the gyroscope.
  mutating func add(_ batch: borrowing RawBatch, gyro: Int, isStimulated: Bool) {
    guard take(afterFirst: false) else { return }
    let stage = isStimulated ? 1 : 0
    sums[stage] += batch.bigEndianVector(0, 0)
    sums[stage + 2] += batch.bigEndianVector(0, gyro)
  }
}

extension MPU6050Chip {
  public enum SelfTest: ChipSelfTest {
    /// The steps of the self-test. The last two reset the chip and set its sleep bit, because some
    /// parts are not asleep after a reset.
    public enum Step: UInt8, ChipStep { case resting, stimulated, factoryCodes, reset, sleep }

    public static func action(
      _ driver: inout MPU6050<some ChipBus>, at step: Step
    ) throws(ChipError) -> StepAction {
      let map = MPU6050Map()
      switch step {
      case .resting, .stimulated:
        let part = driver.part
        let isStimulated = step == .stimulated
        try driver.bus.configure { InvenSenseSelfTest.row($0, stimulus: isStimulated, of: part) }
        return .collect(
          InvenSenseSelfTest.samples, wait: MPU6050Timing.selfTestSettling,
          each: MPU6050Timing.selfTestSample)
      case .factoryCodes:
        try driver.readTrimCodes()
        return .next
      case .reset:
        return .write(map.power1, wait: MPU6050Timing.reset) {
          $0.deviceReset(true) | $0.sleep(true)
        }
      case .sleep: return .write(map.power1) { $0.sleep(true) }
      }
    }

    public static func read(
      _ driver: inout MPU6050<some ChipBus>, at step: Step, into batch: inout RawBatch
    ) throws(ChipError) {
      batch.frameSize = frameSize
      try driver.read(first: frameSize, from: MPU6050Map().accel.first, into: &batch)
      // The temperature word lies between the accelerometer and the gyroscope.
      driver.testProgress.add(batch, gyro: 8, isStimulated: step == .stimulated)
    }

    public static func report(of driver: borrowing MPU6050<some ChipBus>) -> SelfTestReport {
      InvenSenseSelfTest.report(driver.testProgress.sums, driver.chip.trimCodes, of: driver.part)
    }
  }
}

extension RegisterDriver where Chip == MPU6050Chip, Bus: ~Copyable {
  mutating func readTrimCodes() throws(ChipError) {
    if part.generation == .mpu6050 {
      let bytes: InlineArray<4, UInt8> = try bus.bytes(from: MPU6050Map().selfTestX)
      for axis in 0..<3 {
        // The three high bits of the accelerometer's self-test code share a register with the
        // gyroscope's code. The two low bits of each axis are in SELF_TEST_A, with the bits of x
        // highest (register map 4.1).
        let low = (bytes[3] >> UInt8(4 - 2 * axis)) & 0b11
        chip.trimCodes[axis] = (bytes[axis] >> 5) << 2 | low
        chip.trimCodes[axis + 3] = bytes[axis] & 0b1_1111
      }
      return
    }
    let accel: InlineArray<3, UInt8> = try bus.bytes(from: MPU6500Map().selfTestAccel.first)
    let first =
      part.isICM20602
      ? ICM20602Map().selfTestGyro.first : MPU6500Map().selfTestGyro.first
    let gyro: InlineArray<3, UInt8> = try bus.bytes(from: first)
    chip.trimCodes = [accel[0], accel[1], accel[2], gyro[0], gyro[1], gyro[2]]
  }
}
