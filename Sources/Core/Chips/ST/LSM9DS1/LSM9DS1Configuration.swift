// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The register codes of the chip's settings. `LSM9DS1.configure` finds the codes for physical
/// settings.
public struct LSM9DS1Configuration: InertialCodes, TabledCodes {
  /// The output data rate of both sensors (ODR_G and ODR_XL); `off` is not allowed.
  public var rate = LSM9DS1Map.OutputRate.hz952
  /// The full scales of accelerometer and gyroscope: FS_XL and FS_G.
  public var accelFullScale = LSM6DS3Map.AccelFullScale.g16
  public var gyroFullScale = LSM9DS1Map.GyroFullScale.dps2000
  /// The bandwidth of the accelerometer's analogue filter: BW_XL.
  public var antiAlias = LSM9DS1Map.AntiAlias.hz408
  /// The readout mode. The watermark (FTH) is 1 to 16 samples. In low power only the accelerometer
  /// runs.
  public var readout = ReadoutMode.polling

  public init() {}

  public func makeClock() -> SampleClock { SampleClock(rate: hertz, tolerance: 0.1) }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    acquisition != .detections && rate != .off
      && (1...LSM9DS1Chip.queueSamples / 2).contains(readout.watermark)
      && (1...2).contains(interruptPin.number)
  }

  public var isAccelAlone: Bool { power == .low }

  var hertz: Scalar { rate.hertz(isAccelAlone: isAccelAlone) }

  /// The time from the start to the first valid sample, in microseconds. Both sensors need up to
  /// 300 ms at the slowest rate and a few samples at the other rates. The driver waits for 35 ms
  /// and five samples.
  var settling: UInt32 { 35_000 + UInt32(5_000_000 / hertz) }

  public static func limits(of part: LSM9DS1Part, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: 952, g: 16, degreesPerSecond: 2000, pins: 2, ways: [.dataReady, .fifo, .polling])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    let isAlone = isAccelAlone
    settings.rate = max(settings.rate, 1)
    rate.chooseSmallest(holding: &settings.rate) { $0.hertz(isAccelAlone: isAlone) }
    fitScales(&settings)
    let bandwidth = settings.bandwidth ?? hertz / 2
    antiAlias = LSM9DS1Map.AntiAlias.allCases.first { $0.hertz <= bandwidth } ?? .hz50
    settings.bandwidth = min(antiAlias.hertz, hertz / 2)
    // The watermark is at most half of the FIFO, so that the other half can store samples if the
    // host's read is delayed.
    _ = readout.keepLateSamples(&settings)
    readout.gather(at: hertz, most: LSM9DS1Chip.queueSamples / 2)
  }

  /// All register writes of the configuration. The last write starts the sensors.
  var rows: ConfigurationTable {
    let map = LSM9DS1Map()
    let pin = interruptPin
    let isQueued = acquisition == .fifo
    var rows = ConfigurationTable()
    rows.add(map.ctrlReg8) {
      $0.bdu(true) | $0.ifAddInc(true) | $0.hLactive(pin.isActiveLow) | $0.ppOd(pin.isOpenDrain)
    }
    rows.add(map.int1Ctrl) { pin.number == 1 ? samples($0) : .nothing }
    rows.add(map.int2Ctrl) { pin.number == 2 ? samples($0) : .nothing }
    rows.add(map.ctrlReg9) { $0.fifoEn(isQueued) }
    // The accelerometer's rate field has an effect only if the gyroscope is off.
    rows.add(map.ctrlReg6Xl) {
      $0.odrXl(rate) | $0.fsXl(accelFullScale) | $0.bwScalOdr(true) | $0.bwXl(antiAlias)
    }
    if !isAccelAlone { rows.add(running) }
    return rows
  }

  /// Returns the fields that route the data-ready or FIFO signal to the wired pin.
  private func samples(_ pin: LSM9DS1Map.SamplePin) -> Change {
    pin.fth(acquisition == .fifo) | pin.drdyG(acquisition == .dataReady && !isAccelAlone)
      | pin.drdyXl(acquisition == .dataReady && isAccelAlone)
  }

  /// The register write that enables sampling. A brown-out clears this register.
  public var running: RegisterValue {
    let map = LSM9DS1Map()
    guard isAccelAlone else {
      return RegisterValue(map.ctrlReg1G) { $0.odrG(rate) | $0.fsG(gyroFullScale) }
    }
    return RegisterValue(map.ctrlReg6Xl) {
      $0.odrXl(rate) | $0.fsXl(accelFullScale) | $0.bwScalOdr(true) | $0.bwXl(antiAlias)
    }
  }

  public var queueStopped: RegisterValue {
    RegisterValue(LSM9DS1Map().fifoCtrl) { $0.fmode(.bypass) }
  }

  /// The register write that starts the FIFO. The FIFO is stopped while the table is written.
  public var queueRunning: RegisterValue {
    RegisterValue(LSM9DS1Map().fifoCtrl) {
      $0.fmode(.continuous) | $0.fth(UInt8(truncatingIfNeeded: readout.watermark))
    }
  }
}

/// The only part of its family. The LSM6DS0 has the same registers.
public typealias LSM9DS1Part = SinglePart<0x68>

/// Constants for the LSM9DS1's accelerometer and gyroscope that do not depend on a driver's state.
extension LSM9DS1Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// The size of the FIFO in samples of both sensors.
  public static var queueSamples: Int { 32 }

  /// The size of a FIFO sample in bytes: gyroscope, accelerometer, low byte first. A burst
  /// continues from the last byte of one sensor to the first byte of the other, and then starts
  /// again with the first sensor (section 3.4).
  public static var queueFrameSize: Int { 12 }

  /// The size in bytes of a FIFO sample without the gyroscope. Bursts then stay within the
  /// accelerometer's registers.
  public static var accelFrameSize: Int { 6 }

  /// The size of a register burst in bytes: temperature, status, gyroscope, accelerometer.
  public static var burstSize: Int { 15 }

  /// The size in bytes of a register burst without the gyroscope: the accelerometer's status and
  /// data.
  public static var accelBurstSize: Int { 7 }

  /// The thermometer's counts per degree Celsius; 0 counts correspond to 25 degrees.
  public static var countsPerDegree: Scalar { 16 }

  /// Returns the typical g per count. At the 16 g setting the converter's range is 24 g.
  public static func gPerCount(_ code: LSM6DS3Map.AccelFullScale) -> Scalar {
    code == .g16 ? 0.000732 : code.gPerCount
  }

  /// Returns the typical size of one count at the full scale with number `index`.
  package static func count(of channel: Channel, at index: Int) -> Scalar? {
    switch channel {
    case .acceleration: LSM6DS3Map.AccelFullScale.size(at: index) { gPerCount($0) }
    case .rotationRate: LSM9DS1Map.GyroFullScale.size(at: index) { $0.radiansPerCount }
    default: nil
    }
  }

  public static func rate(at index: Int, of codes: LSM9DS1Configuration) -> Scalar? {
    guard (0...5).contains(index) else { return nil }
    return LSM9DS1Map.OutputRate(rawValue: UInt8(6 - index))?
      .hertz(isAccelAlone: codes.isAccelAlone)
  }

  /// Returns the filter delays. The delays are estimated from the bandwidths; the bandwidth of the
  /// gyroscope's first low-pass filter is a third of the rate, at most 100 Hz (table 45).
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var granted = settings
    let codes = LSM9DS1Configuration(nearest: &granted, of: .expected, isSPI: false)
    return StreamDelays(
      rotationRate: codes.isAccelAlone
        ? 0 : StreamDelays.lowPass(bandwidth: min(codes.hertz * 0.32, 100)),
      acceleration: StreamDelays.lowPass(bandwidth: granted.bandwidth ?? 0))
  }
}
