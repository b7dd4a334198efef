// SPDX-License-Identifier: Apache-2.0
internal import Quantities
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
  /// The embedded functions. These functions are those of the LSM6DS3, in other registers.
  var functions = LSM6Functions.none
  public var part = SinglePart<0x70>.expected

  public init() {}

  public var detectionKinds: DetectionSet { functions.kinds }

  /// The settling time after a start, in microseconds. Linux waits for up to 4 samples. The
  /// gyroscope needs 70 ms (DS12140 of the LSM6DSO; OpenMower's driver of this part waits 50 ms).
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

  /// The rates that all used sensors have: 7.5 Hz is missing in low power (ST's sheet of the
  /// LSM6DSV320X, table 54), and so are rates above 240 Hz (Infuse's driver of this part).
  private static func rates(in power: PowerMode) -> (
    slowest: LSM6DSV16XMap.OutputRate, fastest: LSM6DSV16XMap.OutputRate
  ) { power == .low ? (.hz15, .hz240) : (.hz7, .hz1920) }

  public static func limits(of part: SinglePart<0x70>, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: 1920, g: 16, degreesPerSecond: 4000, pins: 2,
      ways: [.dataReady, .fifo, .polling, .detections], detections: LSM6DSV16XChip.detections)
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    let (slowest, fastest) = Self.rates(in: power)
    let least = settings.detection.kinds.isEmpty ? slowest.hertz : 30
    rate = .smallest(holding: max(settings.rate, least), orElse: fastest) { $0.hertz }
    settings.rate = rate.hertz
    fitScales(&settings)
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
    // The watermark is at most half of the FIFO, so that the other half can fill while the host
    // reads late.
    _ = readout.keepLateSamples(&settings)
    readout.gather(at: hertz, most: LSM6DSV16XChip.queueWords / 2 / setWords)
  }
}

extension LSM6DSV16XConfiguration {
  /// All rows of the configuration. The sensors are enabled last, because rates and FIFO must not
  /// change while samples flow. IF_CFG keeps what another program wrote, even after a reset.
  public var lines: ConfigurationTable {
    let map = LSM6DSV16XMap()
    let pin = interruptPin
    let isQueued = acquisition == .fifo
    let words = isQueued ? readout.watermark * setWords : 0
    var lines = ConfigurationTable()
    lines.add(map.ifCfg) { $0.hLactive(pin.isActiveLow) | $0.ppOd(pin.isOpenDrain) }
    lines.add(map.ctrl3) { $0.bdu(true) | $0.ifInc(true) }
    lines.add(LSM6DSOMap().int1Ctrl) { pin.number == 1 ? samples($0) : .nothing }
    lines.add(LSM6DSOMap().int2Ctrl) { pin.number == 2 ? samples($0) : .nothing }
    lines.add(map.ctrl4) { $0.drdyPulsed(acquisition == .dataReady) }
    lines.add(LSM6DSOMap().fifoCtrl1) { $0.value(UInt8(truncatingIfNeeded: words)) }
    lines.add(map.fifoCtrl2)
    lines.add(map.fifoCtrl3) {
      $0.bdrGy(isQueued && !isAccelAlone ? rate : .off) | $0.bdrXl(isQueued ? rate : .off)
    }
    lines.add(map.ctrl6) { $0.fsG(gyroFullScale) }
    lines.add(map.ctrl7)
    lines.add(map.ctrl8) { $0.hpLpf2XlBw(lowPass ?? .rateBy4) | $0.fsXl(accelFullScale) }
    lines.add(map.ctrl9) { $0.lpf2XlEn(lowPass != nil) }
    if !functions.kinds.isEmpty { addFunctions(&lines) }
    lines.add(map.ctrl2) { $0.odrG(isAccelAlone ? .off : rate) }
    lines.add(running)
    return lines
  }

  /// Returns the fields that route the data-ready or FIFO signal to the wired pin.
  private func samples(_ pin: LSM6DSOMap.SamplePin) -> Change {
    pin.fifoTh(acquisition == .fifo) | pin.drdyG(acquisition == .dataReady && !isAccelAlone)
      | pin.drdyXl(acquisition == .dataReady && isAccelAlone)
  }

  /// Adds the detections. A threshold's weight is a 64th of the full scale, as on the LSM6DSO: 31
  /// mg at 2 g, up to 250 mg at 16 g.
  private func addFunctions(_ lines: inout ConfigurationTable) {
    let map = LSM6DSV16XMap()
    let taps = functions.detectsTaps
    let weight = LSM6DSV16XMap.ThresholdWeight(rawValue: accelFullScale.rawValue + 2) ?? .mg250
    functions.add(to: &lines, of: readout)
    lines.add(map.inactivityDur) { $0.wuInactThsW(weight) }
    lines.add(map.inactivityThs) { $0(functions.wakeThreshold) }
    lines.add(map.tapCfg0) { $0.tapXEn(taps) | $0.tapYEn(taps) | $0.tapZEn(taps) | $0.lir(true) }
    lines.add(map.tapCfg2) { $0(functions.tapThreshold) }
    lines.add(map.functionsEnable) { $0.interruptsEnable(true) }
  }

  /// The row that starts the FIFO. The FIFO is stopped while the table is written.
  public var queueRunning: RegisterValue {
    RegisterValue(LSM6DSV16XMap().fifoCtrl4) { $0.fifoMode(.continuous) }
  }

  public var queueStopped: RegisterValue {
    RegisterValue(LSM6DSV16XMap().fifoCtrl4) { $0.fifoMode(.bypass) }
  }

  /// The configuration row that enables sampling. A brown-out clears this register.
  public var running: RegisterValue {
    RegisterValue(LSM6DSV16XMap().ctrl1) {
      $0.opModeXl(power == .low ? .lowPower2 : .highPerformance) | $0.odrXl(rate)
    }
  }
}
