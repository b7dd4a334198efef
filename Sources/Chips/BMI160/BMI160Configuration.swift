// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// Physical settings turned into what the chip has; `line(_:)` has its registers.
struct BMI160Configuration: Sendable {
  /// The settings that the chip really has.
  var settings: SensorSettings
  var rate = BMI160Map.Rate.hz1600
  var accelRange = BMI160Map.AccelRange.g16
  var gyroRange = BMI160Map.GyroRange.dps2000
  var filter = BMI160Map.FilterMode.normal
  /// Whether the accelerometer sleeps between its samples.
  var isUndersampled = false
  var detection: BMI160DetectionCodes
  /// Frames that the queue gathers before they are read.
  var batch = 1

  init(_ settings: SensorSettings) {
    self.settings = settings
    // The slowest rate that is not slower than asked.
    for candidate in BMI160Map.Rate.allCases.reversed()
    where candidate.hertz >= settings.rate * 0.999 {
      rate = candidate
    }
    self.settings.rate = rate.hertz
    // The smallest full scale that holds what was asked.
    for candidate in BMI160Map.AccelRange.allCases.reversed()
    where candidate.g >= settings.accelerationRange * 0.999 {
      accelRange = candidate
    }
    self.settings.accelerationRange = accelRange.g
    for candidate in BMI160Map.GyroRange.allCases
    where radians(fromDegrees: candidate.degreesPerSecond) >= settings.rotationRateRange * 0.999 {
      gyroRange = candidate
    }
    self.settings.rotationRateRange = radians(fromDegrees: gyroRange.degreesPerSecond)
    detection = BMI160DetectionCodes(settings.detection, rate: rate, range: accelRange)
    self.settings.detection = detection.settings
    // The auxiliary bus ends in the chip.
    self.settings.passesThrough = false
    chooseFilter()
    let frames = (settings.batchInterval.seconds * rate.hertz).rounded(.down)
    batch = Int(min(max(frames, 1), Scalar(BMI160Facts.longestBatch(of: queueFrameSize))))
    if settings.acquisition == .fifo {
      self.settings.batchInterval = TimeSpan(seconds: Scalar(batch) / rate.hertz)
    }
  }

  /// `nil` where a rate or range is not positive and finite or beyond the chip, where it lacks the pin, or where only
  /// detections are wanted and none of them is the chip's.
  init?(checking settings: SensorSettings) {
    guard settings.rate > 0, settings.rate <= 1601.6,
      settings.accelerationRange > 0, settings.accelerationRange <= 16.02,
      settings.rotationRateRange > 0,
      settings.rotationRateRange <= radians(fromDegrees: 2002),
      (1...2).contains(settings.interruptPin.number)
    else { return nil }
    self.init(settings)
    if settings.acquisition == .detections, !detects { return nil }
  }

  /// The widest filter that lets no more through than asked, and else the narrowest.
  private mutating func chooseFilter() {
    // An average of n samples cannot be slept between where a period has no more than n of them: then the
    // accelerometer stays awake (data sheet, section 2.4.1.2: skipped samples = 1600 / rate - averaged samples).
    isUndersampled = settings.power == .low && rate.samplesPerOutput > 1
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

  /// What passes both sensors, Hz.
  private func cutoff(_ mode: BMI160Map.FilterMode) -> Scalar {
    if isUndersampled { return mode.averageCutoff }
    return (hasGyro ? min(rate.accelCutoff, rate.gyroCutoff) : rate.accelCutoff) / mode.divisor
  }

  /// Nothing that the chip detects needs its gyroscope.
  var hasGyro: Bool { settings.power == .normal && settings.acquisition != .detections }

  var detects: Bool { !settings.detection.kinds.isEmpty }

  /// What PMU_STATUS says of sensors that do as they shall.
  var power: Change {
    BMI160Map().pmuStatus.change {
      $0.accPmuStatus(isUndersampled ? .lowPower : .normal)
        | $0.gyrPmuStatus(hasGyro ? .normal : .suspend)
    }
  }

  /// Bytes of a frame of the queue.
  var queueFrameSize: Int {
    hasGyro ? BMI160Facts.queueFrameSize : BMI160Facts.accelQueueFrameSize
  }

  /// Bytes of a frame out of the registers, which always ends with the temperature.
  var registerFrameSize: Int {
    hasGyro ? BMI160Facts.registerFrameSize : BMI160Facts.accelRegisterFrameSize
  }
}
