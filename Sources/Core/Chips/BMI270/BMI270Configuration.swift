// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The register codes of the driver's settings. `BMI270.configure` finds the codes for physical
/// settings.
public struct BMI270Configuration: InertialCodes, TabledCodes {
  /// The output data rate of both sensors, in ACC_CONF and GYR_CONF; in low power up to 400 Hz.
  public var rate = BMI270Map.Rate.hz1600
  /// The full scales of both sensors, in ACC_RANGE and GYR_RANGE.
  public var accelFullScale = BMI270Map.AccelFullScale.g16
  public var gyroFullScale = BMI270Map.GyroFullScale.dps2000
  /// The low-pass filter of both sensors. In low power the filter's codes mean that the
  /// accelerometer averages 1, 2 or 4 samples.
  public var filter = BMI270Map.FilterMode.normal
  /// The readout mode. A watermark is in frames. In low power only the accelerometer runs, and this
  /// sensor sleeps between its samples.
  public var readout = ReadoutMode.polling

  public init() {}

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz) }

  public func isPossible(isSPI: Bool) -> Bool {
    acquisition != .detections
      && (1...BMI270Chip.longestBatch / frameSize).contains(readout.watermark)
      && (1...2).contains(interruptPin.number)
      && (!isAccelAlone || filter.averagedSamples < rate.samplesPerOutput)
  }

  public var isAccelAlone: Bool { power == .low }

  /// The size of a FIFO frame in bytes: a header, the gyroscope if it runs, and the accelerometer.
  var frameSize: Int { isAccelAlone ? 7 : 13 }

  /// The header of a FIFO frame.
  var header: UInt8 { isAccelAlone ? BMI160Header.accel : BMI160Header.gyroAndAccel }

  /// The wait from the start of the sensors to samples with the configured range, in microseconds.
  var settling: UInt32 {
    let start = isAccelAlone ? BMI270Timing.accelStart : BMI270Timing.gyroStart
    return start + UInt32(2_000_000 / rate.hertz)
  }
}

extension BMI270Configuration {
  /// All register writes of the configuration. The sensors are enabled after their rates and ranges
  /// are set; the power mode comes last, because in low power writes must be 450 us apart.
  var rows: ConfigurationTable {
    let map = BMI270Map()
    let pin = interruptPin
    let isQueued = acquisition == .fifo
    let pulses = acquisition == .dataReady
    // This watermark lies inside the last frame of a batch. It therefore takes effect at the same
    // frame whether the chip compares with "at least" or with "more than".
    let watermark = UInt16(truncatingIfNeeded: readout.watermark * frameSize - 1)
    var rows = ConfigurationTable()
    rows.add(map.accConf) {
      $0.accFilterPerf(!isAccelAlone) | $0.accBwp(filter) | $0.accOdr(rate)
    }
    rows.add(map.accRange) { $0(accelFullScale) }
    rows.add(map.gyrConf) {
      $0.gyrFilterPerf(true) | $0.gyrNoisePerf(true) | $0.gyrBwp(isAccelAlone ? .normal : filter)
        | $0.gyrOdr(rate)
    }
    rows.add(map.gyrRange) { $0.gyrRange(gyroFullScale) }
    rows.add(map.fifoDowns) { $0.accFifoFiltData(true) | $0.gyrFifoFiltData(true) }
    rows.add(map.fifoWtm0) { $0.value(UInt8(truncatingIfNeeded: watermark)) }
    rows.add(map.fifoWtm1) { $0(UInt8(truncatingIfNeeded: watermark >> 8)) }
    rows.add(map.fifoConfig0)
    rows.add(isQueued ? queueRunning : queueStopped)
    rows.add(map.int1IOCtrl) { pin.number == 1 ? levels($0) : .nothing }
    rows.add(map.int2IOCtrl) { pin.number == 2 ? levels($0) : .nothing }
    rows.add(map.intLatch) { $0(false) }
    rows.add(map.intMapData) {
      pin.number == 2
        ? $0.drdyInt2(pulses) | $0.fwmInt2(isQueued) : $0.drdyInt1(pulses) | $0.fwmInt1(isQueued)
    }
    rows.add(running)
    rows.add(map.pwrConf) { $0.fifoSelfWakeUp(true) | $0.advPowerSave(isAccelAlone) }
    return rows
  }

  private func levels(_ pin: BMI270Map.PinControl) -> Change {
    pin.outputEn(true) | pin.lvl(!interruptPin.isActiveLow) | pin.od(interruptPin.isOpenDrain)
  }

  /// The register write that enables the sensors. A brown-out clears this register.
  public var running: RegisterValue {
    RegisterValue(BMI270Map().pwrCtrl) {
      $0.tempEn(true) | $0.accEn(true) | $0.gyrEn(!isAccelAlone)
    }
  }

  /// The register write that starts the FIFO. The frames have headers, so that a misalignment is
  /// found at the next frame.
  public var queueRunning: RegisterValue {
    RegisterValue(BMI270Map().fifoConfig1) {
      $0.fifoHeaderEn(true) | $0.fifoAccEn(true) | $0.fifoGyrEn(!isAccelAlone)
    }
  }

  public var queueStopped: RegisterValue {
    RegisterValue(BMI270Map().fifoConfig1) { $0.fifoHeaderEn(true) }
  }
}

// Translation of physical settings to register codes.
extension BMI270Configuration {
  public static func limits(of part: SinglePart<0x24>, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: power == .low ? 400 : 1600, g: 16, degreesPerSecond: 2000, pins: 2,
      ways: [.dataReady, .fifo, .polling])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    if isAccelAlone { rate = .hz400 }
    rate.chooseSmallest(holding: &settings.rate) { $0.hertz }
    fitScales(&settings)
    if isAccelAlone {
      // Average as many samples as possible while the accelerometer can still sleep between two
      // outputs.
      filter = .normal
      if filter.averagedSamples >= rate.samplesPerOutput { filter = .oversampled2 }
    } else {
      filter = .widest(within: settings.bandwidth ?? rate.hertz, orElse: .oversampled4, cutoff)
    }
    settings.bandwidth = cutoff(filter)
    let isAnnounced = readout.keepLateSamples(&settings)
    readout.gather(at: rate.hertz, most: BMI270Chip.longestBatch / frameSize)
    if acquisition == .fifo, !isAnnounced {
      settings.batchInterval = TimeSpan(seconds: Scalar(readout.watermark) / rate.hertz)
    }
  }

  /// Returns the bandwidth that both sensors have with filter `mode`, in Hz. The data sheet's first
  /// page gives the ends of its tables: for the accelerometer a bandwidth of 5.5 Hz at a rate of
  /// 12.5 Hz, to 740 Hz at 1600 Hz; for the gyroscope 11 Hz at 25 Hz, which is 0.44 of the rate.
  /// Two- and fourfold oversampling reduces the bandwidth to a half and a quarter.
  private func cutoff(_ mode: BMI270Map.FilterMode) -> Scalar {
    isAccelAlone ? mode.averageCutoff : 0.44 * rate.hertz / mode.divisor
  }
}

/// Constants for the BMI270 that do not depend on a driver's state.
extension BMI270Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// The first valid byte of an SPI read follows a dummy byte (Bosch: `dummy_byte`; Zephyr).
  public static var wireFormat: WireFormat { WireFormat(spiDummyBytes: 1) }

  /// The size in bytes of the firmware (Bosch's `bmi270_config_file`; Zephyr's copy).
  public static var firmwareSize: Int { 8192 }

  /// The size of the FIFO in bytes with this firmware, and the size of the largest batch. The
  /// largest batch leaves half of the FIFO free in case the host's next read is delayed.
  public static var fifoSize: Int { 2048 }
  public static var longestBatch: Int { 1024 }

  /// The size in bytes of one sample read from the registers: accelerometer (0x0C) to temperature
  /// (0x23) in one burst.
  public static var registerFrameSize: Int { 24 }

  public static func rate(at index: Int, of codes: BMI270Configuration) -> Scalar? {
    BMI160Chip.rate(at: index)
  }

  /// Returns the temperature in degrees Celsius; `nil` for code 0x8000, which the chip returns
  /// before its first measurement (Linux: offset 11776, 1/512 degree per count; Zephyr: 0x8000 is
  /// invalid).
  public static func temperature(_ counts: Int16) -> Scalar? { BMI160Chip.temperature(counts) }

  /// Returns the filter delays for `settings`, estimated from the filter's bandwidth.
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let codes = BMI270Configuration(nearest: &settings, of: .expected, isSPI: false)
    if codes.isAccelAlone {
      // The delay of a mean of n samples at 1600 Hz is half of the time between the first and the
      // last sample.
      return StreamDelays(acceleration: (codes.filter.averagedSamples - 1) / 2 / 1600)
    }
    let delay = StreamDelays.lowPass(bandwidth: settings.bandwidth ?? 0)
    return StreamDelays(rotationRate: delay, acceleration: delay)
  }
}

/// Waiting times in microseconds, from Bosch's, Zephyr's and Linux's drivers.
enum BMI270Timing {
  /// The time after a reset until the chip responds (Bosch and Zephyr: 2 ms), and the interval and
  /// number of the polls that follow.
  static var reset: UInt32 { 2000 }
  static var poll: UInt32 { 5000 }
  static var polls: UInt16 { 40 }
  /// The time between two writes in the power-saving mode that the chip has after a reset.
  static var idleWrite: UInt32 { 450 }
  /// The wait between two bursts of the firmware, in which other chips on the bus can be read.
  static var burst: UInt32 { 2 }
  /// The wait before a failed burst is repeated, and the number of consecutive repetitions.
  static var burstRetry: UInt32 { 1000 }
  static var burstRetries: UInt16 { 2 }
  /// The time that the firmware takes to start (Bosch: 20 ms), and the polls until 160 ms have
  /// passed (Linux waits for 140 ms, PX4 for 150).
  static var firmwareStart: UInt32 { 20_000 }
  static var firmwarePoll: UInt32 { 10_000 }
  static var firmwarePolls: UInt16 { 14 }
  /// The start-up times of the sensors (Zephyr: 2 and 45 ms).
  static var accelStart: UInt32 { 2000 }
  static var gyroStart: UInt32 { 45_000 }
  /// The settling time of the self-test's deflections (Bosch: more than 50 ms).
  static var deflection: UInt32 { 51_000 }
  /// The polls for the result of the gyroscope's self-test (Bosch: every 10 ms, up to 2 s).
  static var gyroTestPoll: UInt32 { 10_000 }
  static var gyroTestPolls: Int { 200 }
}
