// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The settings that the driver writes into the chip: codes of its registers. `BMI160.configure`
/// finds them from physical settings; firmware whose settings never change names them, and then
/// nothing that searches is linked.
public struct BMI160Configuration: InertialCodes {
  /// ACC_CONF and GYR_CONF.
  public var rate = BMI160Map.Rate.hz1600
  /// ACC_RANGE and GYR_RANGE.
  public var accelFullScale = BMI160Map.AccelFullScale.g16
  public var gyroFullScale = BMI160Map.GyroFullScale.dps2000
  /// The low-pass of both sensors; above which rate it must be `oversampled4` in low power follows
  /// from `FilterMode.averagedSamples`.
  public var filter = BMI160Map.FilterMode.normal
  /// The watermark is in frames: 1 to 52, of the accelerometer alone 97. Low power is the
  /// accelerometer alone, asleep between its samples.
  public var readout = Readout.polling
  /// Thresholds and durations of what the chip is to detect, if anything.
  var detection = BMI160DetectionCodes()
  /// The registers of every configuration, in the order in which they are written: of codes that
  /// are constants the compiler makes a table of constants. What is detected has its lines behind
  /// them.
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

  /// The time of two samples, microseconds: 80 000 at 25 Hz, halved for each code.
  @inline(__always)
  var twoPeriods: UInt32 { 80_000 >> UInt32(rate.rawValue &- BMI160Map.Rate.hz25.rawValue) }

  /// True where the accelerometer sleeps between its samples. It cannot sleep between the samples
  /// of an average of n where a period has no more than n of them: then it stays awake (data sheet,
  /// section 2.4.1.2: skipped samples = 1600 / rate - averaged samples).
  @inline(__always)
  var isUndersampled: Bool { power == .low && rate != .hz1600 }

  /// Nothing that the chip detects needs its gyroscope.
  @inline(__always)
  var hasGyro: Bool { power == .normal && acquisition != .detections }

  @inline(__always)
  var detects: Bool { !detection.kinds.isEmpty }

  /// Bytes of a frame of the queue.
  @inline(__always)
  var queueFrameSize: Int {
    hasGyro ? BMI160Chip.queueFrameSize : BMI160Chip.accelQueueFrameSize
  }
}

// Physical settings turned into what the chip has.
extension BMI160Configuration {
  public static func limits(of part: BMI160Part, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: 1600, g: 16, degreesPerSecond: 2000, pins: 2,
      ways: [.dataReady, .fifo, .polling, .detections], detections: BMI160Chip.detections)
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    rate.fit(&settings.rate) { $0.hertz }
    fitScales(&settings)
    detection = BMI160DetectionCodes(
      nearest: &settings.detection, rate: rate, range: accelFullScale)
    chooseFilter(&settings)
    // By its queue the chip is asked ten times a second for what it detects, by its registers at
    // each sample.
    let isAnnounced = readout.keepLateSamples(&settings, where: !detects)
    readout.gather(at: rate.hertz, most: BMI160Chip.longestBatch(of: queueFrameSize))
    if acquisition == .fifo, !isAnnounced {
      settings.batchInterval = TimeSpan(seconds: Scalar(readout.watermark) / rate.hertz)
    }
  }

  @inline(__always)
  public mutating func settle() { writeCommonLines() }

  /// The widest filter that lets no more through than asked, and else the narrowest.
  private mutating func chooseFilter(_ settings: inout SensorSettings) {
    guard let wanted = settings.bandwidth else {
      filter = isUndersampled ? longestAverage : .normal
      settings.bandwidth = cutoff(filter)
      return
    }
    filter = isUndersampled ? longestAverage : .oversampled4
    // The codes of filters widen from 0 up, those of averages narrow.
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

  /// Returns the bandwidth that passes both sensors, Hz.
  private func cutoff(_ mode: BMI160Map.FilterMode) -> Scalar {
    if isUndersampled { return mode.averageCutoff }
    return (hasGyro ? min(rate.accelCutoff, rate.gyroCutoff) : rate.accelCutoff) / mode.divisor
  }
}

// What the filters let through: figures of the data sheet BST-BMI160-DS000-07, sections 2.4.1 and
// 2.4.2, as CurieIMU's driver of the chip gives them too; oversampled twice and four times
// "approximately" a half and a quarter.
extension BMI160Map.Rate {
  /// The frequency at which the accelerometer's normal filter has lost 3 dB, Hz, in x and y; z is
  /// narrower from 400 Hz on (155, 262, 353).
  public var accelCutoff: Scalar {
    let hertz: InlineArray<7, Scalar> = [10.12, 20.25, 40.5, 80, 162, 324, 684]
    return hertz[Int(rawValue) - 6]
  }

  /// The frequency at which the gyroscope's normal filter has lost 3 dB, Hz.
  public var gyroCutoff: Scalar {
    let hertz: InlineArray<7, Scalar> = [10.7, 20.8, 39.9, 74.6, 136.6, 254.6, 523.9]
    return hertz[Int(rawValue) - 6]
  }

  /// The number of the accelerometer's own samples, 1600 a second, for one at this rate.
  var samplesPerOutput: Scalar { 1600 / hertz }
}

extension BMI160Map.FilterMode {
  /// Oversampled by so much, a filter lets so much less through.
  public var divisor: Scalar { Scalar(4 >> Int(rawValue)) }

  /// The number of samples that are averaged in undersampling.
  public var averagedSamples: Scalar { Scalar(1 << Int(rawValue)) }

  /// The frequency at which that average has lost 3 dB, Hz: of n samples at 1600 Hz where sin(n x)
  /// = n sin(x) / sqrt(2); of one, the accelerometer's own filter.
  public var averageCutoff: Scalar {
    switch self {
    case .oversampled4: 684
    case .oversampled2: 400
    case .normal: 182
    }
  }
}
