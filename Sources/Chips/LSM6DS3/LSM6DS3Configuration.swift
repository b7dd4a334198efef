// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The settings in the chip's registers: codes, which `LSM6DS3.configure` finds for physical
/// settings, and firmware with fixed ones names by itself, so that the search is not in it.
/// Register names are those of the LSM6DS3TR-C's data sheet. The chip's own detections take
/// `configure`.
public struct LSM6DS3Configuration: ChipCodes, Equatable {
  /// ODR_XL, ODR_G and ODR_FIFO: from `.hz12` to `.hz1660`, in low power to `.hz208`.
  public var rate: LSM6DS3Map.OutputRate
  /// FS_XL.
  public var accelFullScale: LSM6DS3Map.AccelFullScale
  /// FS_G.
  public var gyroFullScale: LSM6DS3Map.GyroFullScale
  public var filters: LSM6DS3Filters
  /// The way in which samples leave the chip; not `.detections`.
  public var acquisition: Acquisition
  /// FTH, in sets of samples: how many in the queue raise its line; from 1 to 170, of the
  /// accelerometer alone to 341.
  public var watermark: Int
  /// The time for which samples may wait in the queue at least, where its line is not wired.
  public var batchInterval: TimeSpan
  /// True where the line of a queue with a watermark of one set announces each, which is then read
  /// at once.
  public var announcesSets = false
  /// The pin that is wired, and its polarity and drive.
  public var interruptPin: InterruptPin
  /// XL_HM_MODE and G_HM_MODE: low power means the accelerometer alone.
  public var power = PowerMode.normal
  /// PASS_THROUGH_MODE.
  public var passesThrough = false
  /// The identity to go by instead of the one that the chip gives; `nil`: its own.
  public var assumedIdentity: UInt8?
  /// The embedded functions.
  var functions = LSM6DS3Functions.none
  /// The part whose codes these are.
  public internal(set) var part = LSM6DS3Family.lsm6ds3trc

  var family: LSM6DS3Family { part }

  public init(
    rate: LSM6DS3Map.OutputRate, accelFullScale: LSM6DS3Map.AccelFullScale,
    gyroFullScale: LSM6DS3Map.GyroFullScale, filters: LSM6DS3Filters = LSM6DS3Filters(),
    acquisition: Acquisition = .polling, watermark: Int = 1,
    batchInterval: TimeSpan = .milliseconds(10), interruptPin: InterruptPin = InterruptPin()
  ) {
    self.rate = rate
    self.accelFullScale = accelFullScale
    self.gyroFullScale = gyroFullScale
    self.filters = filters
    self.acquisition = acquisition
    self.watermark = watermark
    self.batchInterval = batchInterval
    self.interruptPin = interruptPin
  }

  @inline(__always)
  public var abilities: DriverAbilities {
    var abilities = DriverAbilities(acquisition)
    if announcesSets { abilities.insert(.dataReady) }
    if power == .low { abilities.insert(.lowPower) }
    if !functions.kinds.isEmpty { abilities.insert(.detections) }
    return abilities
  }

  @inline(__always)
  public func narrowed(to abilities: DriverAbilities) -> LSM6DS3Configuration {
    var narrowed = self
    narrowed.acquisition = abilities.narrowed(acquisition)
    if !abilities.contains(.lowPower) { narrowed.power = .normal }
    if !abilities.contains(.detections) { narrowed.functions = .none }
    return narrowed
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    let fastest: LSM6DS3Map.OutputRate = power == .low ? .hz208 : .hz1660
    guard rate != .off, rate.rawValue <= fastest.rawValue,
      watermark >= 1, watermark <= Self.highestWatermark(isAccelAlone: isAccelAlone),
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
  var isAccelAlone: Bool { power == .low || acquisition == .detections }

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
  public init(nearest settings: inout SensorSettings, of family: LSM6DS3Family, isSPI: Bool) {
    let wanted = settings
    let isLowPower = wanted.power == .low
    // The accelerometer's low-power and normal modes end at 208 Hz (LSM6DS3TR-C data sheet,
    // revision 3, table 52); embedded functions begin at 26 Hz (AN4650 and AN5130, section 5).
    let isDetecting = !wanted.detection.kinds.isDisjoint(with: LSM6DS3Functions.all)
    let rate = LSM6DS3Map.OutputRate.smallest(
      holding: max(wanted.rate, isDetecting ? 26 : 12.5), orElse: isLowPower ? .hz208 : .hz1660
    ) { $0.hertz }
    settings.rate = rate.hertz
    let filters = LSM6DS3Filters(
      wanted.bandwidth ?? rate.hertz / 2, rate: rate, isLowPower: isLowPower, family: family)
    settings.bandwidth = filters.bandwidth(rate: rate, isLowPower: isLowPower, family: family)
    let accelFullScale = LSM6DS3Map.AccelFullScale.smallest(
      holding: wanted.accelerationRange, orElse: .g16
    ) { $0.g }
    settings.accelerationRange = accelFullScale.g
    let gyroFullScale = LSM6DS3Map.GyroFullScale.smallest(
      holding: wanted.rotationRateRange, orElse: .dps2000
    ) { $0.radiansPerSecond }
    settings.rotationRateRange = gyroFullScale.radiansPerSecond
    self.init(
      rate: rate, accelFullScale: accelFullScale, gyroFullScale: gyroFullScale, filters: filters,
      acquisition: wanted.acquisition, batchInterval: wanted.batchInterval,
      interruptPin: wanted.interruptPin)
    part = family
    power = wanted.power
    passesThrough = wanted.passesThrough
    assumedIdentity = wanted.assumedIdentity
    functions = LSM6DS3Functions(
      &settings.detection, range: accelFullScale.g, rate: rate.hertz,
      allowsInactivity: acquisition == .detections,
      allowsSignificantMotion: acquisition == .detections || acquisition == .polling
        || interruptPin.number == 2)
    settings.keepsLateSamples = wanted.keepsLateSamples && acquisition == .dataReady
    if settings.keepsLateSamples {
      // The queue's line, and not that of the outputs: it says that the set can be read where it
      // waits.
      announcesSets = true
      acquisition = .fifo
      batchInterval = .zero
      return
    }
    let sets = (wanted.batchInterval.seconds * rate.hertz).rounded(.down)
    if sets >= 1 {
      watermark = Int(min(sets, Scalar(Self.highestWatermark(isAccelAlone: isAccelAlone))))
    }
  }

  /// Creates the codes; `nil` where a rate or range is not positive and finite, or beyond the chip,
  /// or nothing is asked of it.
  public init?(checking settings: inout SensorSettings, of family: LSM6DS3Family, isSPI: Bool) {
    guard settings.isWithin(rate: 1660, g: 16, degreesPerSecond: 2000, pins: 2),
      (settings.bandwidth ?? 1) > 0
    else { return nil }
    self.init(nearest: &settings, of: family, isSPI: isSPI)
    if acquisition == .detections, functions.kinds.isEmpty { return nil }
  }

  public var settings: SensorSettings? {
    var settings = SensorSettings(
      rate: rate.hertz, accelerationRange: accelFullScale.g,
      rotationRateRange: gyroFullScale.radiansPerSecond,
      bandwidth: filters.bandwidth(rate: rate, isLowPower: power == .low, family: family),
      acquisition: announcesSets ? .dataReady : acquisition, batchInterval: batchInterval)
    settings.keepsLateSamples = announcesSets
    settings.power = power
    settings.interruptPin = interruptPin
    settings.passesThrough = passesThrough
    settings.assumedIdentity = assumedIdentity
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
