// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The maker's self-test (AN4602, and ST's public example for this part). Waits in microseconds.
enum LIS3MDLSelfTest {
  /// Before conversions start, and from their start to the first sample that counts.
  static var settling: UInt32 { 20_000 }
  /// From the stimulus to the first sample that counts.
  static var stimulus: UInt32 { 60_000 }
  /// Of each six samples the first is thrown away.
  static var samples: UInt16 { 6 }
  /// A look each fifth of a period of 80 Hz, for no longer than eight periods.
  static var look: UInt32 { 2500 }
  static var looks: Int { 40 }

  /// 12 gauss, 80 Hz at low performance, block update, no temperature.
  static func configuration(stimulated: Bool = false) -> LIS3MDLConfiguration {
    var codes = LIS3MDLConfiguration(
      rate: .hz80, performance: .lowPower, fullScale: .gauss12, acquisition: .polling, power: .low)
    codes.isStimulated = stimulated
    return codes
  }
}

extension LIS3MDLChip {
  public static var hasSelfTest: Bool { true }

  public static func trial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LIS3MDL<Bus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    switch index {
    case 0:
      // All lines but the last, which starts conversions.
      try driver.bus.configure { $0 < 4 ? LIS3MDLSelfTest.configuration().line($0) : nil }
      return .wait(LIS3MDLSelfTest.settling)
    case 1:
      try driver.bus.set(LIS3MDLMap().control3) { $0.mode(.continuous) }
      return collect(after: LIS3MDLSelfTest.settling)
    case 2:
      try driver.bus.write(LIS3MDLSelfTest.configuration(stimulated: true).control1)
      return collect(after: LIS3MDLSelfTest.stimulus)
    case 3: return reset
    case 4: return hasReset
    // It is powered down now.
    default: return .end
    }
  }

  private static func collect(after wait: UInt32) -> ChipTask {
    .collect(LIS3MDLSelfTest.samples, wait: wait, each: LIS3MDLSelfTest.look)
  }

  public static func readTrial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LIS3MDL<Bus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {
    if try readSample(&driver, into: &batch).isReady {
      if driver.trial.take() { driver.trial.sums[index - 1] += batch.littleEndianVector(0, 0) }
    } else if driver.trial.isHopeless(after: LIS3MDLSelfTest.looks) {
      throw .rejected(register: LIS3MDLMap().status.address, wrote: 0x08, readBack: 0)
    }
  }

  /// Compares what the stimulus changed as the maker does: magnitudes, 1.0 to 3.0 gauss on X and Y,
  /// 0.1 to
  /// 1.0 on Z.
  public static func report<Bus: RegisterBus & ~Copyable>(of driver: borrowing LIS3MDL<Bus>)
    -> SelfTestReport
  {
    let scale = LIS3MDLSelfTest.configuration().fullScale.countsPerMicrotesla(of: driver.part)
    let samples = Scalar(LIS3MDLSelfTest.samples - 1)
    let change = (driver.trial.sums[1] - driver.trial.sums[0]) / (samples * scale)
    var report = SelfTestReport()
    report.append(
      .magneticField, Vector3(change.x.magnitude, change.y.magnitude, change.z.magnitude),
      x: 100...300, y: 100...300, z: 10...100)
    return report
  }
}
