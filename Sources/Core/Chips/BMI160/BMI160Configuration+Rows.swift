// SPDX-License-Identifier: Apache-2.0
internal import Registers
internal import Sensors

// The configuration table, which is written at start and verified while the driver runs.
extension BMI160Configuration {
  /// The value of FIFO_CONFIG_0, in units of four bytes. This watermark lies inside the last frame
  /// of a batch. It therefore takes effect at the same frame whether the chip compares with "at
  /// least" or with "more than".
  @inline(__always)
  var watermark: UInt8 { UInt8(truncatingIfNeeded: (readout.watermark * queueFrameSize - 1) / 4) }

  /// The index of `runningQueue` in the configuration table.
  static var runningQueueRow: Int { 6 }

  /// The value of FIFO_CONFIG_1 that starts the FIFO. Because the frames have headers, a
  /// misalignment is found at the next frame, and after an overflow the chip reports the number of
  /// lost frames.
  @inline(__always)
  var runningQueue: RegisterValue {
    let queue = acquisition == .fifo
    return RegisterValue(BMI160Map().fifoConfig1) {
      $0.fifoHeaderEn(true) | $0.fifoGyrEn(queue && hasGyro) | $0.fifoAccEn(queue)
    }
  }

  /// Fills the configuration table from the register codes.
  @inline(__always)
  mutating func writeCommonRows() {
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
      // The FIFO stores filtered samples without downsampling.
      RegisterValue(map.fifoDowns) { $0.accFifoFiltData(true) | $0.gyrFifoFiltData(true) },
      RegisterValue(map.fifoConfig0) { $0.value(watermark) }, runningQueue,
      RegisterValue(map.intOutCtrl) {
        isSecond
          ? $0.int2OutputEn(true) | $0.int2Lvl(!pin.isActiveLow) | $0.int2Od(pin.isOpenDrain)
          : $0.int1OutputEn(true) | $0.int1Lvl(!pin.isActiveLow) | $0.int1Od(pin.isOpenDrain)
      },
      // The interrupt pin gives a pulse per sample, or stays high while the FIFO is above its
      // watermark. Detections are latched until reset.
      RegisterValue(map.intLatch) { $0.intLatch(detects ? 0x0F : 0) },
      RegisterValue(map.intMap1) {
        isSecond ? $0.int2Drdy(pulses) | $0.int2Fwm(queue) : $0.int1Drdy(pulses) | $0.int1Fwm(queue)
      },
      RegisterValue(map.intEn1) {
        $0.drdyEn(pulses) | $0.fwmEn(queue) | $0.lowgEn(detection.kinds.contains(.freeFall))
      },
    ]
  }

  /// Returns the register write at `index` of the sequence that configures the detections:
  /// thresholds first, enable bits last.
  func detectionRow(_ index: Int) -> RegisterValue? {
    let map = BMI160Map()
    let kinds = detection.kinds
    let pin = acquisition == .detections ? interruptPin.number : 0
    let moves = kinds.contains(.motion) || kinds.contains(.significantMotion)
    switch index {
    case 0: return RegisterValue(map.intLowhigh0) { $0.value(detection.freeFallDuration) }
    case 1: return RegisterValue(map.intLowhigh1) { $0.value(detection.freeFallThreshold) }
    // Free fall is detected if each axis is below the threshold, with a hysteresis of 125 mg. Parts
    // that do not offer the choice between each axis and the sum always compare the sum of the
    // three axes (section 2.6.7).
    case 2: return RegisterValue(map.intLowhigh2) { $0.highHy(2) | $0.lowMode(false) | $0.lowHy(1) }
    case 3:
      return RegisterValue(map.intMotion0) {
        $0.slowNoMotDur(detection.stillDuration) | $0.anymDur(detection.motionDuration)
      }
    case 4: return RegisterValue(map.intMotion1) { $0.value(detection.motionThreshold) }
    case 5: return RegisterValue(map.intMotion2) { $0.value(detection.motionThreshold) }
    // Significant motion is motion, a pause of 3 s, and motion again within the following second.
    case 6:
      return RegisterValue(map.intMotion3) {
        $0.sigMotProof(2) | $0.sigMotSkip(1) | $0.noMotSel(true)
          | $0.sigMotSel(kinds.contains(.significantMotion))
      }
    // A tap is a shock of 50 ms and 30 ms of quiet; a double tap has its second tap within 250 ms.
    case 7:
      return RegisterValue(map.intTap0) { $0.tapQuiet(false) | $0.tapShock(false) | $0.tapDur(4) }
    case 8: return RegisterValue(map.intTap1) { $0(detection.tapThreshold) }
    // The orientation has 62.5 mg of hysteresis. It does not change during motion, or while the
    // chip is within 20 degrees of flat. Changes between face up and face down are reported too.
    case 9:
      return RegisterValue(map.intOrient0) {
        $0.orientHyst(1) | $0.orientBlocking(2) | $0.orientMode(0)
      }
    case 10:
      return RegisterValue(map.intOrient1) {
        $0.orientAxesEx(false) | $0.orientUdEn(true) | $0.orientTheta(8)
      }
    // Flat means within 20 degrees of horizontal for 640 ms.
    case 11: return RegisterValue(map.intFlat0) { $0(8) }
    case 12: return RegisterValue(map.intFlat1) { $0.flatHoldTime(1) | $0.flatHy(1) }
    // STEP_CONF 0x15 and 3 are Bosch's values for normal sensitivity (section 2.11).
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
