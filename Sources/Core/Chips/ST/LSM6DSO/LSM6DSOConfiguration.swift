// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The register codes of the chip's settings. `LSM6DSO.configure` finds the codes for physical
/// settings.
public struct LSM6DSOConfiguration: LSM6TaggedCodes {
  /// The output data rate of both sensors and the FIFO (ODR_XL, ODR_G, BDR_XL, BDR_GY): from
  /// `.hz12` to `.hz1660`, in low power up to `.hz208`.
  public var rate = LSM6DSOMap.OutputRate.hz1660
  /// The accelerometer's full scale (FS_XL); the LSM6DSO32 has twice the named value.
  public var accelFullScale = LSM6DSOMap.AccelFullScale.g16
  /// The gyroscope's full scale (FS_G); only the ISM330DHCX has `dps4000`.
  public var gyroFullScale = LSM6DSOMap.GyroFullScale.dps2000
  /// The accelerometer's second low-pass filter (HPCF_XL), or `nil` if that filter is off.
  public var lowPass: LSM6DSOMap.LowPass?
  /// The readout mode. The watermark (WTM) is 1 to 128 samples. In low power only the accelerometer
  /// runs.
  public var readout = ReadoutMode.polling
  /// The embedded functions. They are the same as on the LSM6DS3, but in other registers.
  var functions = LSM6Functions.none
  public var part = LSM6DSOPart.lsm6dso

  public init() {}

  public var detectionKinds: DetectionSet { functions.kinds }
  public var partCode: UInt8 { part.rawValue }

  public var settling: UInt32 { rate.settling(isAccelAlone: isAccelAlone) }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    rate != .off && (acquisition != .detections || !functions.kinds.isEmpty)
      && (1...LSM6DSOChip.queueWords / 2 / setWords).contains(readout.watermark)
      && (1...2).contains(interruptPin.number)
      && (gyroFullScale != .dps4000 || part.widestGyro == .dps4000)
  }

  public static func limits(of part: LSM6DSOPart, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: 1660, g: part.g(.g16), degreesPerSecond: part.widestGyro.degreesPerSecond, pins: 2,
      ways: [.dataReady, .fifo, .polling, .detections], detections: LSM6DSOChip.detections)
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    // The accelerometer's low-power and normal modes have rates up to 208 Hz (DS12140, CTRL1_XL).
    rate = .smallest(
      holding: max(settings.rate, settings.detection.kinds.isEmpty ? 12.5 : 26),
      orElse: power == .low ? .hz208 : rate
    ) { $0.hertz }
    settings.rate = rate.hertz
    let part = part
    accelFullScale.chooseSmallest(holding: &settings.accelerationRange) { part.g($0) }
    gyroFullScale = part.widestGyro
    gyroFullScale.chooseSmallest(holding: &settings.rotationRateRange) { $0.radiansPerSecond }
    let hertz = rate.hertz
    if let bandwidth = settings.bandwidth, bandwidth < hertz / 2 {
      lowPass = LSM6DSOMap.LowPass.allCases.first { hertz / $0.divisor <= bandwidth } ?? .rateBy800
    }
    settings.bandwidth = hertz / (lowPass?.divisor ?? 2)
    // On the LSM6DSO32 each threshold code means twice the acceleration. The threshold is limited
    // to 500 mg on all parts.
    settings.detection.freeFallThreshold =
      min(settings.detection.freeFallThreshold, 0.5) / part.accelFactor
    // Inactivity is not allowed with a sample stream, because it slows the accelerometer down.
    functions = LSM6Functions(
      &settings.detection, range: settings.accelerationRange, rate: hertz,
      allowsInactivity: acquisition == .detections, allowsSignificantMotion: false)
    settings.detection.freeFallThreshold *= part.accelFactor
    // The watermark is at most half of the FIFO, so that the other half can store samples if the
    // host's read is delayed.
    _ = readout.keepLateSamples(&settings)
    readout.gather(at: hertz, most: LSM6DSOChip.queueWords / 2 / setWords)
  }
}

extension LSM6DSOConfiguration {
  /// All register writes of the configuration. The sensors are enabled last, because rates and FIFO
  /// must not change while samples flow.
  public var rows: ConfigurationTable {
    let map = LSM6DSOMap()
    let pin = interruptPin
    let isQueued = acquisition == .fifo
    var rows = ConfigurationTable()
    rows.add(map.ctrl3C) {
      $0.bdu(true) | $0.ifInc(true) | $0.hLactive(pin.isActiveLow) | $0.ppOd(pin.isOpenDrain)
    }
    // ST's drivers set I3C_DISABLE on all buses except I3C, and always on the ISM330DHCX.
    rows.add(map.ctrl9Xl) { $0.denX(true) | $0.denY(true) | $0.denZ(true) | $0.i3cDisable(true) }
    rows.add(map.int1Ctrl) { pin.number == 1 ? samples($0) : .nothing }
    rows.add(map.int2Ctrl) { pin.number == 2 ? samples($0) : .nothing }
    rows.add(map.counterBdrReg1) { $0.dataReadyPulsed(acquisition == .dataReady) }
    rows.add(map.ctrl6C) { $0.xlHmMode(power == .low) }
    rows.add(map.ctrl7G) { $0.gHmMode(power == .low) }
    rows.add(map.ctrl8Xl) { $0.hpcfXl(lowPass ?? .rateBy4) }
    let words = isQueued ? readout.watermark * setWords : 0
    rows.add(map.fifoCtrl1) { $0.value(UInt8(truncatingIfNeeded: words)) }
    rows.add(map.fifoCtrl2) { $0.wtm8(words > 255) }
    rows.add(map.fifoCtrl3) {
      $0.bdrGy(isQueued && !isAccelAlone ? rate : .off) | $0.bdrXl(isQueued ? rate : .off)
    }
    if !functions.kinds.isEmpty { addFunctions(&rows) }
    rows.add(map.ctrl2G) { $0.odrG(isAccelAlone ? .off : rate) | $0.fsG(gyroFullScale) }
    rows.add(running)
    return rows
  }

  /// Returns the fields that route the data-ready or FIFO signal to the wired pin.
  private func samples(_ pin: LSM6DSOMap.SamplePin) -> Change {
    pin.fifoTh(acquisition == .fifo) | pin.drdyG(acquisition == .dataReady && !isAccelAlone)
      | pin.drdyXl(acquisition == .dataReady && isAccelAlone)
  }

  /// Adds the register writes for the detections.
  private func addFunctions(_ rows: inout ConfigurationTable) {
    let map = LSM6DSOMap()
    let taps = functions.detectsTaps
    functions.add(to: &rows, of: readout)
    rows.add(map.tapCfg0) {
      $0.intClrOnRead(true) | $0.tapXEn(taps) | $0.tapYEn(taps) | $0.tapZEn(taps) | $0.lir(true)
    }
    rows.add(map.tapCfg2) {
      $0.interruptsEnable(true)
        | $0.inactEn(functions.kinds.contains(.noMotion) ? .gyroAsBefore : .off)
        | $0.tapThsY(functions.tapThreshold)
    }
  }

  /// The register write that starts the FIFO. The FIFO is stopped while the table is written.
  public var queueRunning: RegisterValue {
    RegisterValue(LSM6DSOMap().fifoCtrl4) { $0.fifoMode(.continuous) }
  }

  public var queueStopped: RegisterValue {
    RegisterValue(LSM6DSOMap().fifoCtrl4) { $0.fifoMode(.bypass) }
  }

  /// The register write that enables sampling. A brown-out clears this register.
  public var running: RegisterValue {
    RegisterValue(LSM6DSOMap().ctrl1Xl) {
      $0.odrXl(rate) | $0.fsXl(accelFullScale) | $0.lpf2XlEn(lowPass != nil)
    }
  }
}

/// The parts of the family. Only the board file distinguishes the parts with identity 0x6C.
public enum LSM6DSOPart: UInt8, CaseIterable, ChipPart {
  /// The LSM6DSO, or the LSM6DSOX, which also has a machine learning core.
  case lsm6dso
  case lsm6dso32
  case ism330dhcx

  public init?(identity: UInt8) {
    guard let part = Self.allCases.first(where: { $0.says(identity) }) else { return nil }
    self = part
  }

  public func says(_ identity: UInt8) -> Bool { identity == (self == .ism330dhcx ? 0x6B : 0x6C) }

  public static var expected: LSM6DSOPart { .lsm6dso }

  /// The ratio of the accelerometer's full scale to the nominal value of the register code.
  @inline(__always)
  var accelFactor: Scalar { self == .lsm6dso32 ? 2 : 1 }

  /// Returns the accelerometer's full scale for a code, in g. The second of the four codes has the
  /// widest full scale.
  public func g(_ code: LSM6DSOMap.AccelFullScale) -> Scalar { code.g * accelFactor }

  var widestGyro: LSM6DSOMap.GyroFullScale { self == .ism330dhcx ? .dps4000 : .dps2000 }

  /// The thermometer's counts per degree Celsius; 0 counts correspond to 25 degrees.
  public static var countsPerDegree: Scalar { LSM6TaggedFrames.countsPerDegree }
}

/// Constants for the family that do not depend on a driver's state. The driver, the catalogue and
/// the tests use these constants.
extension LSM6DSOChip {
  /// The size of the FIFO in words. The words hold 3 KB of data and the tags.
  public static var queueWords: Int { 512 }

  public static func range(of channel: Channel, at index: Int, of codes: LSM6DSOConfiguration)
    -> Scalar?
  { range(of: channel, at: index, part: codes.part) }

  public static func range(of channel: Channel, at index: Int, part: LSM6DSOPart) -> Scalar? {
    switch channel {
    case .acceleration: return LSM6DSOMap.AccelFullScale.size(at: index) { part.g($0) }
    case .rotationRate:
      let range = LSM6DSOMap.GyroFullScale.size(at: index) { $0.radiansPerSecond }
      return range.flatMap { $0 > part.widestGyro.radiansPerSecond ? nil : $0 }
    default: return nil
    }
  }

  /// Returns the typical size of one count of `part` at the full scale with number `index`.
  package static func count(of channel: Channel, at index: Int, part: LSM6DSOPart) -> Scalar? {
    count(of: channel, at: index).map { channel == .acceleration ? $0 * part.accelFactor : $0 }
  }

  /// Returns the output rates in Hz. Both sensors also have 3333 and 6667 Hz, which are too fast
  /// for an I2C bus at 400 kHz.
  public static func rate(at index: Int, of codes: LSM6DSOConfiguration) -> Scalar? {
    LSM6DS3Chip.rate(at: index)
  }

  /// Returns the filter delays. The delays are estimated from the bandwidths, because ST publishes
  /// no delays. The gyroscope's delay is the delay of its last filter, which follows the rate.
  public static func delays(of settings: SensorSettings, part: LSM6DSOPart) -> StreamDelays {
    var granted = settings
    let codes = LSM6DSOConfiguration(nearest: &granted, of: part, isSPI: false)
    return StreamDelays(
      rotationRate: codes.isAccelAlone ? 0 : StreamDelays.lowPass(bandwidth: codes.rate.hertz / 3),
      acceleration: StreamDelays.lowPass(bandwidth: granted.bandwidth ?? 0))
  }
}
