// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// The maker's self-test: how far it is, and what it found.
struct BMI160Test: Sendable {
  enum Part {
    /// The accelerometer is pushed one way, then the other.
    case pushed
    case pulled
    /// The gyroscope tests itself.
    case gyro
  }

  var isWanted = false
  var part = Part.pushed
  var report: SelfTestReport?
  /// The frames of both pushes: x, y and z, low bytes first.
  var pushed = InlineArray<6, UInt8>(repeating: 0)
  var pulled = InlineArray<6, UInt8>(repeating: 0)

  /// At 8 g, 2 g between both ways: more than 8192 counts (Bosch's driver, BMI160_ACCEL_SELF_TEST_LIMIT).
  static var countsPerG: Scalar { BMI160Map.AccelRange.g8.countsPerG }
  static var lowest: Scalar { 8193 / countsPerG }
  /// From one end of the range to the other.
  static var highest: Scalar { 65535 / countsPerG }
}

extension BMI160 where Bus: ~Copyable {
  /// 8 g, 1600 Hz with the normal filter, and the first push: registers as in Bosch's driver.
  mutating func beginTest() throws(ChipError) -> Wake {
    let map = BMI160Map()
    try bus.set(map.accRange) { $0.accRange(.g8) }
    try bus.set(map.accConf) { $0.accBwp(.normal) | $0.accOdr(.hz1600) }
    try bus.set(map.selfTest) {
      $0.accSelfTestAmp(true) | $0.accSelfTestSign(true) | $0.accSelfTestEn(1)
    }
    test.part = .pushed
    phase = .testing
    return wait(BMI160Timing.deflection)
  }

  mutating func continueTest() throws(ChipError) -> Wake {
    let map = BMI160Map()
    switch test.part {
    case .pushed:
      var span = test.pushed.mutableSpan
      try bus.read(&span, from: map.accXLow)
      try bus.set(map.selfTest) { $0.accSelfTestAmp(true) | $0.accSelfTestEn(1) }
      test.part = .pulled
      return wait(BMI160Timing.deflection)
    case .pulled:
      var span = test.pulled.mutableSpan
      try bus.read(&span, from: map.accXLow)
      try bus.set(map.selfTest) { $0.gyrSelfTestEn(true) }
      polls = 0
      test.part = .gyro
      return wait(BMI160Timing.gyroTestPoll)
    case .gyro:
      let isGood = try bus.read(map.status)({ $0.gyrSelfTestOk }) == true
      if !isGood, polls + 1 < BMI160Timing.gyroTestPolls {
        polls += 1
        return wait(BMI160Timing.gyroTestPoll)
      }
      try command(.softReset)
      test.report = report(isGyroGood: isGood)
      test.isWanted = false
      phase = .idle
      return .never
    }
  }

  private func report(isGyroGood: Bool) -> SelfTestReport {
    var report = SelfTestReport()
    for axis in 0..<3 {
      // The second way less the first: the sign counts.
      let change = Scalar(counts(test.pulled, axis)) - Scalar(counts(test.pushed, axis))
      report.append(
        SelfTestItem(
          .acceleration, axis: UInt8(axis), response: change / BMI160Test.countsPerG,
          lowest: BMI160Test.lowest, highest: BMI160Test.highest))
    }
    // All of its axes answer with one bit.
    report.append(
      SelfTestItem(.rotationRate, axis: 0, response: isGyroGood ? 1 : 0, lowest: 1, highest: 1))
    return report
  }

  private func counts(_ bytes: InlineArray<6, UInt8>, _ axis: Int) -> Int16 {
    Int16(bitPattern: UInt16(bytes[2 * axis + 1]) << 8 | UInt16(bytes[2 * axis]))
  }
}
