// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The register codes of the driver's settings. `LSM6DS3.configure` finds the codes for physical
/// settings. Firmware with fixed settings specifies the codes directly, so that the search is not
/// linked into it; the chip's detections need `configure`. Registers are named as in the
/// LSM6DS3TR-C's data sheet.
public struct LSM6DS3Configuration: InertialCodes, LSM6Codes, Equatable {
  /// The output data rate of both sensors and the FIFO (ODR_XL and ODR_G): from `.hz12` to
  /// `.hz1660`, in low power to `.hz208`.
  public var rate = LSM6DS3Map.OutputRate.hz1660
  /// The full scales of accelerometer and gyroscope: FS_XL and FS_G.
  public var accelFullScale = LSM6DS3Map.AccelFullScale.g16
  public var gyroFullScale = LSM6DS3Map.GyroFullScale.dps2000
  public var filters = LSM6DS3Filters()
  /// The readout mode. The watermark (FTH) counts FIFO sets, each with one sample from both
  /// sensors. `batchInterval` is the shortest time for which sets wait in a FIFO whose interrupt
  /// line is not wired. In low power (XL_HM_MODE and G_HM_MODE) only the accelerometer runs.
  /// `passesThrough` is PASS_THROUGH_MODE.
  public var readout = ReadoutMode.polling
  /// The chip's embedded functions, which detect events.
  var functions = LSM6Functions.none
  /// The part of the chip family to which the register codes belong.
  public var part = LSM6DS3Family.lsm6ds3trc

  public init() {}

  var family: LSM6DS3Family { part }

  @inline(__always)
  public var settling: UInt32 { rate.settling(isAccelAlone: isAccelAlone) }

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
    // The gyroscope's first low-pass filter is available only at the two fastest rates.
    guard filters.gyroLowPass != nil else { return true }
    return family == .lsm6ds3trc && (rate == .hz833 || rate == .hz1660)
  }

  /// Returns the highest watermark: half of the smaller FIFO, so that the other half can store
  /// samples if the host's read is delayed.
  @inline(__always)
  static func highestWatermark(isAccelAlone: Bool) -> Int {
    LSM6DS3Family.lsm6ds3trc.queueWords / 2 / setWords(isAccelAlone: isAccelAlone)
  }

  var isQueued: Bool { acquisition == .fifo }

  @inline(__always)
  private static func setWords(isAccelAlone: Bool) -> Int {
    isAccelAlone ? LSM6DS3Chip.accelSize / 2 : LSM6DS3Chip.setSize / 2
  }

  @inline(__always)
  var setWords: Int { Self.setWords(isAccelAlone: isAccelAlone) }
}

// Translation of physical settings to register codes, and of codes to settings.
extension LSM6DS3Configuration {
  public static func limits(of family: LSM6DS3Family, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: 1660, g: 16, degreesPerSecond: 2000, pins: 2,
      ways: [.dataReady, .fifo, .polling, .detections], detections: LSM6Functions.all,
      passesThrough: true)
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    let isLowPower = power == .low
    // The accelerometer's low-power and normal modes have rates up to 208 Hz (LSM6DS3TR-C data
    // sheet, revision 3, table 52). Embedded functions need at least 26 Hz (AN4650 and AN5130,
    // section 5).
    rate = .smallest(
      holding: max(settings.rate, settings.detection.kinds.isEmpty ? 12.5 : 26),
      orElse: isLowPower ? .hz208 : rate
    ) { $0.hertz }
    settings.rate = rate.hertz
    filters = LSM6DS3Filters(
      settings.bandwidth ?? rate.hertz / 2, rate: rate, isLowPower: isLowPower, family: family)
    settings.bandwidth = bandwidth
    fitScales(&settings)
    functions = LSM6Functions(
      &settings.detection, range: accelFullScale.g, rate: rate.hertz,
      allowsInactivity: acquisition == .detections,
      allowsSignificantMotion: acquisition == .detections || acquisition == .polling
        || interruptPin.number == 2)
    // If samples must be kept until a delayed host reads them, they are stored in the FIFO. The
    // FIFO's interrupt then signals samples instead of the data-ready interrupt, because it comes
    // only when the samples of both sensors can be read from the FIFO.
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

/// The filters of both sensors, as register codes.
public struct LSM6DS3Filters: Equatable, Sendable {
  /// The bandwidth of the filter before the accelerometer's converter on 0x69 parts: BW_XL.
  public var antiAlias: LSM6DS3Map.AntiAlias
  /// True if the bandwidth of the first low-pass filter of 0x6A parts is a quarter of the rate
  /// instead of half: LPF1_BW_SEL.
  public var isQuarter: Bool
  /// The accelerometer's second low-pass filter, or `nil` if that filter is off: HPCF_XL.
  public var lowPass: LSM6DS3Map.LowPass?
  /// The gyroscope's first low-pass filter, or `nil` if that filter is off: FTYPE, which 0x6A parts
  /// have at 833 and 1660 Hz.
  public var gyroLowPass: LSM6DS3TRCMap.GyroLowPass?

  /// Creates the widest filters: half of the rate on 0x6A parts, 400 Hz on 0x69 parts.
  public init(
    antiAlias: LSM6DS3Map.AntiAlias = .hz400, isQuarter: Bool = false,
    lowPass: LSM6DS3Map.LowPass? = nil, gyroLowPass: LSM6DS3TRCMap.GyroLowPass? = nil
  ) {
    self.antiAlias = antiAlias
    self.isQuarter = isQuarter
    self.lowPass = lowPass
    self.gyroLowPass = gyroLowPass
  }

  /// Returns the bandwidth of the accelerometer's samples, in Hz, which is at most half of the
  /// rate.
  func bandwidth(rate: LSM6DS3Map.OutputRate, isLowPower: Bool, family: LSM6DS3Family) -> Scalar {
    if let lowPass { return rate.hertz / lowPass.divisor }
    let half = rate.hertz / 2
    if isLowPower { return half }
    switch family {
    case .lsm6ds3: return min(antiAlias.hertz, half)
    case .lsm6ds3trc: return isQuarter ? Self.quarter(rate) : half
    }
  }

  /// Returns the bandwidth in Hz of the narrow setting of the first low-pass filter. At 1660 Hz the
  /// analogue filter's bandwidth can be 400 Hz or 1.5 kHz (BW0_XL, lsm6ds3tr-c-pid).
  private static func quarter(_ rate: LSM6DS3Map.OutputRate) -> Scalar {
    rate == .hz1660 ? 400 : rate.hertz / 4
  }

  /// For each sensor, chooses the widest filter whose bandwidth is at most `wanted`, or else the
  /// sensor's narrowest filter.
  init(_ wanted: Scalar, rate: LSM6DS3Map.OutputRate, isLowPower: Bool, family: LSM6DS3Family) {
    let half = rate.hertz / 2
    let wanted = min(wanted, half)
    // The search starts with the narrowest filter, which exists on every part and in every mode.
    var bandwidth = rate.hertz / LSM6DS3Map.LowPass.rateBy400.divisor
    self.init()
    lowPass = .rateBy400
    for code in LSM6DS3Map.LowPass.allCases {
      let hertz = rate.hertz / code.divisor
      if hertz <= wanted, hertz > bandwidth { (bandwidth, lowPass) = (hertz, code) }
    }
    if isLowPower {
      // In low power neither the analogue filter nor the first low-pass filter works (AN4650,
      // AN5130: operating modes), so the bandwidth is half of the rate.
      if half <= wanted { (bandwidth, lowPass) = (half, nil) }
      return
    }
    switch family {
    case .lsm6ds3:
      // In front of a second low-pass filter, the narrowest analogue filter reduces aliasing most.
      antiAlias = .hz50
      for code in LSM6DS3Map.AntiAlias.allCases where code.hertz <= wanted && code.hertz > bandwidth
      { (bandwidth, antiAlias, lowPass) = (code.hertz, code, nil) }
      // At rates up to 52 Hz, half of the rate is narrower than every analogue filter.
      if half <= wanted, half > bandwidth, half < 50 { (bandwidth, lowPass) = (half, nil) }
    case .lsm6ds3trc:
      let quarter = Self.quarter(rate)
      if quarter <= wanted { (bandwidth, isQuarter, lowPass) = (quarter, true, nil) }
      if half <= wanted { (bandwidth, isQuarter, lowPass) = (half, false, nil) }
      if wanted < half { gyroLowPass = Self.gyroLowPass(wanted, rate) }
    }
  }

  /// Returns the widest filter of the gyroscope at this rate whose bandwidth is at most `wanted`,
  /// or else the narrowest filter.
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
