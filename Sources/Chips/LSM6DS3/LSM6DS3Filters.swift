// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

/// The filters of both sensors: of each the widest that is not wider than wanted, or else its narrowest.
struct LSM6DS3Filters: Sendable {
  /// What the accelerometer's samples hold, in Hz: no filter lets more through than half the rate.
  var bandwidth: Scalar
  /// On 0x69 parts.
  var antiAlias = LSM6DS3Map.AntiAlias.hz400
  /// On 0x6A parts: the first low-pass at a quarter of the rate instead of a half.
  var isQuarter = false
  /// The accelerometer's second low-pass, where it is on.
  var lowPass: LSM6DS3Map.LowPass?
  /// The gyroscope's first low-pass, where there is one and it is on.
  var gyroLowPass: LSM6DS3TRCMap.GyroLowPass?

  init(
    _ wanted: Scalar, rate: LSM6DS3Map.OutputRate, isLowPower: Bool, family: LSM6DS3Family
  ) {
    let half = rate.hertz / 2
    let wanted = min(wanted, half)
    // Narrowest first: what is there on every part and in every mode.
    bandwidth = rate.hertz / LSM6DS3Map.LowPass.rateBy400.divisor
    lowPass = .rateBy400
    for code in LSM6DS3Map.LowPass.allCases {
      let hertz = rate.hertz / code.divisor
      if hertz <= wanted, hertz > bandwidth { (bandwidth, lowPass) = (hertz, code) }
    }
    if isLowPower {
      // Neither the analogue filter nor the first low-pass works there (AN4650, AN5130: operating modes), and the samples
      // hold what their rate holds.
      if half <= wanted { (bandwidth, lowPass) = (half, nil) }
      return
    }
    switch family {
    case .lsm6ds3:
      // Before a second low-pass the narrowest keeps most from folding.
      antiAlias = .hz50
      for code in LSM6DS3Map.AntiAlias.allCases
      where code.hertz <= wanted && code.hertz > bandwidth {
        (bandwidth, antiAlias, lowPass) = (code.hertz, code, nil)
      }
      // To 52 Hz half of the rate is narrower than all of them.
      if half <= wanted, half > bandwidth, half < 50 { (bandwidth, lowPass) = (half, nil) }
    case .lsm6ds3trc:
      // At 1660 Hz the analogue filter can be 400 Hz wide, else 1.5 kHz (BW0_XL, lsm6ds3tr-c-pid).
      let quarter = rate == .hz1660 ? 400 : half / 2
      if quarter <= wanted { (bandwidth, isQuarter, lowPass) = (quarter, true, nil) }
      if half <= wanted { (bandwidth, isQuarter, lowPass) = (half, false, nil) }
      if wanted < half { gyroLowPass = Self.gyroLowPass(wanted, rate) }
    }
  }

  /// Of the filters that the gyroscope has at this rate the widest that is not wider than wanted, or the narrowest.
  private static func gyroLowPass(_ wanted: Scalar, _ rate: LSM6DS3Map.OutputRate)
    -> LSM6DS3TRCMap.GyroLowPass?
  {
    let byWidth: InlineArray<4, LSM6DS3TRCMap.GyroLowPass> = [
      .light, .normal, .strong, .aggressive,
    ]
    guard byWidth[0].hertz(at: rate) != nil else { return nil }
    var chosen = byWidth[0]
    for index in byWidth.indices {
      if let hertz = byWidth[index].hertz(at: rate), hertz <= wanted { chosen = byWidth[index] }
    }
    return chosen
  }
}
