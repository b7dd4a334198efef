// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// Physical settings turned into register contents, for either map: a table that is written at start and compared
/// while running.
struct LSM6DS3Configuration: Sendable {
  /// The settings that the chip really has.
  var settings: SensorSettings
  var rate: LSM6DS3Map.OutputRate
  var accelFullScale: LSM6DS3Map.AccelFullScale
  var gyroFullScale: LSM6DS3Map.GyroFullScale
  /// Sets in the queue that raise its line.
  var watermark: Int

  init(_ settings: SensorSettings) {
    self.settings = settings
    // The slowest rate that is not slower than asked.
    rate = .hz1660
    for code in LSM6DS3Map.OutputRate.allCases.reversed()
    where code != .off && code.hertz <= 1660 && code.hertz >= settings.rate * 0.999 {
      rate = code
    }
    self.settings.rate = rate.hertz
    // Each sensor's own filter follows its rate; the accelerometer's is half of it.
    self.settings.bandwidth = rate.hertz / 2
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
    // Half of the smaller queue at most, which leaves as long again to come and read it.
    let most = Double(LSM6DS3Family.lsm6ds3trc.queueWords / 2 / LSM6DS3Facts.setWords)
    let sets = (settings.batchInterval.seconds * rate.hertz).rounded(.down)
    watermark = sets >= 1 ? Int(min(sets, most)) : 1
  }

  /// `nil` where a rate or range is not positive and finite, or beyond the chip.
  init?(checking settings: SensorSettings) {
    guard settings.acquisition != .detections, settings.rate > 0, settings.rate <= 1660 * 1.001,
      settings.accelerationRange > 0, settings.accelerationRange <= 16.02,
      settings.rotationRateRange > 0,
      settings.rotationRateRange <= radians(fromDegrees: 2002)
    else { return nil }
    self.init(settings)
  }

  private var isQueued: Bool { settings.acquisition == .fifo }

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
    let map = LSM6DS3Map()
    // The filter bits of both maps are 0: bandwidth by rate.
    return RegisterValue(map.ctrl1Xl) { $0.odrXl(rate) | $0.fsXl(accelFullScale) }
  }

  /// What is compared while running: the table, and the queue in motion.
  func runningLine(_ index: Int, of family: LSM6DS3Family) -> RegisterValue? {
    if index == 0 { return isQueued ? queueRunning : accelRunning }
    return line(index - 1, of: family)
  }

  /// Line `index` of the configuration; `nil` past the last. The sensors come last: rates and queue are not to be
  /// changed while samples flow.
  func line(_ index: Int, of family: LSM6DS3Family) -> RegisterValue? {
    let map = LSM6DS3Map()
    switch index {
    case 0: return RegisterValue(map.ctrl3C) { $0.bdu(true) | $0.ifInc(true) }
    case 1: return RegisterValue(map.int2Ctrl) { _ in .nothing }
    case 2:
      // The gyroscope's flag: it is the later of the two.
      return RegisterValue(map.int1Ctrl) {
        $0.int1Fth(isQueued) | $0.int1DrdyG(settings.acquisition == .dataReady)
      }
    case 3: return RegisterValue(map.ctrl5C) { _ in .nothing }
    case 4: return RegisterValue(map.ctrl6C) { _ in .nothing }
    case 5: return RegisterValue(map.ctrl7G) { _ in .nothing }
    case 6: return RegisterValue(map.ctrl8Xl) { _ in .nothing }
    case 7: return RegisterValue(map.ctrl4C) { _ in .nothing }
    case 8: return pulse(family)
    case 9: return axes(family)
    case 10:
      return RegisterValue(map.fifoCtrl1) {
        $0.value(UInt8(truncatingIfNeeded: watermarkWords))
      }
    case 11: return watermarkHigh(family)
    case 12:
      let decimation: LSM6DS3Map.Decimation = isQueued ? .every1 : .absent
      return RegisterValue(map.fifoCtrl3) { $0.decFifoGyro(decimation) | $0.decFifoXl(decimation) }
    case 13: return RegisterValue(map.fifoCtrl4) { _ in .nothing }
    case 14: return RegisterValue(map.ctrl2G) { $0.odrG(rate) | $0.fsG(gyroFullScale) }
    case 15: return accelRunning
    case 16 where family == .lsm6ds3:
      // The older map's accelerometer needs its axes too; on the newer one these bits are DEN's, which stays off.
      return RegisterValue(map.ctrl9Xl) { $0.zenXl(true) | $0.yenXl(true) | $0.xenXl(true) }
    default: return nil
    }
  }

  private var watermarkWords: Int { isQueued ? watermark * LSM6DS3Facts.setWords : 0 }

  private func watermarkHigh(_ family: LSM6DS3Family) -> RegisterValue {
    let high = UInt8(truncatingIfNeeded: watermarkWords >> 8)
    // Bit 3 is the count's on one map and puts temperatures into the queue on the other; counts stay below it.
    switch family {
    case .lsm6ds3: return RegisterValue(LSM6DS3Map().fifoCtrl2) { $0.fth(high) }
    case .lsm6ds3trc: return RegisterValue(LSM6DS3TRCMap().fifoCtrl2) { $0.fth(high) }
    }
  }

  /// 0x0B: pulses on the newer map; on the older one it turns axes about, and the line stays up until a read.
  private func pulse(_ family: LSM6DS3Family) -> RegisterValue {
    switch family {
    case .lsm6ds3: RegisterValue(LSM6DS3Map().orientCfgG) { _ in .nothing }
    case .lsm6ds3trc:
      RegisterValue(LSM6DS3TRCMap().drdyPulseCfgG) {
        $0.drdyPulsed(settings.acquisition == .dataReady)
      }
    }
  }

  /// 0x19: the older map's gyroscope is dead without its axes; on the newer one the same bits start functions.
  private func axes(_ family: LSM6DS3Family) -> RegisterValue {
    switch family {
    case .lsm6ds3:
      RegisterValue(LSM6DS3Map().ctrl10C) { $0.zenG(true) | $0.yenG(true) | $0.xenG(true) }
    case .lsm6ds3trc: RegisterValue(LSM6DS3TRCMap().ctrl10C) { _ in .nothing }
    }
  }
}
