// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
internal import Sensors

// The configuration table: the contents of every register, with the differences between the two
// maps. All functions are inlined into the driver's one function that builds the table, because the
// abilities are constants there.
extension LSM6DS3Configuration {
  /// Returns all register writes of the configuration except the last write, `running`. The sensors
  /// are enabled last, because rates and FIFO must not change while samples flow.
  @inline(__always)
  func rows(within abilities: DriverAbilities) -> ConfigurationTable {
    let map = LSM6DS3Map()
    var rows = ConfigurationTable()
    let pin = interruptPin
    rows.add(map.ctrl3C) {
      $0.bdu(true) | $0.ifInc(true) | $0.hLactive(pin.isActiveLow) | $0.ppOd(pin.isOpenDrain)
    }
    addPins(&rows)
    rows.add(map.ctrl5C)
    addModesAndFilters(&rows)
    addQueue(&rows)
    rows.add(functionsRunning())
    if abilities.contains(.detections), !functions.kinds.isEmpty { addFunctions(&rows) }
    if readout.passesThrough {
      // The pass-through register is in the main bank. For pass-through the sensor hub's master and
      // pull-ups must be off (AN5130, page 67).
      rows.add(map.masterConfig) { $0.passThroughMode(true) }
    }
    if family == .lsm6ds3 {
      // On the older register map the accelerometer's axes must be enabled. On the newer map the
      // bits of the axes belong to DEN, which stays off.
      rows.add(map.ctrl9Xl) { $0.zenXl(true) | $0.yenXl(true) | $0.xenXl(true) }
    }
    rows.add(map.ctrl2G) { $0.odrG(isAccelAlone ? .off : rate) | $0.fsG(gyroFullScale) }
    return rows
  }

  /// Adds the register writes that route events to the pins. The gyroscope's flag signals samples,
  /// because the gyroscope's data is ready last. Detections use a pin that samples do not use.
  @inline(__always)
  private func addPins(_ rows: inout ConfigurationTable) {
    let map = LSM6DS3Map()
    let sampling: UInt8 = interruptPin.number
    let detecting = detectingPin
    let kinds = functions.kinds
    rows.add(map.int2Ctrl) {
      sampling == 2
        ? $0.int2Fth(isQueued) | $0.int2DrdyG(signalsGyro) | $0.int2DrdyXl(signalsAccel) : .nothing
    }
    rows.add(map.int1Ctrl) {
      (sampling == 1
        ? $0.int1Fth(isQueued) | $0.int1DrdyG(signalsGyro) | $0.int1DrdyXl(signalsAccel) : .nothing)
        | $0.int1StepDetector(latchesSteps && kinds.contains(.step))
        | $0.int1SignMot(latchesSteps && kinds.contains(.significantMotion))
    }
    guard !kinds.isEmpty else { return }
    if detecting == 1 {
      rows.add(map.md1Cfg) {
        $0.int1InactState(kinds.contains(.noMotion)) | $0.int1SingleTap(kinds.contains(.singleTap))
          | $0.int1Wu(kinds.contains(.motion)) | $0.int1Ff(kinds.contains(.freeFall))
          | $0.int1DoubleTap(kinds.contains(.doubleTap))
          | $0.int16d(kinds.contains(.orientation)) | $0.int1Tilt(kinds.contains(.tilt))
      }
    } else {
      rows.add(map.md2Cfg) {
        $0.int2InactState(kinds.contains(.noMotion)) | $0.int2SingleTap(kinds.contains(.singleTap))
          | $0.int2Wu(kinds.contains(.motion)) | $0.int2Ff(kinds.contains(.freeFall))
          | $0.int2DoubleTap(kinds.contains(.doubleTap))
          | $0.int26d(kinds.contains(.orientation)) | $0.int2Tilt(kinds.contains(.tilt))
      }
    }
  }

  @inline(__always)
  private var signalsGyro: Bool { acquisition == .dataReady && !isAccelAlone }
  @inline(__always)
  private var signalsAccel: Bool { acquisition == .dataReady && isAccelAlone }

  /// The pin for detections. Sources are latched only if they are routed to a pin (AN5130, pages 35
  /// and 36). So if samples use one pin, detections are routed to the other pin even if that pin is
  /// not wired.
  @inline(__always)
  private var detectingPin: UInt8 {
    switch acquisition {
    case .detections: interruptPin.number
    case .polling: 1
    case .dataReady, .fifo: 3 - interruptPin.number
    }
  }

  /// True if steps and significant motion are latched. For this they must be routed to INT1,
  /// because INT2_CTRL has only delayed steps and no significant motion. They are routed to INT1
  /// even if that pin is not wired, unless samples use the pin. Without this route a poll can miss
  /// a significant motion, but the step counter misses no step.
  @inline(__always)
  private var latchesSteps: Bool {
    switch acquisition {
    case .detections, .polling: true
    case .dataReady, .fifo: interruptPin.number == 2
    }
  }

  /// True if the wired interrupt line signals every requested detection.
  var isFullyRouted: Bool {
    interruptPin.number == 1 || functions.kinds.isDisjoint(with: [.step, .significantMotion])
  }

  /// Adds CTRL4_C, CTRL6_C and register 0x0B, which differ between the two register maps. On the
  /// newer map they select the gyroscope's filter and pulses on the interrupt line. On the older
  /// map, a bit of CTRL4_C lets CTRL1_XL select the analogue filter, which otherwise follows the
  /// rate; register 0x0B changes the signs of axes; and the interrupt line stays high until a read.
  @inline(__always)
  private func addModesAndFilters(_ rows: inout ConfigurationTable) {
    let map = LSM6DS3Map()
    let newer = LSM6DS3TRCMap()
    let isNewer = family == .lsm6ds3trc
    let isLow = power == .low
    rows.add(newer.ctrl6C) { $0.xlHmMode(isLow) | $0.ftype(filters.gyroLowPass ?? .strong) }
    rows.add(map.ctrl7G) { $0.gHmMode(isLow) }
    rows.add(map.ctrl8Xl) {
      $0.lpf2XlEn(filters.lowPass != nil) | $0.hpcfXl(filters.lowPass ?? .rateBy50)
    }
    if isNewer {
      rows.add(newer.ctrl4C) { $0.lpf1SelG(filters.gyroLowPass != nil) }
    } else {
      rows.add(map.ctrl4C) { $0.xlBwScalOdr(true) }
    }
    rows.add(newer.drdyPulseCfgG) { $0.drdyPulsed(isNewer && acquisition == .dataReady) }
  }

  @inline(__always)
  private func addQueue(_ rows: inout ConfigurationTable) {
    let map = LSM6DS3Map()
    let words = isQueued ? readout.watermark * setWords : 0
    let high = UInt8(truncatingIfNeeded: words >> 8)
    rows.add(map.fifoCtrl1) { $0.value(UInt8(truncatingIfNeeded: words)) }
    // On one register map, bit 3 belongs to the watermark; on the other map, it puts temperatures
    // into the FIFO. Watermarks are always small enough to leave this bit 0.
    rows.add(map.fifoCtrl2) { $0.fth(high) }
    rows.add(map.fifoCtrl3) {
      $0.decFifoGyro(isQueued && !isAccelAlone ? .every1 : .absent)
        | $0.decFifoXl(isQueued ? .every1 : .absent)
    }
    rows.add(map.fifoCtrl4)
  }

  /// Adds the register writes for the embedded functions, in which the two register maps differ
  /// most. On the older map pedometer and tilt are in TAP_CFG and inactivity is in WAKE_UP_THS. On
  /// the newer map these functions are in CTRL10_C and TAP_CFG, whose bit 7 enables the interrupts
  /// of the basic functions.
  @inline(__always)
  private func addFunctions(_ rows: inout ConfigurationTable) {
    let map = LSM6DS3Map()
    let kinds = functions.kinds
    let taps = !kinds.isDisjoint(with: [.singleTap, .doubleTap])
    let inactivity = kinds.contains(.noMotion)
    rows.add(map.tapThs6d) {
      // The possible angles are 80, 70, 60 and 50 degrees. An angle of 60 degrees separates the six
      // sides with the widest margin.
      $0.sixdThs(.degrees60) | $0.tapThs(functions.tapThreshold)
    }
    rows.add(map.intDur2) {
      $0.dur(functions.gap) | $0.quiet(functions.quiet) | $0.shock(functions.shock)
    }
    rows.add(map.wakeUpDur) {
      $0.ffDur(functions.freeFallDuration & 0x20 != 0) | $0.wakeDur(functions.wakeDuration)
        | $0.sleepDur(functions.sleepDuration)
    }
    rows.add(map.freeFall) {
      $0.ffDur(functions.freeFallDuration & 0x1F) | $0.ffThs(functions.freeFallThreshold)
    }
    switch family {
    case .lsm6ds3:
      rows.add(map.wakeUpThs) {
        $0.singleDoubleTap(kinds.contains(.doubleTap)) | $0.inactivity(inactivity)
          | $0.wkThs(functions.wakeThreshold)
      }
      rows.add(map.tapCfg) {
        $0.pedoEn(kinds.contains(.step)) | $0.tiltEn(kinds.contains(.tilt)) | $0.tapXEn(taps)
          | $0.tapYEn(taps) | $0.tapZEn(taps) | $0.lir(true)
      }
    case .lsm6ds3trc:
      let newer = LSM6DS3TRCMap()
      rows.add(newer.wakeUpThs) {
        $0.singleDoubleTap(kinds.contains(.doubleTap)) | $0.wkThs(functions.wakeThreshold)
      }
      rows.add(newer.tapCfg) {
        $0.interruptsEnable(true) | $0.inactEn(inactivity ? .gyroAsBefore : .off)
          | $0.tapXEn(taps) | $0.tapYEn(taps) | $0.tapZEn(taps) | $0.lir(true)
      }
    }
  }

  /// Returns CTRL10_C. On the older register map the gyroscope does not work unless its axes are
  /// enabled here; on the newer map the same bits enable functions. The bit that holds the step
  /// counter at 0 does not clear itself.
  @inline(__always)
  func functionsRunning(resettingSteps: Bool = false) -> RegisterValue {
    let kinds = functions.kinds
    let isOn = !kinds.isDisjoint(with: LSM6Functions.advanced)
    switch family {
    case .lsm6ds3:
      return RegisterValue(LSM6DS3Map().ctrl10C) {
        $0.zenG(true) | $0.yenG(true) | $0.xenG(true) | $0.funcEn(isOn)
          | $0.pedoRstStep(resettingSteps) | $0.signMotionEn(kinds.contains(.significantMotion))
      }
    case .lsm6ds3trc:
      return RegisterValue(LSM6DS3TRCMap().ctrl10C) {
        $0.pedoEn(kinds.contains(.step)) | $0.tiltEn(kinds.contains(.tilt)) | $0.funcEn(isOn)
          | $0.pedoRstStep(resettingSteps) | $0.signMotionEn(kinds.contains(.significantMotion))
      }
    }
  }

  public var queueRunning: RegisterValue { queue(.continuous) }

  public var queueStopped: RegisterValue { queue(.bypass) }

  private func queue(_ mode: LSM6DS3Map.QueueMode) -> RegisterValue {
    RegisterValue(LSM6DS3Map().fifoCtrl5) { $0.odrFifo(rate) | $0.fifoMode(mode) }
  }

  @inline(never)
  public var running: RegisterValue {
    switch family {
    case .lsm6ds3:
      RegisterValue(LSM6DS3Map().ctrl1Xl) {
        $0.odrXl(rate) | $0.fsXl(accelFullScale) | $0.bwXl(filters.antiAlias)
      }
    case .lsm6ds3trc:
      RegisterValue(LSM6DS3TRCMap().ctrl1Xl) {
        $0.odrXl(rate) | $0.fsXl(accelFullScale) | $0.lpf1BwSel(filters.isQuarter)
          | $0.bw0Xl(filters.isQuarter && rate == .hz1660)
      }
    }
  }
}
