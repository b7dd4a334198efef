// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

// The self-test's steps.
extension MPU6050 where Bus: ~Copyable {
  /// Configures the chip for its test, without the stimulus.
  mutating func beginSelfTest() throws(ChipError) -> Wake {
    test = MPU6050SelfTest()
    try bus.configure { [part] in MPU6050SelfTest.line($0, stimulus: false, of: part) }
    phase = .testing
    return .after(MPU6050Timing.selfTestSettling)
  }

  /// Takes one more sample of the two means; after the first mean the stimulus is switched on, after the second the chip
  /// is reset.
  mutating func advanceSelfTest() throws(ChipError) -> Wake {
    let map = MPU6050Map()
    var batch = RawBatch()
    batch.frameSize = MPU6050Facts.frameSize
    var whole = batch.bytes.mutableSpan
    var wanted = whole._mutatingExtracting(first: MPU6050Facts.frameSize)
    try bus.read(&wanted, from: map.accelXHigh)
    test.add(batch)
    failures = 0
    guard test.taken >= MPU6050SelfTest.samples else {
      return .after(MPU6050Timing.selfTestSample)
    }
    if !test.isOn {
      test.isOn = true
      test.taken = 0
      try bus.configure { [part] in MPU6050SelfTest.line($0, stimulus: true, of: part) }
      return .after(MPU6050Timing.selfTestSettling)
    }
    outcome = test.report(try readTrimCodes(), of: part)
    try bus.set(map.power1) { $0.deviceReset(true) | $0.sleep(true) }
    phase = .resting
    return .after(MPU6050Timing.reset)
  }

  /// The factory's codes: accelerometer x, y, z, gyroscope x, y, z; 0 where there is none.
  private mutating func readTrimCodes() throws(ChipError) -> InlineArray<6, UInt8> {
    var codes = InlineArray<6, UInt8>(repeating: 0)
    if part.generation == .mpu6050 {
      var bytes: InlineArray<4, UInt8> = [0, 0, 0, 0]
      var span = bytes.mutableSpan
      try bus.read(&span, from: MPU6050Map().selfTestX)
      for axis in 0..<3 {
        // Three high bits beside the gyroscope's code, two low ones in SELF_TEST_A, x highest (register map 4.1).
        let low = (bytes[3] >> UInt8(4 - 2 * axis)) & 0b11
        codes[axis] = (bytes[axis] >> 5) << 2 | low
        codes[axis + 3] = bytes[axis] & 0b1_1111
      }
      return codes
    }
    var bytes: InlineArray<3, UInt8> = [0, 0, 0]
    var span = bytes.mutableSpan
    try bus.read(&span, from: MPU6500Map().selfTestXAccel)
    for axis in 0..<3 { codes[axis] = bytes[axis] }
    var others: InlineArray<3, UInt8> = [0, 0, 0]
    var otherSpan = others.mutableSpan
    try bus.read(&otherSpan, from: MPU6500Map().selfTestXGyro)
    for axis in 0..<3 { codes[axis + 3] = others[axis] }
    return codes
  }
}
