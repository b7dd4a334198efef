// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

// The self-test's tasks: ranges, codes and limits are those of the MPU-9250 (TDK's driver,
// Icm20948SelfTest), at 1125 Hz and with the narrower filters.
extension ICM20948Chip {
  public static var hasSelfTest: Bool { true }

  public static func trial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = ICM20948Map()
    switch index {
    case 0:
      try driver.bus.set(map.power2) { _ in .nothing }
      try driver.bus.set(map.gyroConfig1) { $0.usesFilter(true) }
      try driver.bus.set(map.accelConfig) { $0.usesFilter(true) }
      return collect
    case 1:
      try driver.bus.set(map.gyroConfig2) {
        $0.selfTestX(true) | $0.selfTestY(true) | $0.selfTestZ(true)
      }
      try driver.bus.set(map.accelConfig2) {
        $0.selfTestX(true) | $0.selfTestY(true) | $0.selfTestZ(true)
      }
      return collect
    case 2:
      try driver.readTrimCodes()
      return .write(map.power1, wait: ICM20948Timing.reset) { $0.deviceReset(true) }
    case 3: return .write(map.power1) { $0.sleep(true) | $0.clockSource(.best) }
    default: return .end
    }
  }

  private static var collect: ChipTask {
    .collect(
      MPU6050SelfTest.samples, wait: ICM20948Timing.selfTestSettling,
      each: ICM20948Timing.selfTestSample)
  }

  public static func readTrial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {
    batch.frameSize = frameSize
    var whole = batch.bytes.mutableSpan
    var wanted = whole._mutatingExtracting(first: frameSize)
    try driver.bus.read(&wanted, from: ICM20948Map().accelXHigh)
    guard driver.trial.take(afterFirst: false) else { return }
    driver.trial.sums[index] += batch.bigEndianVector(0, 0)
    driver.trial.sums[index + 2] += batch.bigEndianVector(0, 6)
  }

  public static func report<Bus: RegisterBus & ~Copyable>(
    of driver: borrowing RegisterDriver<Self, Bus>
  ) -> SelfTestReport {
    let sums = driver.trial.sums
    return MPU6050SelfTest.report(
      accel: sums[1] - sums[0], gyro: sums[3] - sums[2], driver.chip.trimCodes, of: .mpu9250)
  }
}

extension RegisterDriver where Chip == ICM20948Chip, Bus: ~Copyable {
  mutating func readTrimCodes() throws(ChipError) {
    var bytes: InlineArray<3, UInt8> = [0, 0, 0]
    var span = bytes.mutableSpan
    try bus.read(&span, from: ICM20948Map().selfTestXAccel)
    for axis in 0..<3 { chip.trimCodes[axis] = bytes[axis] }
    span = bytes.mutableSpan
    try bus.read(&span, from: ICM20948Map().selfTestXGyro)
    for axis in 0..<3 { chip.trimCodes[axis + 3] = bytes[axis] }
  }
}
