// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

/// The filters of both sensors, as their registers say them.
public struct LSM6DS3Filters: Equatable, Sendable {
  /// BW_XL, on 0x69 parts: the filter before the accelerometer's converter.
  public var antiAlias: LSM6DS3Map.AntiAlias
  /// LPF1_BW_SEL, on 0x6A parts: the first low-pass at a quarter of the rate instead of a half.
  public var isQuarter: Bool
  /// HPCF_XL: the accelerometer's second low-pass; `nil` where it is off.
  public var lowPass: LSM6DS3Map.LowPass?
  /// FTYPE, on 0x6A parts at 833 and 1660 Hz: the gyroscope's first low-pass; `nil` where it is
  /// off.
  public var gyroLowPass: LSM6DS3TRCMap.GyroLowPass?

  /// As wide as they are: half of the rate on 0x6A parts, 400 Hz on 0x69 ones.
  public init(
    antiAlias: LSM6DS3Map.AntiAlias = .hz400, isQuarter: Bool = false,
    lowPass: LSM6DS3Map.LowPass? = nil, gyroLowPass: LSM6DS3TRCMap.GyroLowPass? = nil
  ) {
    self.antiAlias = antiAlias
    self.isQuarter = isQuarter
    self.lowPass = lowPass
    self.gyroLowPass = gyroLowPass
  }

  /// Returns the bandwidth of the accelerometer's samples, in Hz: no filter lets more through than
  /// half the rate.
  func bandwidth(
    rate: LSM6DS3Map.OutputRate, isLowPower: Bool, family: LSM6DS3Family
  ) -> Scalar {
    if let lowPass { return rate.hertz / lowPass.divisor }
    let half = rate.hertz / 2
    if isLowPower { return half }
    switch family {
    case .lsm6ds3: return min(antiAlias.hertz, half)
    case .lsm6ds3trc: return isQuarter ? Self.quarter(rate) : half
    }
  }

  /// At 1660 Hz the analogue filter can be 400 Hz wide, else 1.5 kHz (BW0_XL, lsm6ds3tr-c-pid).
  private static func quarter(_ rate: LSM6DS3Map.OutputRate) -> Scalar {
    rate == .hz1660 ? 400 : rate.hertz / 4
  }

  /// Of each the widest that is not wider than wanted, or else its narrowest.
  init(
    _ wanted: Scalar, rate: LSM6DS3Map.OutputRate, isLowPower: Bool, family: LSM6DS3Family
  ) {
    let half = rate.hertz / 2
    let wanted = min(wanted, half)
    // Narrowest first: what is there on every part and in every mode.
    var bandwidth = rate.hertz / LSM6DS3Map.LowPass.rateBy400.divisor
    self.init()
    lowPass = .rateBy400
    for code in LSM6DS3Map.LowPass.allCases {
      let hertz = rate.hertz / code.divisor
      if hertz <= wanted, hertz > bandwidth { (bandwidth, lowPass) = (hertz, code) }
    }
    if isLowPower {
      // Neither the analogue filter nor the first low-pass works there (AN4650, AN5130: operating
      // modes), and the samples hold what their rate holds.
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
      let quarter = Self.quarter(rate)
      if quarter <= wanted { (bandwidth, isQuarter, lowPass) = (quarter, true, nil) }
      if half <= wanted { (bandwidth, isQuarter, lowPass) = (half, false, nil) }
      if wanted < half { gyroLowPass = Self.gyroLowPass(wanted, rate) }
    }
  }

  /// Of the filters that the gyroscope has at this rate the widest that is not wider than wanted,
  /// or the narrowest.
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
