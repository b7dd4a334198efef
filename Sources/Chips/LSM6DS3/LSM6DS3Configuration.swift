// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// Physical settings turned into register contents of one family: a table that is written at start and compared while
/// running.
struct LSM6DS3Configuration: Sendable {
  let family: LSM6DS3Family
  /// The settings as they were asked for: another family may take them otherwise.
  let wanted: SensorSettings
  /// The settings that the chip really has.
  var settings: SensorSettings
  var rate: LSM6DS3Map.OutputRate
  var accelFullScale: LSM6DS3Map.AccelFullScale
  var gyroFullScale: LSM6DS3Map.GyroFullScale
  var filters: LSM6DS3Filters
  var functions: LSM6DS3Functions
  /// Sets in the queue that raise its line.
  var watermark: Int
  private var table = LSM6DS3Table()

  init(_ settings: SensorSettings, of family: LSM6DS3Family) {
    self.family = family
    wanted = settings
    self.settings = settings
    let isLowPower = settings.power == .low
    // The accelerometer's low-power and normal modes end at 208 Hz (LSM6DS3TR-C data sheet, revision 3, table 52);
    // embedded functions begin at 26 Hz (AN4650 and AN5130, section 5).
    let fastest = isLowPower ? 208.0 : 1660
    let isDetecting = !settings.detection.kinds.isDisjoint(with: LSM6DS3Functions.all)
    let slowest = isDetecting ? 26.0 : 0
    // The slowest rate that is not slower than asked.
    rate = isLowPower ? .hz208 : .hz1660
    for code in LSM6DS3Map.OutputRate.allCases.reversed()
    where code != .off && code.hertz <= fastest && code.hertz >= settings.rate * 0.999
      && code.hertz >= slowest
    {
      rate = code
    }
    self.settings.rate = rate.hertz
    filters = LSM6DS3Filters(
      settings.bandwidth ?? rate.hertz / 2, rate: rate, isLowPower: isLowPower, family: family)
    self.settings.bandwidth = filters.bandwidth
    // The smallest full scale that holds what was asked. The codes are not in the order of size.
    accelFullScale = .g16
    for scale in LSM6DS3Map.AccelFullScale.allCases
    where scale.g >= settings.accelerationRange * 0.999 && scale.g < accelFullScale.g {
      accelFullScale = scale
    }
    self.settings.accelerationRange = accelFullScale.g
    gyroFullScale = .dps2000
    for scale in LSM6DS3Map.GyroFullScale.allCases
    where radians(fromDegrees: scale.degreesPerSecond) >= settings.rotationRateRange * 0.999
      && scale.degreesPerSecond < gyroFullScale.degreesPerSecond
    {
      gyroFullScale = scale
    }
    self.settings.rotationRateRange = radians(fromDegrees: gyroFullScale.degreesPerSecond)
    functions = LSM6DS3Functions(
      &self.settings.detection, range: accelFullScale.g, rate: rate.hertz,
      allowsInactivity: settings.acquisition == .detections,
      allowsSignificantMotion: settings.acquisition == .detections
        || settings.acquisition == .polling || settings.interruptPin.number == 2)
    watermark = 1
    // Half of the smaller queue at most, which leaves as long again to come and read it.
    let most = Scalar(LSM6DS3Family.lsm6ds3trc.queueWords / 2 / setWords)
    let sets = (settings.batchInterval.seconds * rate.hertz).rounded(.down)
    if sets >= 1 { watermark = Int(min(sets, most)) }
    table = lines()
  }

  /// `nil` where a rate or range is not positive and finite, or beyond the chip, or nothing is asked of it.
  init?(checking settings: SensorSettings, of family: LSM6DS3Family) {
    guard settings.rate > 0, settings.rate <= 1660 * 1.001,
      settings.accelerationRange > 0, settings.accelerationRange <= 16.02,
      settings.rotationRateRange > 0,
      settings.rotationRateRange <= radians(fromDegrees: 2002),
      (settings.bandwidth ?? 1) > 0, (1...2).contains(settings.interruptPin.number)
    else { return nil }
    self.init(settings, of: family)
    if settings.acquisition == .detections, functions.kinds.isEmpty { return nil }
  }

  var isQueued: Bool { settings.acquisition == .fifo }

  /// Low power means the accelerometer alone; detections are made of nothing else.
  var isAccelAlone: Bool { settings.power == .low || settings.acquisition == .detections }

  var channels: ChannelSet {
    if settings.acquisition == .detections { return [] }
    return isAccelAlone ? .acceleration : LSM6DS3Facts.channels
  }

  /// A set of the queue, in words.
  var setWords: Int { isAccelAlone ? LSM6DS3Facts.accelSize / 2 : LSM6DS3Facts.setSize / 2 }

  /// Samples that are spent settling after a start.
  var settlingSamples: Int64 {
    // The accelerometer's, by Linux: at most 2.
    isAccelAlone ? 2 : rate.settlingSamples
  }

  /// The queue running: what it was not yet when the table was written.
  var queueRunning: RegisterValue {
    RegisterValue(LSM6DS3Map().fifoCtrl5) { $0.odrFifo(rate) | $0.fifoMode(.continuous) }
  }

  /// The queue emptied and stopped.
  var queueStopped: RegisterValue {
    RegisterValue(LSM6DS3Map().fifoCtrl5) { $0.odrFifo(rate) | $0.fifoMode(.bypass) }
  }

  /// Without it there is not one sample: what a chip that browned out lacks first.
  var accelRunning: RegisterValue {
    switch family {
    case .lsm6ds3:
      RegisterValue(LSM6DS3Map().ctrl1Xl) {
        $0.odrXl(rate) | $0.fsXl(accelFullScale) | $0.bwXl(filters.antiAlias)
      }
    case .lsm6ds3trc:
      RegisterValue(LSM6DS3TRCMap().ctrl1Xl) {
        $0.odrXl(rate) | $0.fsXl(accelFullScale) | $0.lpf1BwSel(filters.isQuarter)
          | $0.bw0Xl(filters.isQuarter && rate == .hz1660)
      }
    }
  }

  /// Line `index` of the configuration; `nil` past the last.
  func line(_ index: Int) -> RegisterValue? { table[index] }

  /// What is compared while running: the table, and the queue in motion.
  func runningLine(_ index: Int) -> RegisterValue? {
    if index == 0 { return isQueued ? queueRunning : accelRunning }
    return table[index - 1]
  }
}
