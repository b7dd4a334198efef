// SPDX-License-Identifier: Apache-2.0
internal import Registers
internal import Sensors

// The configuration table: the register contents that are written at start and verified while
// running.
extension MPU6050Configuration {
  private var isQueued: Bool { acquisition == .fifo }

  /// The sensors that fill the FIFO: all sensors, in register order, so that a frame has the layout
  /// of a register burst. If each frame is read immediately, the temperature is left out, which
  /// saves a ninth of the transfer time.
  @inline(__always)
  var queueSources: RegisterValue {
    if part.isICM20602 {
      return RegisterValue(ICM20602Map().fifoEnable) { $0.gyro(!isAccelOnly) | $0.accel(true) }
    }
    return RegisterValue(MPU6050Map().fifoEnable) {
      isAccelOnly
        ? $0.accel(true)
        : $0.temperature(!readout.announcesSamples) | $0.gyroX(true) | $0.gyroY(true)
          | $0.gyroZ(true) | $0.accel(true) | $0.auxiliary0(magnetometerRate != nil)
    }
  }

  /// Returns USER_CTRL with the FIFO enabled or disabled, and with the FIFO's contents kept or
  /// cleared. Without the magnetometer the auxiliary master is off, so that pass-through works. On
  /// SPI every write keeps I2C disabled.
  @inline(__always)
  func userControl(
    queue: Bool, reset: Bool = false, isSPI: Bool
  ) -> RegisterValue {
    RegisterValue(MPU6050Map().userControl) {
      $0.fifoEnable(queue) | $0.fifoReset(reset) | $0.i2cDisable(isSPI && !part.isICM20602)
        | $0.auxiliaryMasterEnable(magnetometerRate != nil)
    }
  }

  /// The value of PWR_MGMT_1 while the chip is awake. The gyroscope's oscillator is more stable
  /// than the internal oscillator, but stops when the gyroscope is in standby.
  @inline(__always)
  private var awake: RegisterValue {
    RegisterValue(MPU6050Map().power1) {
      $0.clockSource(isAccelOnly ? .internalOscillator : .gyroX)
    }
  }

  /// The contents of PWR_MGMT_1 while running. A brown-out clears the register.
  @inline(__always)
  var powerRunning: RegisterValue {
    guard cycles else { return awake }
    // In cycle mode CYCLE is set with SLEEP clear, the thermometer is off and the gyroscope is in
    // standby (register map 4.28).
    return RegisterValue(MPU6050Map().power1) { $0.cycle(true) | $0.temperatureDisable(true) }
  }

  /// The number of register writes that configure the part, including the writes for the
  /// magnetometer if the magnetometer is sampled.
  @inline(__always)
  private var lineCount: Int {
    switch part.generation {
    case .mpu6050: 8
    case .icm20600: 9
    case .mpu6500: magnetometerRate == nil ? 12 : 16
    }
  }

  /// Returns the register contents at `index` that are verified while the chip runs. They differ
  /// from the configuration in two places: the power register, and the register after the
  /// configuration, which selects which sensors fill the FIFO.
  @inline(__always)
  func runningRow(_ index: Int, isSPI: Bool) -> RegisterValue? {
    if index == 0 { return powerRunning }
    switch index - lineCount {
    case 0: return userControl(queue: isQueued, isSPI: isSPI)
    case 1 where isQueued: return queueSources
    default: return nil
    }
  }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write.
  @inline(__always)
  func row(_ index: Int) -> RegisterValue? {
    let map = MPU6050Map()
    let later = MPU6500Map()
    guard index < lineCount else { return nil }
    switch index {
    case 0: return awake
    case 1:
      return RegisterValue(map.power2) {
        $0.standbyGyroX(isAccelOnly) | $0.standbyGyroY(isAccelOnly) | $0.standbyGyroZ(isAccelOnly)
          | $0.wakeRate(part.generation == .mpu6050 ? cycleCode : 0)
      }
    case 2: return RegisterValue(map.sampleRateDivider) { $0.value(divider) }
    case 3: return RegisterValue(map.config) { $0.lowPassFilter(lowPassFilter) }
    case 4: return RegisterValue(map.gyroConfig) { $0.fullScale(gyroFullScale) }
    case 5: return RegisterValue(map.accelConfig) { $0.fullScale(accelFullScale) }
    // The pin gives a 50 us pulse per sample, because a level that is held until a read would hide
    // later samples.
    case 6:
      return RegisterValue(map.interruptPin) {
        $0.activeLow(interruptPin.isActiveLow) | $0.openDrain(interruptPin.isOpenDrain)
          | $0.auxiliaryBypass(readout.passesThrough)
      }
    case 7:
      // The enable bit of the data-ready interrupt is set, because not every part has a document
      // which states that the data-ready flag is set without this bit. (i2cdevlib and Bolder
      // Flight's library poll the flag without the enable bit.) When the driver polls, the pulses
      // are unused.
      let flag = isOnPin || acquisition == .polling
      return RegisterValue(map.interruptEnable) {
        $0.dataReady(flag) | $0.motion(motionThreshold > 0)
      }
    case 8: return RegisterValue(later.accelConfig2) { $0.lowPassFilter(lowPassFilter) }
    case 9: return RegisterValue(later.lowPowerRate) { $0(cycleCode) }
    case 10: return RegisterValue(later.wakeOnMotionThreshold) { $0.value(motionThreshold) }
    case 11:
      return RegisterValue(later.motionControl) {
        $0.enable(motionThreshold > 0) | $0.comparesWithPrevious(motionThreshold > 0)
      }
    // The auxiliary clock is 400 kHz (code 13). Data-ready is delayed until the magnetometer's
    // words have been read, so that these words are as new as the sample.
    case 12: return RegisterValue(map.auxiliaryControl) { $0.waitsForExternal(true) | $0.clock(13) }
    case 13:
      return RegisterValue(map.slave0Address) {
        $0.isRead(true) | $0.address(AK8963Configuration.auxiliaryAddress)
      }
    case 14:
      return RegisterValue(map.slave0Register) { $0.value(AK8963Part.ak8963.auxiliaryRegister) }
    case 15:
      return RegisterValue(map.slave0Control) {
        $0.enable(true) | $0.length(UInt8(MPU6050Chip.magnetometerBytes))
      }
    default: return nil
    }
  }
}
