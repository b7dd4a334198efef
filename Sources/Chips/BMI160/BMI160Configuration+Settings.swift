// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
public import Sensors

// Physical settings turned into what the chip has.
extension BMI160Configuration {
  /// Creates the codes nearest to `settings`, which become what the chip really has.
  public init(nearest settings: inout SensorSettings, of part: BMI160Part, isSPI: Bool) {
    self.init(
      rate: .hz1600, accelRange: .g16, gyroRange: .dps2000, acquisition: settings.acquisition,
      power: settings.power, interruptPin: settings.interruptPin,
      assumedIdentity: settings.assumedIdentity)
    rate = .smallest(holding: settings.rate, orElse: rate) { $0.hertz }
    settings.rate = rate.hertz
    accelRange = .smallest(holding: settings.accelerationRange, orElse: accelRange) { $0.g }
    settings.accelerationRange = accelRange.g
    gyroRange = .smallest(holding: settings.rotationRateRange, orElse: gyroRange) {
      $0.radiansPerSecond
    }
    settings.rotationRateRange = gyroRange.radiansPerSecond
    detection = BMI160DetectionCodes(nearest: &settings.detection, rate: rate, range: accelRange)
    // The auxiliary bus ends in the chip.
    settings.passesThrough = false
    chooseFilter(&settings)
    // By its queue the chip is asked ten times a second for what it detects, by its registers at
    // each sample.
    settings.keepsLateSamples =
      settings.keepsLateSamples && acquisition == .dataReady && !detects
    announcesFrames = settings.keepsLateSamples
    if announcesFrames { acquisition = .fifo }
    let frames = (settings.batchInterval.seconds * rate.hertz).rounded(.down)
    batch =
      announcesFrames
      ? 1 : Int(min(max(frames, 1), Scalar(BMI160Chip.longestBatch(of: queueFrameSize))))
    if acquisition == .fifo, !announcesFrames {
      settings.batchInterval = TimeSpan(seconds: Scalar(batch) / rate.hertz)
    }
    writeCommonLines()
  }

  /// Creates the codes; `nil` where a rate or range is not positive and finite or beyond the chip,
  /// where it lacks the pin, or where only detections are wanted and none of them is the chip's.
  public init?(checking settings: inout SensorSettings, of part: BMI160Part, isSPI: Bool) {
    guard settings.isWithin(rate: 1600, g: 16, degreesPerSecond: 2000, pins: 2)
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
    if acquisition == .detections, !detects { return nil }
  }

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
