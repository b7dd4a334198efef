// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The maker's self-test (data sheet, "self test operation"): a field of the chip's own, about 1.1
/// gauss on each axis, from which the chip takes away what there is without it. Gain 5; of five
/// measurements the first has the old gain.
extension HMC5883LChip {
  public static var hasSelfTest: Bool { true }

  public static func trial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout HMC5883L<Bus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = HMC5883LMap()
    switch index {
    case 0:
      return .write(map.configurationA) {
        $0.averaging(.samples8) | $0.rate(.hz15) | $0.bias(.positive)
      }
    case 1: return .write(map.configurationB) { $0.gain(.mG4700) }
    case 2:
      try driver.bus.set(map.mode) { $0.mode(.single) }
      let wait = longest
      return .collect(5, wait: wait, each: wait)
    case 3: return .write(map.configurationA) { $0.averaging(.samples1) | $0.rate(.hz15) }
    default: return .end
    }
  }

  public static func readTrial<Bus: RegisterBus & ~Copyable>(
    _ driver: inout HMC5883L<Bus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {
    try driver.readField(into: &batch)
    if driver.trial.take() { driver.trial.sums[0] += batch.bigEndianVector(0, 0) }
    try driver.bus.set(HMC5883LMap().mode) { $0.mode(.single) }
  }

  /// 243 to 575 counts at gain 5, of each axis (specifications); an axis that ran over is far
  /// below.
  public static func report<Bus: RegisterBus & ~Copyable>(of driver: borrowing HMC5883L<Bus>)
    -> SelfTestReport
  {
    let scale = HMC5883LMap.Gain.mG4700.countsPerMicrotesla
    let mean = driver.trial.sums[0] / (4 * scale)
    let limits = 243 / scale...575 / scale
    var report = SelfTestReport()
    report.append(
      .magneticField, Vector3(mean.x, mean.z, mean.y), x: limits, y: limits, z: limits)
    return report
  }
}
