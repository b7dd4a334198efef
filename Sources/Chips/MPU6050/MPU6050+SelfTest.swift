// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

// The self-test's tasks.
extension MPU6050Chip {
  public static var hasSelfTest: Bool { true }

  public static func trial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout MPU6050<Bus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = MPU6050Map()
    switch index {
    case 0, 1:
      // Without the stimulus, then with it.
      let part = driver.part
      try driver.bus.configure { MPU6050SelfTest.line($0, stimulus: index == 1, of: part) }
      return .collect(
        MPU6050SelfTest.samples, wait: MPU6050Timing.selfTestSettling,
        each: MPU6050Timing.selfTestSample)
    case 2:
      try driver.readTrimCodes()
      return .write(map.power1, wait: MPU6050Timing.reset) { $0.deviceReset(true) | $0.sleep(true) }
    // Some parts wake with the sleep bit clear.
    case 3: return .write(map.power1) { $0.sleep(true) }
    default: return .end
    }
  }

  public static func readTrial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout MPU6050<Bus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {
    batch.frameSize = MPU6050Chip.frameSize
    var whole = batch.bytes.mutableSpan
    var wanted = whole._mutatingExtracting(first: MPU6050Chip.frameSize)
    try driver.bus.read(&wanted, from: MPU6050Map().accelXHigh)
    guard driver.trial.take(afterFirst: false) else { return }
    // The thermometer's word lies between.
    driver.trial.sums[index] += batch.bigEndianVector(0, 0)
    driver.trial.sums[index + 2] += batch.bigEndianVector(0, 8)
  }

  public static func report<Bus: RegisterBus & ~Copyable>(of driver: borrowing MPU6050<Bus>)
    -> SelfTestReport
  {
    let sums = driver.trial.sums
    return MPU6050SelfTest.report(
      accel: sums[1] - sums[0], gyro: sums[3] - sums[2], driver.chip.trimCodes, of: driver.part)
  }
}

extension RegisterDriver where Chip == MPU6050Chip, Bus: ~Copyable {
  mutating func readTrimCodes() throws(ChipError) {
    var bytes: InlineArray<4, UInt8> = [0, 0, 0, 0]
    var span = bytes.mutableSpan
    if part.generation == .mpu6050 {
      try bus.read(&span, from: MPU6050Map().selfTestX)
      for axis in 0..<3 {
        // Three high bits beside the gyroscope's code, two low ones in SELF_TEST_A, x highest
        // (register map 4.1).
        let low = (bytes[3] >> UInt8(4 - 2 * axis)) & 0b11
        chip.trimCodes[axis] = (bytes[axis] >> 5) << 2 | low
        chip.trimCodes[axis + 3] = bytes[axis] & 0b1_1111
      }
      return
    }
    var three = span._mutatingExtracting(first: 3)
    try bus.read(&three, from: MPU6500Map().selfTestXAccel)
    for axis in 0..<3 { chip.trimCodes[axis] = three[axis] }
    try bus.read(&three, from: MPU6500Map().selfTestXGyro)
    for axis in 0..<3 { chip.trimCodes[axis + 3] = three[axis] }
  }
}
