// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The register codes of the driver's settings. `BMI160.configure` finds the codes for physical
/// settings. Firmware with fixed settings specifies the codes directly, so that the search is not
/// linked into it.
public struct BMI160Configuration: InertialCodes {
  /// The output data rate of both sensors, in ACC_CONF and GYR_CONF.
  public var rate = BMI160Map.Rate.hz1600
  /// The full scales of both sensors, in ACC_RANGE and GYR_RANGE.
  public var accelFullScale = BMI160Map.AccelFullScale.g16
  public var gyroFullScale = BMI160Map.GyroFullScale.dps2000
  /// The low-pass filter of both sensors. In low power the filter must be `oversampled4` at rates
  /// above a limit that follows from `FilterMode.averagedSamples`.
  public var filter = BMI160Map.FilterMode.normal
  /// The readout mode. A watermark is in frames: 1 to 52, or up to 97 without the gyroscope. In low
  /// power only the accelerometer runs, and this sensor sleeps between its samples.
  public var readout = ReadoutMode.polling
  /// The thresholds and durations of the chip's detections.
  var detection = BMI160DetectionCodes()
  /// The register writes common to all configurations, in order; the writes for detections follow.
  /// If the register codes are constant, the compiler turns these writes into a constant table.
  var common = InlineArray<11, RegisterValue>(
    repeating: RegisterValue(BMI160Map().fifoConfig0) { $0.value(0) })

  public init() {}

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz) }

  @inline(__always)
  public var abilities: DriverAbilities {
    detects ? readout.abilities.union(.detections) : readout.abilities
  }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    acquisition != .detections
      && readout.watermark >= 1
      && readout.watermark <= BMI160Chip.longestBatch(of: queueFrameSize)
      && (interruptPin.number == 1 || interruptPin.number == 2)
      && (!isUndersampled || filter.rawValue == 0 || (filter.rawValue + rate.rawValue) < 12)
  }

  /// Two sample periods in microseconds: 80 000 at 25 Hz, halved for each higher code.
  @inline(__always)
  var twoPeriods: UInt32 { 80_000 >> UInt32(rate.rawValue &- BMI160Map.Rate.hz25.rawValue) }

  /// True if the accelerometer sleeps between its samples. If the averaged samples fill the whole
  /// period, the accelerometer stays awake (data sheet, section 2.4.1.2: skipped samples = 1600 /
  /// rate - averaged samples).
  @inline(__always)
  var isUndersampled: Bool { power == .low && rate != .hz1600 }

  /// True if the gyroscope runs; the chip's detections do not need the gyroscope.
  @inline(__always)
  var hasGyro: Bool { power == .normal && acquisition != .detections }

  @inline(__always)
  var detects: Bool { !detection.kinds.isEmpty }

  @inline(__always)
  var queueFrameSize: Int {
    hasGyro ? BMI160Chip.queueFrameSize : BMI160Chip.accelQueueFrameSize
  }
}

// Translation of physical settings to register codes.
extension BMI160Configuration {
  public static func limits(of part: BMI160Part, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: 1600, g: 16, degreesPerSecond: 2000, pins: 2,
      ways: [.dataReady, .fifo, .polling, .detections], detections: BMI160Chip.detections)
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    rate.chooseSmallest(holding: &settings.rate) { $0.hertz }
    fitScales(&settings)
    detection = BMI160DetectionCodes(
      nearest: &settings.detection, rate: rate, range: accelFullScale)
    chooseFilter(&settings)
    // Detections are polled every 100 ms in FIFO mode, and at each sample if the registers are
    // read.
    let isAnnounced = readout.keepLateSamples(&settings, where: !detects)
    readout.gather(at: rate.hertz, most: BMI160Chip.longestBatch(of: queueFrameSize))
    if acquisition == .fifo, !isAnnounced {
      settings.batchInterval = TimeSpan(seconds: Scalar(readout.watermark) / rate.hertz)
    }
  }

  @inline(__always)
  public mutating func finalize() { writeCommonRows() }

  /// Chooses the widest filter whose bandwidth does not exceed the requested bandwidth, or else the
  /// narrowest filter.
  private mutating func chooseFilter(_ settings: inout SensorSettings) {
    guard let wanted = settings.bandwidth else {
      filter = isUndersampled ? longestAverage : .normal
      settings.bandwidth = cutoff(filter)
      return
    }
    filter = isUndersampled ? longestAverage : .oversampled4
    // The filter codes are in order of increasing bandwidth, the averaging codes in order of
    // decreasing bandwidth.
    for mode in BMI160Map.FilterMode.allCases where cutoff(mode) <= wanted && isPossible(mode) {
      if cutoff(mode) > cutoff(filter) || cutoff(filter) > wanted { filter = mode }
    }
    settings.bandwidth = cutoff(filter)
  }

  private var longestAverage: BMI160Map.FilterMode {
    if isPossible(.normal) { return .normal }
    return isPossible(.oversampled2) ? .oversampled2 : .oversampled4
  }

  private func isPossible(_ mode: BMI160Map.FilterMode) -> Bool {
    !isUndersampled || mode.averagedSamples < rate.samplesPerOutput
  }

  /// Returns the bandwidth of filter `mode`, in Hz. If the two sensors have different bandwidths,
  /// this is the narrower bandwidth.
  private func cutoff(_ mode: BMI160Map.FilterMode) -> Scalar {
    if isUndersampled { return mode.averageCutoff }
    return (hasGyro ? min(rate.accelCutoff, rate.gyroCutoff) : rate.accelCutoff) / mode.divisor
  }
}

// The filter bandwidths are from data sheet BST-BMI160-DS000-07, sections 2.4.1 and 2.4.2, and are
// also in CurieIMU's driver. For two- and fourfold oversampling the data sheet gives
// "approximately" a half and a quarter.
extension BMI160Map.Rate {
  /// The 3 dB bandwidth of the accelerometer's normal filter in x and y, in Hz. At 400 Hz and
  /// above, the bandwidth in z is narrower (155, 262, 353).
  public var accelCutoff: Scalar {
    let hertz: InlineArray<7, Scalar> = [10.12, 20.25, 40.5, 80, 162, 324, 684]
    return hertz[Int(rawValue) - 6]
  }

  /// The 3 dB bandwidth of the gyroscope's normal filter, in Hz.
  public var gyroCutoff: Scalar {
    let hertz: InlineArray<7, Scalar> = [10.7, 20.8, 39.9, 74.6, 136.6, 254.6, 523.9]
    return hertz[Int(rawValue) - 6]
  }

  /// The number of internal samples of the accelerometer, at 1600 Hz, for each output sample at
  /// this output rate.
  var samplesPerOutput: Scalar { 1600 / hertz }
}

extension BMI160Map.FilterMode {
  /// The factor by which oversampling narrows the filter's bandwidth.
  public var divisor: Scalar { Scalar(4 >> Int(rawValue)) }

  /// The number of samples that the accelerometer averages in undersampling mode.
  public var averagedSamples: Scalar { Scalar(1 << Int(rawValue)) }

  /// The 3 dB bandwidth, in Hz, of the mean of n samples at 1600 Hz: the solution of sin(n x) = n
  /// sin(x) / sqrt(2). For one sample, the bandwidth is the bandwidth of the accelerometer's own
  /// filter.
  public var averageCutoff: Scalar {
    switch self {
    case .oversampled4: 684
    case .oversampled2: 400
    case .normal: 182
    }
  }
}
