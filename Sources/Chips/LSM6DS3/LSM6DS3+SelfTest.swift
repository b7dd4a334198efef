// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// ST's self-test: each sensor at rest and pushed, and what the push changed. Rates, ranges, waits, averages and limits
/// from AN4650 and AN5130 (self-test) and ST's example for the family.
struct LSM6DS3SelfTest: Sendable {
  enum Stage: UInt8 {
    case accelResting, accelPushed, gyroResting, gyroPushed

    var isAccel: Bool { self == .accelResting || self == .accelPushed }
    var isPushed: Bool { self == .accelPushed || self == .gyroPushed }

    /// From the change of settings to the first sample that is looked for.
    var wait: TimeSpan {
      switch self {
      case .accelResting, .accelPushed: .milliseconds(100)
      case .gyroResting: .milliseconds(150)
      case .gyroPushed: .milliseconds(50)
      }
    }

    /// Between two looks: a quarter of a period of 52 or 208 Hz.
    var look: TimeSpan { isAccel ? .microseconds(4800) : .microseconds(1200) }
  }

  /// The first of a stage is thrown away, and so many are averaged.
  static var averaged: Int { 5 }
  /// Six samples are there after 24 looks; a chip that is twice as slow is none.
  static var looks: Int { 50 }

  var stage = Stage.accelResting
  /// Samples read in this stage, and looks at the status.
  var samples = 0
  var looks = 0
  /// Sums of counts in this stage, and of the same sensor at rest.
  var sum = Vector3.zero
  var resting = Vector3.zero
  var report = SelfTestReport()

  /// Takes a sample, in counts; true where it was the stage's last.
  mutating func take(_ counts: Vector3) -> Bool {
    samples += 1
    // The first was taken before the change.
    if samples > 1 { sum += counts }
    return samples > Self.averaged
  }

  /// Ends the stage: keeps its sum or compares it, and goes on to the next. False where it was the last.
  mutating func finishStage() -> Bool {
    if stage.isPushed {
      let change = (sum - resting) * (1 / Scalar(Self.averaged))
      append(change)
    } else {
      resting = sum
    }
    samples = 0
    looks = 0
    sum = .zero
    guard let next = Stage(rawValue: stage.rawValue + 1) else { return false }
    stage = next
    return true
  }

  /// 90 to 1700 mg and 150 to 700 degrees per second, either way.
  private mutating func append(_ change: Vector3) {
    let isAccel = stage.isAccel
    let unit =
      isAccel
      ? LSM6DS3Map.AccelFullScale.g4.gPerCount
      : radians(fromDegrees: LSM6DS3Map.GyroFullScale.dps2000.degreesPerSecondPerCount)
    let lowest = isAccel ? 0.09 : radians(fromDegrees: 150)
    let highest = isAccel ? 1.7 : radians(fromDegrees: 700)
    for axis in 0..<3 {
      let counts = axis == 0 ? change.x : axis == 1 ? change.y : change.z
      report.append(
        SelfTestItem(
          isAccel ? .acceleration : .rotationRate, axis: UInt8(axis),
          response: counts.magnitude * unit, lowest: lowest, highest: highest))
    }
  }
}

extension LSM6DS3 where Bus: ~Copyable {
  /// Sets the chip up for a stage and says when its first sample is to be looked for.
  mutating func begin(_ stage: LSM6DS3SelfTest.Stage) throws(ChipError) -> Wake {
    let table = table(stage)
    try bus.configure { table[$0] }
    return .after(stage.wait)
  }

  private func table(_ stage: LSM6DS3SelfTest.Stage) -> LSM6DS3Table {
    let map = LSM6DS3Map()
    var table = LSM6DS3Table()
    switch stage {
    case .accelResting:
      table.add(map.ctrl3C) { $0.bdu(true) | $0.ifInc(true) }
      if family == .lsm6ds3 {
        // Their reset values are known from secondary sources only, and without them the axes are dead.
        table.add(map.ctrl9Xl) { $0.zenXl(true) | $0.yenXl(true) | $0.xenXl(true) }
        table.add(map.ctrl10C) { $0.zenG(true) | $0.yenG(true) | $0.xenG(true) }
      }
      table.add(map.ctrl5C)
      table.add(map.ctrl2G)
      table.add(map.ctrl1Xl) { $0.odrXl(.hz52) | $0.fsXl(.g4) }
    case .accelPushed: table.add(map.ctrl5C) { $0.stXl(.positive) }
    case .gyroResting:
      table.add(map.ctrl5C)
      table.add(map.ctrl1Xl)
      table.add(map.ctrl2G) { $0.odrG(.hz208) | $0.fsG(.dps2000) }
    case .gyroPushed: table.add(map.ctrl5C) { $0.stG(.positive) }
    }
    return table
  }

  /// Takes a sample if there is one.
  mutating func continueTest() throws(ChipError) -> Wake {
    guard var current = test else { return .never }
    let map = LSM6DS3Map()
    let stage = current.stage
    let status = try bus.read(map.statusReg)
    guard (stage.isAccel ? status({ $0.xlda }) : status({ $0.gda })) == true else {
      current.looks += 1
      test = current
      guard current.looks < LSM6DS3SelfTest.looks else {
        // A sensor that gives no samples.
        throw .rejected(
          register: map.statusReg.address, wrote: stage.isAccel ? 0x01 : 0x02, readBack: status.raw)
      }
      return .after(stage.look)
    }
    var bytes = InlineArray<6, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    try bus.read(&span, from: stage.isAccel ? map.outxLXl : map.outxLG)
    func word(_ index: Int) -> Scalar {
      Scalar(Int16(bitPattern: UInt16(bytes[index + 1]) << 8 | UInt16(bytes[index])))
    }
    let isLast = current.take(Vector3(word(0), word(2), word(4)))
    let goesOn = isLast ? current.finishStage() : true
    test = current
    guard isLast else { return .after(stage.look) }
    if goesOn { return try begin(current.stage) }
    // Stimulus and sensors off, everything forgotten.
    try reset()
    phase = .testEnding
    return .after(LSM6DS3Timing.reset)
  }
}
