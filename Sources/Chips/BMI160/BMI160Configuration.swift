// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// Physical settings turned into register contents: a table that is written at start and compared while running.
struct BMI160Configuration: Sendable {
  /// The settings that the chip really has.
  var settings: SensorSettings
  var rate = BMI160Map.Rate.hz1600
  var accelRange = BMI160Map.AccelRange.g16
  var gyroRange = BMI160Map.GyroRange.dps2000
  /// Frames that the queue gathers before they are read.
  var batch: Int

  init(_ settings: SensorSettings) {
    self.settings = settings
    // The slowest rate that is not slower than asked.
    for candidate in BMI160Map.Rate.allCases.reversed()
    where candidate.hertz >= settings.rate * 0.999 {
      rate = candidate
    }
    self.settings.rate = rate.hertz
    // The filter follows the rate; there is no choice of it in normal mode.
    self.settings.bandwidth = nil
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
    let frames = (settings.batchInterval.seconds * rate.hertz).rounded(.down)
    batch = Int(min(max(frames, 1), Double(BMI160Facts.longestBatch)))
    if settings.acquisition == .fifo {
      self.settings.batchInterval = TimeSpan(seconds: Double(batch) / rate.hertz)
    }
  }

  /// `nil` where a rate or range is not positive and finite, or beyond the chip.
  init?(checking settings: SensorSettings) {
    guard settings.acquisition != .detections, settings.rate > 0, settings.rate <= 1601.6,
      settings.accelerationRange > 0, settings.accelerationRange <= 16.02,
      settings.rotationRateRange > 0,
      settings.rotationRateRange <= radians(fromDegrees: 2002)
    else { return nil }
    self.init(settings)
  }

  /// FIFO_CONFIG_0, in units of four bytes. The level lies inside the batch's last frame, so it does not matter
  /// whether the chip compares with "at least" or with "more than".
  var watermark: UInt8 { UInt8((batch * BMI160Facts.queueFrameSize - 1) / 4) }

  /// Line `index` of the configuration; `nil` past the last.
  func line(_ index: Int) -> RegisterValue? {
    let map = BMI160Map()
    let queue = settings.acquisition == .fifo
    let pulses = settings.acquisition == .dataReady
    switch index {
    case 0: return RegisterValue(map.accConf) { $0.accBwp(.normal) | $0.accOdr(rate) }
    case 1: return RegisterValue(map.accRange) { $0.accRange(accelRange) }
    case 2: return RegisterValue(map.gyrConf) { $0.gyrBwp(.normal) | $0.gyrOdr(rate) }
    case 3: return RegisterValue(map.gyrRange) { $0.gyrRange(gyroRange) }
    // Filtered samples, every one of them.
    case 4:
      return RegisterValue(map.fifoDowns) { $0.accFifoFiltData(true) | $0.gyrFifoFiltData(true) }
    case 5: return RegisterValue(map.fifoConfig0) { $0.value(watermark) }
    // With headers every frame says what it is, so a step out of line is seen at the next one, and an overflow says
    // how many frames it cost while the rest of the queue stays good. Without them there is nothing to check.
    case 6:
      return RegisterValue(map.fifoConfig1) {
        $0.fifoHeaderEn(true) | $0.fifoGyrEn(queue) | $0.fifoAccEn(queue)
      }
    // Push-pull, active high; a pulse per sample, or a level while the queue is above its watermark.
    case 7: return RegisterValue(map.intOutCtrl) { $0.int1OutputEn(true) | $0.int1Lvl(true) }
    case 8: return RegisterValue(map.intLatch) { _ in .nothing }
    case 9: return RegisterValue(map.intMap1) { $0.int1Drdy(pulses) | $0.int1Fwm(queue) }
    case 10: return RegisterValue(map.intEn1) { $0.drdyEn(pulses) | $0.fwmEn(queue) }
    default: return nil
    }
  }
}
