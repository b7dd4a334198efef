// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The settings in the chip's registers: codes, which `LSM6DS3.configure` finds for physical
/// settings, and firmware with fixed ones names by itself, so that the search is not in it.
/// Register names are those of the LSM6DS3TR-C's data sheet. The chip's own detections take
/// `configure`.
public struct LSM6DS3Configuration: InertialCodes, TabledCodes, Equatable {
  /// ODR_XL and ODR_G, of both sensors and the queue: from `.hz12` to `.hz1660`, in low power to
  /// `.hz208`.
  public var rate = LSM6DS3Map.OutputRate.hz1660
  /// FS_XL and FS_G.
  public var accelFullScale = LSM6DS3Map.AccelFullScale.g16
  public var gyroFullScale = LSM6DS3Map.GyroFullScale.dps2000
  public var filters = LSM6DS3Filters()
  /// FTH, in sets of both sensors; `batchInterval` is the shortest time that sets wait in the queue
  /// where its line is not wired. In low power (XL_HM_MODE and G_HM_MODE) the accelerometer alone.
  /// `passesThrough` is PASS_THROUGH_MODE.
  public var readout = Readout.polling
  /// The embedded functions.
  var functions = LSM6DS3Functions.none
  /// The part whose codes these are.
  public var part = LSM6DS3Family.lsm6ds3trc

  public init() {}

  var family: LSM6DS3Family { part }

  @inline(__always)
  public var abilities: DriverAbilities {
    functions.kinds.isEmpty ? readout.abilities : readout.abilities.union(.detections)
  }

  @inline(__always)
  public func narrowed(to abilities: DriverAbilities) -> LSM6DS3Configuration {
    var narrowed = self
    narrowed.readout = readout.narrowed(to: abilities)
    if !abilities.contains(.detections) { narrowed.functions = .none }
    return narrowed
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    let fastest: LSM6DS3Map.OutputRate = power == .low ? .hz208 : .hz1660
    guard rate != .off, rate.rawValue <= fastest.rawValue, readout.watermark >= 1,
      readout.watermark <= Self.highestWatermark(isAccelAlone: isAccelAlone),
      interruptPin.number == 1 || interruptPin.number == 2,
      acquisition != .detections || !functions.kinds.isEmpty
    else { return false }
    // The gyroscope's first low-pass is there at its two fastest rates.
    guard filters.gyroLowPass != nil else { return true }
    return family == .lsm6ds3trc && (rate == .hz833 || rate == .hz1660)
  }

  /// Half of the smaller queue at most, which leaves as long again to come and read it.
  @inline(__always)
  static func highestWatermark(isAccelAlone: Bool) -> Int {
    LSM6DS3Family.lsm6ds3trc.queueWords / 2 / setWords(isAccelAlone: isAccelAlone)
  }

  var isQueued: Bool { acquisition == .fifo }

  /// Low power means the accelerometer alone; detections are made of nothing else.
  public var isAccelAlone: Bool { power == .low || acquisition == .detections }

  var channels: ChannelSet {
    if acquisition == .detections { return [] }
    return isAccelAlone ? .acceleration : LSM6DS3Chip.channels
  }

  @inline(__always)
  private static func setWords(isAccelAlone: Bool) -> Int {
    isAccelAlone ? LSM6DS3Chip.accelSize / 2 : LSM6DS3Chip.setSize / 2
  }

  /// A set of the queue, in words.
  @inline(__always)
  var setWords: Int { Self.setWords(isAccelAlone: isAccelAlone) }

  /// The time of the samples that are spent settling after a start, microseconds.
  @inline(__always)
  var settling: UInt32 {
    // The accelerometer's, by Linux: at most 2.
    let samples = isAccelAlone ? 2 : rate.settlingSamples
    return (rate.periodNanoseconds &* samples) / 1000
  }
}

// Codes of physical settings, and the settings that codes are.
extension LSM6DS3Configuration {
  public static func limits(of family: LSM6DS3Family, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: 1660, g: 16, degreesPerSecond: 2000, pins: 2,
      ways: [.dataReady, .fifo, .polling, .detections], detections: LSM6DS3Functions.all,
      passesThrough: true)
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    let isLowPower = power == .low
    // The accelerometer's low-power and normal modes end at 208 Hz (LSM6DS3TR-C data sheet,
    // revision 3, table 52); embedded functions begin at 26 Hz (AN4650 and AN5130, section 5).
    rate = .smallest(
      holding: max(settings.rate, settings.detection.kinds.isEmpty ? 12.5 : 26),
      orElse: isLowPower ? .hz208 : rate
    ) { $0.hertz }
    settings.rate = rate.hertz
    filters = LSM6DS3Filters(
      settings.bandwidth ?? rate.hertz / 2, rate: rate, isLowPower: isLowPower, family: family)
    settings.bandwidth = bandwidth
    fitScales(&settings)
    functions = LSM6DS3Functions(
      &settings.detection, range: accelFullScale.g, rate: rate.hertz,
      allowsInactivity: acquisition == .detections,
      allowsSignificantMotion: acquisition == .detections || acquisition == .polling
        || interruptPin.number == 2)
    // The queue's line, and not that of the outputs: it says that the set can be read where it
    // waits.
    _ = readout.keepLateSamples(&settings)
    readout.gather(at: rate.hertz, most: Self.highestWatermark(isAccelAlone: isAccelAlone))
  }

  /// The bandwidth of the accelerometer's samples, in Hz.
  private var bandwidth: Scalar {
    filters.bandwidth(rate: rate, isLowPower: power == .low, family: family)
  }

  public var settings: SensorSettings? {
    var settings = settings(rate: rate.hertz)
    settings.bandwidth = bandwidth
    return settings
  }
}

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
  func bandwidth(rate: LSM6DS3Map.OutputRate, isLowPower: Bool, family: LSM6DS3Family) -> Scalar {
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
  init(_ wanted: Scalar, rate: LSM6DS3Map.OutputRate, isLowPower: Bool, family: LSM6DS3Family) {
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
      for code in LSM6DS3Map.AntiAlias.allCases where code.hertz <= wanted && code.hertz > bandwidth
      { (bandwidth, antiAlias, lowPass) = (code.hertz, code, nil) }
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
