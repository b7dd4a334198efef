// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The maker's self-test (steps, waits and limits as in TDK's own driver of this family,
/// public.mcu.iim42652): means of 200 samples at 1 kHz without and with a stimulus, at 250 degrees
/// per second and 2 g behind a filter of 100 Hz.
public enum ICM42688PTrial {
  static var samples: UInt16 { 200 }
  /// 131 counts a degree per second and 16384 a g.
  static var gyroFullScale: ICM42688PMap.GyroFullScale { .dps250 }
  static var accelFullScale: ICM42688PMap.AccelFullScale { .g2 }

  /// Returns the factory's response in counts of those ranges: 2620 for code 1, and a hundredth
  /// more for each further one.
  public static func counts(_ code: UInt8) -> Scalar {
    var counts: Scalar = 2620
    for _ in 1..<max(1, code) { counts *= 1.01 }
    return counts
  }
}

extension ICM42688PChip {
  public static var hasSelfTest: Bool { true }

  public static func trial(
    _ driver: inout ICM42688P<some ChipBus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = ICM42688PMap()
    switch index {
    case 0: return .write(map.interfaceConfig0) { $0.countHighFirst(true) | $0.dataHighFirst(true) }
    case 1:
      return .write(map.gyroConfig0) { $0.range(ICM42688PTrial.gyroFullScale) | $0.rate(.hz1000) }
    case 2:
      return .write(map.accelConfig0) { $0.range(ICM42688PTrial.accelFullScale) | $0.rate(.hz1000) }
    case 3: return .write(map.gyroConfig1) { $0.reserved(true) | $0.order(2) | $0.decimation(2) }
    case 4: return .write(map.accelConfig1) { $0.order(2) | $0.decimation(2) | $0.reserved(true) }
    case 5: return .write(map.filterConfig) { $0.accel(.tenth) | $0.gyro(.tenth) }
    case 6:
      return .write(map.power, wait: ICM42688PTiming.start) {
        $0.gyro(.lowNoise) | $0.accel(.lowNoise)
      }
    case 7: return collect(after: 1000)
    case 8:
      try driver.bus.set(map.selfTest) { $0.gyroX(true) | $0.gyroY(true) | $0.gyroZ(true) }
      return collect(after: 200_000)
    case 9:
      try driver.bus.set(map.selfTest) {
        $0.accelPower(true) | $0.accelX(true) | $0.accelY(true) | $0.accelZ(true)
      }
      return collect(after: 25_000)
    case 10:
      try driver.readTrialCodes()
      return reset
    case 11: return hasReset
    default: return .end
    }
  }

  private static func collect(after wait: UInt32) -> ChipTask {
    .collect(ICM42688PTrial.samples, wait: wait, each: 1000)
  }

  public static func readTrial(
    _ driver: inout ICM42688P<some ChipBus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {
    let map = ICM42688PMap()
    guard try driver.bus.read(map.intStatus)({ $0.dataReady }) == true else {
      if driver.trial.isHopeless(after: 40) {
        throw .rejected(register: map.intStatus.address, wrote: 0x08, readBack: 0)
      }
      return
    }
    try driver.read(first: 12, from: map.accel.first, into: &batch)
    batch.frameSize = 12
    _ = driver.trial.take(afterFirst: false)
    // Without a stimulus both sensors, then the gyroscope with it, then the accelerometer.
    if index != 9 { driver.trial.sums[index == 7 ? 0 : 1] += batch.bigEndianVector(0, 6) }
    if index != 8 { driver.trial.sums[index == 7 ? 2 : 3] += batch.bigEndianVector(0, 0) }
  }

  /// Half to one and a half of what the factory saw; where it left no codes, at least 60 degrees
  /// per second, and 50 to 1200 mg.
  public static func report(of driver: borrowing ICM42688P<some ChipBus>) -> SelfTestReport {
    var report = SelfTestReport()
    let (gyro, accel) = (ICM42688PTrial.gyroFullScale, ICM42688PTrial.accelFullScale)
    append(
      .rotationRate, driver, from: 0, gyro.radiansPerSecond / 32768,
      radians(fromDegrees: 60)...gyro.radiansPerSecond, to: &report)
    append(.acceleration, driver, from: 3, accel.gPerCount, 0.05...1.2, to: &report)
    return report
  }

  private static func append(
    _ channel: Channel, _ driver: borrowing ICM42688P<some ChipBus>, from first: Int,
    _ unit: Scalar, _ limits: ClosedRange<Scalar>, to report: inout SelfTestReport
  ) {
    let place = first == 0 ? 0 : 2
    let change = driver.trial.sums[place + 1] - driver.trial.sums[place]
    let response = change * (unit / Scalar(ICM42688PTrial.samples))
    let codes = driver.chip.trialCodes
    let hasCodes = codes[first] > 0 && codes[first + 1] > 0 && codes[first + 2] > 0
    func range(_ axis: Int) -> ClosedRange<Scalar> {
      guard hasCodes else { return limits }
      let wanted = ICM42688PTrial.counts(codes[first + axis]) * unit
      return wanted / 2...wanted * 1.5
    }
    report.append(
      channel, Vector3(response.x.magnitude, response.y.magnitude, response.z.magnitude),
      x: range(0), y: range(1), z: range(2))
  }
}

extension RegisterDriver where Chip == ICM42688PChip, Bus: ~Copyable {
  /// Of the gyroscope in bank 1, of the accelerometer in bank 2.
  mutating func readTrialCodes() throws(ChipError) {
    let map = ICM42688PMap()
    let gyro: InlineArray<3, UInt8> = try bus.bytes(from: map.gyroXTrial)
    let accel: InlineArray<3, UInt8> = try bus.bytes(from: map.accelXTrial)
    for axis in 0..<3 {
      chip.trialCodes[axis] = gyro[axis]
      chip.trialCodes[axis + 3] = accel[axis]
    }
  }
}
