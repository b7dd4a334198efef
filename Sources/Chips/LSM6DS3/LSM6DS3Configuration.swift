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
