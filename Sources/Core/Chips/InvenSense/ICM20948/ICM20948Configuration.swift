// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The register codes of the chip's settings. Section numbers refer to DS-000189.
public struct ICM20948Configuration: InertialCodes {
  /// The divider of the rate: the chip takes 1125 / (1 + divider) samples per second. The registers
  /// are GYRO_SMPLRT_DIV and ACCEL_SMPLRT_DIV (sections 10.1, 10.11).
  public var divider: UInt8 = 0
  /// The low-pass filters, whose bandwidths are below half of the rate: GYRO_DLPFCFG (section 10.2)
  /// and ACCEL_DLPFCFG (section 10.15).
  public var gyroFilter = ICM20948Map.LowPassFilter.hz51
  public var accelFilter = ICM20948Map.LowPassFilter.hz51
  /// The full scales of accelerometer and gyroscope: ACCEL_FS_SEL and GYRO_FS_SEL.
  public var accelFullScale = MPU6050Map.AccelFullScale.g16
  public var gyroFullScale = MPU6050Map.GyroFullScale.dps2000
  /// The readout mode. The FIFO is read at intervals. In low power the gyroscope is in standby and
  /// the accelerometer sleeps between samples (sections 8.3, 8.5). `passesThrough` is BYPASS_EN
  /// (section 8.6).
  public var readout = ReadoutMode.polling
  /// The rate of the built-in AK09916, which the chip's auxiliary master reads; `nil` if this
  /// magnetometer is not sampled.
  public var magnetometerRate: AK8963Rate?

  public init() {}

  public func isPossible(isSPI: Bool) -> Bool {
    acquisition != .detections && interruptPin.number == 1 && !(readout.passesThrough && isSPI)
      && magnetometerRate?.isOf(.ak09916) ?? true
  }

  public var abilities: DriverAbilities {
    magnetometerRate == nil ? readout.abilities : readout.abilities.union(.magnetometer)
  }

  @inline(__always)
  public func narrowed(to abilities: DriverAbilities) -> ICM20948Configuration {
    var narrowed = self
    narrowed.readout = readout.narrowed(to: abilities)
    if !abilities.contains(.magnetometer) { narrowed.magnetometerRate = nil }
    return narrowed
  }

  var isAccelOnly: Bool { power == .low }

  /// The size of a frame in bytes, in a batch and in the FIFO.
  var frameSize: Int {
    isAccelOnly
      ? ICM20948Chip.accelFrameSize
      : ICM20948Chip.frameSize + (magnetometerRate == nil ? 0 : ICM20948Chip.magnetometerBytes)
  }

  /// The longest time that samples may wait. In this time half of the FIFO fills, so that a late
  /// reader loses no samples. With the magnetometer the limit is a quarter of the FIFO, because at
  /// 400 kHz more than one new frame arrives while two frames are transferred.
  private var longestInterval: TimeSpan {
    let bytes = ICM20948Chip.fifoSize / (magnetometerRate == nil ? 2 : 4)
    let longest = TimeSpan(nanoseconds: Int64(bytes / frameSize) * (Int64(divider) + 1) * 888_888)
    return min(longest, ICM20948Timing.rest)
  }

  public mutating func finalize() {
    readout.batchInterval = min(max(readout.batchInterval, .zero), longestInterval)
  }

  var rate: Scalar { ICM20948Chip.baseRate / Scalar(Int(divider) + 1) }

  /// The tolerance of the PLL's frequency (section 4.14): up to 127 steps of 0.079 percent, the
  /// range of TIMEBASE_CORRECTION_PLL (section 9.13).
  public func makeClock() -> SampleClock { SampleClock(rate: rate, tolerance: 0.1) }

  public static func limits(of part: ICM20948Part, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: ICM20948Chip.baseRate, g: 16, degreesPerSecond: 2000, pins: 1,
      ways: [.dataReady, .fifo, .polling], passesThrough: true)
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    fitScales(&settings)
    settings.usesMagnetometer = settings.usesMagnetometer && !isAccelOnly
    if isSPI || settings.usesMagnetometer { settings.passesThrough = false }
    readout.passesThrough = settings.passesThrough
    // The small excess over a whole number of steps corrects for rounding: without it 1125/49 Hz
    // would give 48 steps instead of 49.
    let steps = (ICM20948Chip.baseRate / settings.rate * 1.000_001).rounded(.down)
    divider = UInt8(min(max(steps, isAccelOnly ? 2 : 1), 256) - 1)
    settings.rate = rate
    if settings.usesMagnetometer { magnetometerRate = AK8963Rate(of: .ak09916, behind: rate) }
    let bandwidth = settings.bandwidth ?? rate / 2
    gyroFilter = .widest(within: bandwidth, orElse: .hz6) { $0.gyroBandwidth }
    accelFilter = .widest(within: bandwidth, orElse: .hz6) { $0.accelBandwidth }
    // In cycle mode the filter does not settle, so it has no defined bandwidth.
    settings.bandwidth = isAccelOnly ? nil : gyroFilter.gyroBandwidth
    if !readout.keepLateSamples(&settings), acquisition == .fifo {
      finalize()
      settings.batchInterval = readout.batchInterval
    }
  }

  /// The register write that selects which sensors fill the FIFO. It is sent after the FIFO is
  /// cleared.
  var queueSources: BankedValue {
    BankedValue(ICM20948Map().fifoEnable2) {
      isAccelOnly
        ? $0.accel(true)
        : $0.accel(true) | $0.gyroX(true) | $0.gyroY(true) | $0.gyroZ(true) | $0.temperature(true)
    }
  }

  /// The contents of PWR_MGMT_1 while running. A brown-out clears the register.
  var awake: BankedValue { BankedValue(ICM20948Map().power1) { $0.clockSource(.best) } }

  func userControl(isSPI: Bool) -> BankedValue {
    BankedValue(ICM20948Map().userControl) {
      $0.fifoEnable(acquisition == .fifo) | $0.i2cDisable(isSPI)
        | $0.auxiliaryMasterEnable(magnetometerRate != nil)
    }
  }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write.
  func row(_ index: Int, isSPI: Bool) -> BankedValue? {
    let map = ICM20948Map()
    switch index {
    case 0: return awake
    case 1: return userControl(isSPI: isSPI)
    case 2:
      return BankedValue(map.power2) {
        $0.standbyGyro(isAccelOnly ? 0b111 : 0) | $0.standbyAccel(0)
      }
    case 3: return BankedValue(map.lowPowerConfig) { $0.accelCycle(isAccelOnly) }
    // The pin gives a 50 us pulse per sample, because a level that is held until a read would hide
    // later samples.
    case 4:
      return BankedValue(map.interruptPin) {
        $0.activeLow(interruptPin.isActiveLow) | $0.openDrain(interruptPin.isOpenDrain)
          | $0.auxiliaryBypass(readout.passesThrough)
      }
    case 5:
      // The enable bit of the data-ready interrupt is set, because the data sheet does not state
      // that the data-ready flag is set without this bit. (SparkFun's library polls the flag
      // without the enable bit.) When the driver polls, the pulses are unused.
      return BankedValue(map.interruptEnable1) {
        $0(readout.announcesSamples || acquisition != .fifo)
      }
    case 6: return BankedValue(map.fifoEnable1) { $0.slave0(magnetometerRate != nil) }
    case 7: return BankedValue(map.alignment) { $0(true) }
    case 8: return BankedValue(map.gyroDivider) { $0.value(divider) }
    case 9:
      return BankedValue(map.gyroConfig1) {
        $0.lowPassFilter(gyroFilter) | $0.fullScale(gyroFullScale) | $0.usesFilter(true)
      }
    case 10: return BankedValue(map.accelDividerLow) { $0.value(divider) }
    case 11:
      return BankedValue(map.accelConfig) {
        $0.lowPassFilter(accelFilter) | $0.fullScale(accelFullScale) | $0.usesFilter(true)
      }
    case _ where magnetometerRate == nil: return nil
    // Clock code 7 of the auxiliary master is 345.6 kHz, which the data sheet recommends for a 400
    // kHz bus (section 11.2).
    case 12: return BankedValue(map.auxiliaryControl) { $0.stopsBetween(true) | $0.clock(7) }
    case 13:
      return BankedValue(map.slave0Address) {
        $0.isRead(true) | $0.address(AK8963Configuration.auxiliaryAddress)
      }
    case 14:
      return BankedValue(map.slave0Register) { $0.value(AK8963Part.ak09916.auxiliaryRegister) }
    case 15:
      return BankedValue(map.slave0Control) {
        $0.enable(true) | $0.length(UInt8(ICM20948Chip.magnetometerBytes))
      }
    default: return nil
    }
  }
}

/// The only part of its family.
public typealias ICM20948Part = SinglePart<0xEA>

/// Constants for the ICM-20948 that do not depend on a driver's state.
extension ICM20948Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// The rate in Hz that the dividers divide when the low-pass filters are enabled (DS-000189,
  /// sections 10.1 and 10.11).
  public static var baseRate: Scalar { 1125 }

  /// The size of a frame in bytes: accelerometer, gyroscope, temperature, in register order, high
  /// byte first.
  public static var frameSize: Int { 14 }

  /// The number of magnetometer bytes after a frame, from ST1 to ST2.
  public static var magnetometerBytes: Int { 9 }

  /// The size in bytes of a frame that holds only the accelerometer.
  public static var accelFrameSize: Int { 6 }

  /// The size of the FIFO in bytes (section 4.16).
  public static var fifoSize: Int { 512 }

  /// Returns the rates in Hz. In low power all rates except the fastest are available.
  public static func rate(at index: Int, of codes: ICM20948Configuration) -> Scalar? {
    let divider = codes.isAccelOnly ? index + 1 : index
    return (0...255).contains(divider) ? baseRate / Scalar(1 + divider) : nil
  }

  /// Returns the filter delays for `settings`. The delays are estimated from the bandwidths,
  /// because the data sheet gives no delays.
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let codes = ICM20948Configuration(nearest: &settings, of: .expected, isSPI: false)
    // In cycle mode the chip takes one sample and sleeps, so no filter delays the sample.
    if codes.isAccelOnly { return StreamDelays() }
    return StreamDelays(
      rotationRate: StreamDelays.lowPass(bandwidth: codes.gyroFilter.gyroBandwidth),
      acceleration: StreamDelays.lowPass(bandwidth: codes.accelFilter.accelBandwidth),
      magneticField: codes.magnetometerRate == nil ? 0 : AK8963Chip.delays.magneticField)
  }
}

/// The waiting times and intervals of the driver; numbers are in microseconds.
@usableFromInline
enum ICM20948Timing {
  /// The wait from DEVICE_RESET to the first access: a start takes up to 100 ms (table 5), and
  /// TDK's driver waits for 100 ms too.
  static var reset: UInt32 { 100_000 }
  static var resetPoll: UInt32 { 10_000 }
  static var resetPolls: UInt16 { 20 }
  /// The wait after waking the chip until its clock runs.
  static var wake: UInt32 { 20_000 }
  /// The wait from switching the gyroscope on to valid output: 35 ms (table 1).
  static var gyroStart: UInt32 { 35_000 }
  /// The interval between the verifications of two configuration registers.
  static var verification: TimeSpan { .milliseconds(40) }
  /// The longest time between two steps of a running chip: half of the 200 ms within which a fault
  /// must be detected.
  static var rest: TimeSpan { .milliseconds(100) }
  /// The settling time after a change of the self-test's stimulus, and the interval between
  /// samples. TDK's driver waits for 20 ms.
  static var selfTestSettling: UInt32 { 100_000 }
  static var selfTestSample: UInt32 { 1000 }
}
