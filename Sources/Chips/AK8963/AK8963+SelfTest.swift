// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

// The maker's self-test: one measurement of the field of a coil inside (MS1356-E-02, section 6.4.5;
// 015007392-E-02, section 9.4.4).
extension AK8963Chip {
  public static var hasSelfTest: Bool { true }

  public static func trial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout AK8963<Bus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = AK8963Map()
    let isFirst = driver.part == .ak8963
    switch index {
    case 0 where isFirst: return .write(map.selfTestControl) { $0.field(true) }
    case 1 where isFirst: return .write(map.control1) { $0.isWide(true) | $0.mode(.selfTest) }
    case 1: return .write(AK09916Map().control2) { $0.mode(.selfTest) }
    case 2:
      return .collect(1, wait: AK8963Timing.measurement, each: AK8963Timing.look)
    case 3 where isFirst: return .write(map.selfTestControl) { $0.field(false) }
    case 0, 3: return .wait(0)
    case 4:
      try driver.powerDown()
      return .wait(AK8963Timing.mode)
    default: return .end
    }
  }

  public static func readTrial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout AK8963<Bus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {
    if try readSample(&driver, into: &batch).isReady {
      batch.format[AK8963Decoder.Format.isNarrow] = 0
      if driver.trial.take(afterFirst: false) {
        driver.trial.sums[0] = AK8963Decoder.decode(batch, frame: 0).magneticField
      }
    } else if driver.trial.isHopeless(after: AK8963Timing.looks) {
      let isFirst = driver.part == .ak8963
      throw .rejected(
        register: isFirst ? AK8963Map().status1.address : AK09916Map().status1.address, wrote: 0x01,
        readBack: 0)
    }
  }

  /// The sheets give the limits in adjusted counts: of x and y 200 to either side, of z -3200 to
  /// -800 (MS1356-E-02, section 8.4) and -1000 to -200 (015007392-E-02, section 9.4.4).
  public static func report<Bus: RegisterBus & ~Copyable>(of driver: borrowing AK8963<Bus>)
    -> SelfTestReport
  {
    var report = SelfTestReport()
    report.append(
      .magneticField, driver.trial.sums[0], x: -30...30, y: -30...30,
      z: driver.part == .ak8963 ? -480...(-120) : -150...(-30))
    return report
  }
}
