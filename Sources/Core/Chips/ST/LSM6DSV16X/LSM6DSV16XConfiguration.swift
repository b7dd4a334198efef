// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The register codes of the chip's settings. `LSM6DSV16X.configure` finds the codes for physical
/// settings.
public struct LSM6DSV16XConfiguration: LSM6TaggedCodes {
  /// The output data rate of both sensors and the FIFO (ODR_XL, ODR_G, BDR_XL, BDR_GY): from
  /// `.hz7` to `.hz1920`, in low power from `.hz15` to `.hz240`.
  public var rate = LSM6DSV16XMap.OutputRate.hz1920
  /// The accelerometer's full scale (FS_XL).
  public var accelFullScale = LSM6DSV16XMap.AccelFullScale.g16
  /// The gyroscope's full scale (FS_G).
  public var gyroFullScale = LSM6DSV16XMap.GyroFullScale.dps4000
  /// The accelerometer's second low-pass filter (HP_LPF2_XL_BW), or `nil` if that filter is off.
  public var lowPass: LSM6DSOMap.LowPass?
  /// The readout mode. The watermark (WTM) is 1 to 64 samples. In low power only the accelerometer
  /// runs.
  public var readout = ReadoutMode.polling
  /// The embedded functions. They are the same as on the LSM6DS3, but in other registers.
  var functions = LSM6Functions.none
  public var part = LSM6DSV16XPart.lsm6dsv16x

  public init() {}

  public var detectionKinds: DetectionSet { functions.kinds }
  public var partCode: UInt8 { part.rawValue }

  /// The settings for another part of the family; `nil` if detections are requested, because not
  /// all parts have detections.
  public var settings: SensorSettings? {
    guard functions.kinds.isEmpty else { return nil }
    var settings = settings(rate: rate.hertz)
    settings.accelerationRange = part.g(accelFullScale)
    settings.bandwidth = lowPass.map { rate.hertz / $0.divisor }
    return settings
  }

  /// The settling time after a start, in microseconds. Linux waits for up to 4 samples. The
  /// gyroscope needs 70 ms (DS12140 of the LSM6DSO; OpenMower's driver for this part waits for 50
  /// ms).
  public var settling: UInt32 {
    let samples = UInt32((4_000_000 / max(rate.hertz, 1)).rounded())
    return isAccelAlone ? samples : max(samples, 70_000)
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    let (slowest, fastest) = Self.rates(in: power)
    return (slowest.rawValue...fastest.rawValue).contains(rate.rawValue)
      && (acquisition != .detections || !functions.kinds.isEmpty)
      && (1...LSM6DSV16XChip.queueWords / 2 / setWords).contains(readout.watermark)
      && (1...2).contains(interruptPin.number)
  }

  /// Returns the slowest and the fastest rate that all sensors in use have. Low power lacks 7.5 Hz
  /// (ST's data sheet of the LSM6DSV320X, table 54) and the rates above 240 Hz (Infuse's driver for
  /// this part).
  private static func rates(in power: PowerMode) -> (
    slowest: LSM6DSV16XMap.OutputRate, fastest: LSM6DSV16XMap.OutputRate
  ) { power == .low ? (.hz15, .hz240) : (.hz7, .hz1920) }

  public static func limits(of part: LSM6DSV16XPart, power: PowerMode) -> SettingLimits {
    let detects = part == .lsm6dsv16x
    return SettingLimits(
      rate: 1920, g: part.g(.g16), degreesPerSecond: 4000, pins: 2,
      ways: detects ? [.dataReady, .fifo, .polling, .detections] : [.dataReady, .fifo, .polling],
      detections: detects ? LSM6Functions.basic : [])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    let (slowest, fastest) = Self.rates(in: power)
    let least = settings.detection.kinds.isEmpty ? slowest.hertz : 30
    rate = .smallest(holding: max(settings.rate, least), orElse: fastest) { $0.hertz }
    settings.rate = rate.hertz
    let part = part
    accelFullScale.chooseSmallest(holding: &settings.accelerationRange) { part.g($0) }
    gyroFullScale.chooseSmallest(holding: &settings.rotationRateRange) { $0.radiansPerSecond }
    let hertz = rate.hertz
    if let bandwidth = settings.bandwidth, bandwidth < hertz / 2 {
      lowPass = LSM6DSOMap.LowPass.allCases.first { hertz / $0.divisor <= bandwidth } ?? .rateBy800
    }
    settings.bandwidth = hertz / (lowPass?.divisor ?? 2)
    // Inactivity is reported without a change of the rates (INACT_EN 0), so it is allowed with a
    // sample stream.
    functions = LSM6Functions(
      &settings.detection, range: settings.accelerationRange, rate: hertz,
      allowsInactivity: true, allowsSignificantMotion: false)
    // The watermark is at most half of the FIFO, so that the other half can store samples if the
    // host's read is delayed.
    _ = readout.keepLateSamples(&settings)
    readout.gather(at: hertz, most: LSM6DSV16XChip.queueWords / 2 / setWords)
  }
}

extension LSM6DSV16XConfiguration {
  /// All register writes of the configuration. The sensors are enabled last, because rates and FIFO
  /// must not change while samples flow. IF_CFG is written too, because a reset does not clear what
  /// another program wrote there.
  public var rows: ConfigurationTable {
    let map = LSM6DSV16XMap()
    let pin = interruptPin
    let isQueued = acquisition == .fifo
    let words = isQueued ? readout.watermark * setWords : 0
    var rows = ConfigurationTable()
    rows.add(map.ifCfg) { $0.hLactive(pin.isActiveLow) | $0.ppOd(pin.isOpenDrain) }
    rows.add(map.ctrl3) { $0.bdu(true) | $0.ifInc(true) }
    rows.add(LSM6DSOMap().int1Ctrl) { pin.number == 1 ? samples($0) : .nothing }
    rows.add(LSM6DSOMap().int2Ctrl) { pin.number == 2 ? samples($0) : .nothing }
    rows.add(map.ctrl4) { $0.drdyPulsed(acquisition == .dataReady) }
    rows.add(LSM6DSOMap().fifoCtrl1) { $0.value(UInt8(truncatingIfNeeded: words)) }
    rows.add(map.fifoCtrl2)
    rows.add(map.fifoCtrl3) {
      $0.bdrGy(isQueued && !isAccelAlone ? rate : .off) | $0.bdrXl(isQueued ? rate : .off)
    }
    rows.add(map.ctrl6) { $0.fsG(gyroFullScale) }
    rows.add(map.ctrl7)
    rows.add(map.ctrl8) {
      $0.hpLpf2XlBw(lowPass ?? .rateBy4) | $0.isWide(part == .lsm6dsv32x) | $0.fsXl(accelFullScale)
    }
    rows.add(map.ctrl9) { $0.lpf2XlEn(lowPass != nil) }
    if !functions.kinds.isEmpty { addFunctions(&rows) }
    rows.add(map.ctrl2) { $0.odrG(isAccelAlone ? .off : rate) }
    rows.add(running)
    return rows
  }

  /// Returns the fields that route the data-ready or FIFO signal to the wired pin.
  private func samples(_ pin: LSM6DSOMap.SamplePin) -> Change {
    pin.fifoTh(acquisition == .fifo) | pin.drdyG(acquisition == .dataReady && !isAccelAlone)
      | pin.drdyXl(acquisition == .dataReady && isAccelAlone)
  }

  /// Adds the register writes for the detections. One count of a threshold is a 64th of the full
  /// scale, as on the LSM6DSO: 31 mg at 2 g, up to 250 mg at 16 g.
  private func addFunctions(_ rows: inout ConfigurationTable) {
    let map = LSM6DSV16XMap()
    let taps = functions.detectsTaps
    let weight = LSM6DSV16XMap.ThresholdWeight(rawValue: accelFullScale.rawValue + 2) ?? .mg250
    functions.add(to: &rows, of: readout)
    rows.add(map.inactivityDur) { $0.wuInactThsW(weight) }
    rows.add(map.inactivityThs) { $0(functions.wakeThreshold) }
    rows.add(map.tapCfg0) { $0.tapXEn(taps) | $0.tapYEn(taps) | $0.tapZEn(taps) | $0.lir(true) }
    rows.add(map.tapCfg2) { $0(functions.tapThreshold) }
    rows.add(map.functionsEnable) { $0.interruptsEnable(true) }
  }

  /// The register write that starts the FIFO. The FIFO is stopped while the table is written.
  public var queueRunning: RegisterValue {
    RegisterValue(LSM6DSV16XMap().fifoCtrl4) { $0.fifoMode(.continuous) }
  }

  public var queueStopped: RegisterValue {
    RegisterValue(LSM6DSV16XMap().fifoCtrl4) { $0.fifoMode(.bypass) }
  }

  /// The register write that enables sampling. A brown-out clears this register.
  public var running: RegisterValue {
    RegisterValue(LSM6DSV16XMap().ctrl1) {
      $0.opModeXl(power == .low ? .lowPower2 : .highPerformance) | $0.odrXl(rate)
    }
  }
}

/// The parts of the family, which have the same identity.
public enum LSM6DSV16XPart: UInt8, CaseIterable, ChipPart {
  /// The LSM6DSV16X, or the LSM6DSV, which has no machine learning core and no Qvar.
  case lsm6dsv16x
  case lsm6dsv32x

  public init?(identity: UInt8) {
    guard Self.expected.says(identity) else { return nil }
    self = .expected
  }

  public func says(_ identity: UInt8) -> Bool { identity == 0x70 }

  public static var expected: LSM6DSV16XPart { .lsm6dsv16x }

  /// The ratio of the accelerometer's full scale to the nominal value of the register code (ST's
  /// lsm6dsv32x-pid).
  @inline(__always)
  var accelFactor: Scalar { self == .lsm6dsv32x ? 2 : 1 }

  /// Returns the accelerometer's full scale for a code, in g.
  public func g(_ code: LSM6DSV16XMap.AccelFullScale) -> Scalar { code.g * accelFactor }
}
