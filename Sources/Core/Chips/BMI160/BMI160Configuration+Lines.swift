// SPDX-License-Identifier: Apache-2.0
internal import Registers
internal import Sensors

// The table that is written at start and verified while running.
extension BMI160Configuration {
  /// FIFO_CONFIG_0, in units of four bytes. The level lies inside the batch's last frame, so both
  /// "at least" and "more than" comparisons work.
  @inline(__always)
  var watermark: UInt8 { UInt8(truncatingIfNeeded: (readout.watermark * queueFrameSize - 1) / 4) }

  /// The index of `runningQueue` in the table.
  static var runningQueueLine: Int { 6 }

  /// FIFO_CONFIG_1, which starts the FIFO. With headers each frame identifies itself, so a
  /// misalignment is found at the next frame, and an overflow reports its lost frames while the
  /// rest of the FIFO stays valid.
  @inline(__always)
  var runningQueue: RegisterValue {
    let queue = acquisition == .fifo
    return RegisterValue(BMI160Map().fifoConfig1) {
      $0.fifoHeaderEn(true) | $0.fifoGyrEn(queue && hasGyro) | $0.fifoAccEn(queue)
    }
  }

  /// Fills the table from the codes.
  @inline(__always)
  mutating func writeCommonLines() {
    let map = BMI160Map()
    let queue = acquisition == .fifo
    let pulses = acquisition == .dataReady
    let pin = interruptPin
    let isSecond = pin.number == 2
    common = [
      RegisterValue(map.accConf) { $0.accUs(isUndersampled) | $0.accBwp(filter) | $0.accOdr(rate) },
      RegisterValue(map.accRange) { $0(accelFullScale) },
      RegisterValue(map.gyrConf) { $0.gyrBwp(hasGyro ? filter : .normal) | $0.gyrOdr(rate) },
      RegisterValue(map.gyrRange) { $0(gyroFullScale) },
      // Filtered samples, without downsampling.
      RegisterValue(map.fifoDowns) { $0.accFifoFiltData(true) | $0.gyrFifoFiltData(true) },
      RegisterValue(map.fifoConfig0) { $0.value(watermark) }, runningQueue,
      RegisterValue(map.intOutCtrl) {
        isSecond
          ? $0.int2OutputEn(true) | $0.int2Lvl(!pin.isActiveLow) | $0.int2Od(pin.isOpenDrain)
          : $0.int1OutputEn(true) | $0.int1Lvl(!pin.isActiveLow) | $0.int1Od(pin.isOpenDrain)
      },
      // A pulse per sample, or a level while the FIFO is above its watermark. Detections are
      // latched until reset.
      RegisterValue(map.intLatch) { $0.intLatch(detects ? 0x0F : 0) },
      RegisterValue(map.intMap1) {
        isSecond ? $0.int2Drdy(pulses) | $0.int2Fwm(queue) : $0.int1Drdy(pulses) | $0.int1Fwm(queue)
      },
      RegisterValue(map.intEn1) {
        $0.drdyEn(pulses) | $0.fwmEn(queue) | $0.lowgEn(detection.kinds.contains(.freeFall))
      },
    ]
  }

  /// Returns a row for the detections: thresholds first, enable bits last.
  func detectionLine(_ index: Int) -> RegisterValue? {
    let map = BMI160Map()
    let kinds = detection.kinds
    let pin = acquisition == .detections ? interruptPin.number : 0
    let moves = kinds.contains(.motion) || kinds.contains(.significantMotion)
    switch index {
    case 0: return RegisterValue(map.intLowhigh0) { $0.value(detection.freeFallDuration) }
    case 1: return RegisterValue(map.intLowhigh1) { $0.value(detection.freeFallThreshold) }
    // Each axis separately, with a hysteresis of 125 mg. Section 2.6.7: parts that do not have this
    // choice compare the sum of the three.
    case 2: return RegisterValue(map.intLowhigh2) { $0.highHy(2) | $0.lowMode(false) | $0.lowHy(1) }
    case 3:
      return RegisterValue(map.intMotion0) {
        $0.slowNoMotDur(detection.stillDuration) | $0.anymDur(detection.motionDuration)
      }
    case 4: return RegisterValue(map.intMotion1) { $0.value(detection.motionThreshold) }
    case 5: return RegisterValue(map.intMotion2) { $0.value(detection.motionThreshold) }
    // Significant motion: motion, a 3 s pause, and motion again within the following second.
    case 6:
      return RegisterValue(map.intMotion3) {
        $0.sigMotProof(2) | $0.sigMotSkip(1) | $0.noMotSel(true)
          | $0.sigMotSel(kinds.contains(.significantMotion))
      }
    // 30 ms of quiet after a 50 ms shock; the second tap of two within 250 ms.
    case 7:
      return RegisterValue(map.intTap0) { $0.tapQuiet(false) | $0.tapShock(false) | $0.tapDur(4) }
    case 8: return RegisterValue(map.intTap1) { $0(detection.tapThreshold) }
    // 62.5 mg of hysteresis, blocked during motion or within 20 degrees of flat; up and down are
    // reported too.
    case 9:
      return RegisterValue(map.intOrient0) {
        $0.orientHyst(1) | $0.orientBlocking(2) | $0.orientMode(0)
      }
    case 10:
      return RegisterValue(map.intOrient1) {
        $0.orientAxesEx(false) | $0.orientUdEn(true) | $0.orientTheta(8)
      }
    // Flat within 20 degrees for 640 ms.
    case 11: return RegisterValue(map.intFlat0) { $0(8) }
    case 12: return RegisterValue(map.intFlat1) { $0.flatHoldTime(1) | $0.flatHy(1) }
    // Bosch's values for normal sensitivity, 0x15 and 3 (section 2.11, STEP_CONF).
    case 13: return RegisterValue(map.stepConf0) { $0.value(0x15) }
    case 14:
      return RegisterValue(map.stepConf1) {
        $0.stepConf108(3) | $0.stepCntEn(kinds.contains(.step))
      }
    case 15: return RegisterValue(map.intMap0) { pin == 1 ? routed($0) : .nothing }
    case 16: return RegisterValue(map.intMap2) { pin == 2 ? routed($0) : .nothing }
    case 17:
      return RegisterValue(map.intEn0) {
        $0.flatEn(kinds.contains(.flat)) | $0.orientEn(kinds.contains(.orientation))
          | $0.sTapEn(kinds.contains(.singleTap)) | $0.dTapEn(kinds.contains(.doubleTap))
          | $0.anymoX(moves) | $0.anymoY(moves) | $0.anymoZ(moves)
      }
    case 18:
      let rests = kinds.contains(.noMotion)
      return RegisterValue(map.intEn2) {
        $0.stepDetEn(kinds.contains(.step)) | $0.nomoX(rests) | $0.nomoY(rests) | $0.nomoZ(rests)
      }
    default: return nil
    }
  }

  private func routed(_ pin: BMI160Map.IntMap) -> Change {
    let kinds = detection.kinds
    let moves = kinds.contains(.motion) || kinds.contains(.significantMotion)
    let falls = kinds.contains(.freeFall) || kinds.contains(.step)
    return pin.flat(kinds.contains(.flat)) | pin.orient(kinds.contains(.orientation))
      | pin.sTap(kinds.contains(.singleTap)) | pin.dTap(kinds.contains(.doubleTap))
      | pin.nomotion(kinds.contains(.noMotion)) | pin.anymotion(moves) | pin.lowgStep(falls)
  }
}
