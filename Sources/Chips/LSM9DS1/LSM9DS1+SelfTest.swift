// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// ST's self-test: each sensor at rest and pushed, and what the push changed; rates, ranges and
/// limits from ST's example for this part. Waits in microseconds.
extension LSM9DS1Chip {
  public static var hasSelfTest: Bool { true }

  private static var averaged: UInt16 { 5 }

  public static func trial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LSM9DS1<Bus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = LSM9DS1Map()
    var lines = ConfigurationTable()
    switch index {
    case 0:
      lines.add(map.ctrlReg8) { $0.bdu(true) | $0.ifAddInc(true) }
      lines.add(map.ctrlReg6Xl) { $0.odrXl(.hz119) | $0.fsXl(.g2) }
      lines.add(map.ctrlReg1G) { $0.odrG(.hz119) | $0.fsG(.dps2000) }
    case 1: lines.add(map.ctrlReg10) { $0.stXl(true) | $0.stG(true) }
    // Stimulus and sensors off, everything forgotten.
    case 2: return reset
    case 3: return hasReset
    default: return .end
    }
    try driver.bus.configure { lines[$0] }
    // The first of a stage is thrown away. A look each quarter of a period.
    return .collect(averaged + 1, wait: 200_000, each: 2100)
  }

  public static func readTrial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LSM9DS1<Bus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {
    let status = try driver.bus.read(LSM9DS1Map().statusReg)
    guard status({ $0.gda }) == true, status({ $0.xlda }) == true else {
      // Six samples are there after 24 looks; a chip that is twice as slow is none.
      guard driver.trial.isHopeless(after: 49) else { return }
      throw .rejected(
        register: LSM9DS1Map().statusReg.address, wrote: 0x03, readBack: status.raw)
    }
    try driver.readOutputs(into: &batch)
    guard driver.trial.take() else { return }
    driver.trial.sums[index] += batch.littleEndianVector(0, 9)
    driver.trial.sums[index + 2] += batch.littleEndianVector(0, 3)
  }

  /// 70 to 1500 mg and 200 to 800 degrees per second, either way.
  public static func report<Bus: RegisterBus & ~Copyable>(of driver: borrowing LSM9DS1<Bus>)
    -> SelfTestReport
  {
    let sums = driver.trial.sums
    var report = SelfTestReport()
    func append(
      _ channel: Channel, _ change: Vector3, _ unit: Scalar, _ limits: ClosedRange<Scalar>
    ) {
      let change = change * (unit / Scalar(averaged))
      report.append(
        channel, Vector3(change.x.magnitude, change.y.magnitude, change.z.magnitude), x: limits,
        y: limits, z: limits)
    }
    append(.acceleration, sums[1] - sums[0], gPerCount(.g2), 0.07...1.5)
    append(
      .rotationRate, sums[3] - sums[2], LSM9DS1Map.GyroFullScale.dps2000.radiansPerCount,
      radians(fromDegrees: 200)...radians(fromDegrees: 800))
    return report
  }
}
