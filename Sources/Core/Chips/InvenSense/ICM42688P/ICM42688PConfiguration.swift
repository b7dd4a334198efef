// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The codes that the driver writes into the chip's registers (DS-000347 revision 1.7, section 14).
public struct ICM42688PConfiguration: InertialCodes {
  /// The output data rate of both sensors; in low power up to 500 Hz.
  public var rate = ICM42688PMap.Rate.hz1000
  /// The full scales. If both sensors have their widest range, the FIFO has 20 bits per axis.
  public var accelFullScale = ICM42688PMap.AccelFullScale.g16
  public var gyroFullScale = ICM42688PMap.GyroFullScale.dps2000
  public var filter = ICM42688PMap.Filter.half
  /// The readout mode. The watermark is in packets. In low power only the accelerometer runs, and
  /// this sensor sleeps between its samples.
  public var readout = ReadoutMode.fifo

  public init() {}

  public func isPossible(isSPI: Bool) -> Bool {
    acquisition != .detections && readout.watermark >= 1
      && readout.watermark * frame.size <= ICM42688PChip.longestBatch
      && (1...2).contains(interruptPin.number) && rate.hertz >= 12.5
      && rate.hertz <= (power == .low ? 500 : 2000)
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz) }

  var hasGyro: Bool { power == .normal }

  /// The layout of a sample. Packets with 20 bits always have the scale of the widest ranges
  /// (section 6.1).
  var frame: InvenSenseFrame {
    guard acquisition == .fifo else { return hasGyro ? .registers : .accelRegisters }
    guard hasGyro else { return .packet1 }
    return accelFullScale == .g16 && gyroFullScale == .dps2000 ? .packet4 : .packet3
  }

  /// The register write that sets the power modes of the sensors, which starts sampling.
  var running: RegisterValue {
    RegisterValue(ICM42688PMap().power) {
      $0.gyro(hasGyro ? .lowNoise : .off) | $0.accel(hasGyro ? .lowNoise : .lowPower)
    }
  }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write, which starts the sensors.
  func row(_ index: Int, isSPI: Bool) -> RegisterValue? {
    let map = ICM42688PMap()
    let pin = interruptPin
    let queue = acquisition == .fifo
    let level = UInt16(truncatingIfNeeded: readout.watermark * frame.size)
    switch index {
    case 0:
      return RegisterValue(map.interfaceConfig0) {
        $0.countHighFirst(true) | $0.dataHighFirst(true) | $0.disabled(isSPI ? .i2c : .neither)
      }
    case 1:
      // The interrupt pins give pulses instead of levels.
      return RegisterValue(map.intConfig) {
        pin.number == 2
          ? $0.int2PushPull(!pin.isOpenDrain) | $0.int2ActiveHigh(!pin.isActiveLow)
          : $0.int1PushPull(!pin.isOpenDrain) | $0.int1ActiveHigh(!pin.isActiveLow)
      }
    case 2:
      // The bit INT_ASYNC_RESET must be cleared, or the interrupt pins do not work correctly
      // (section 14.50).
      return RegisterValue(map.intConfig1) { $0.asyncReset(false) }
    case 3: return RegisterValue(map.gyroConfig0) { $0.range(gyroFullScale) | $0.rate(rate) }
    case 4: return RegisterValue(map.accelConfig0) { $0.range(accelFullScale) | $0.rate(rate) }
    case 5: return RegisterValue(map.filterConfig) { $0.accel(filter) | $0.gyro(filter) }
    case 6:
      // The timestamp has a resolution of 16 us and does not use FSYNC.
      return RegisterValue(map.timeConfig) { $0.reserved(true) | $0.coarse(true) | $0.enable(true) }
    case 7:
      return RegisterValue(map.fifoConfig1) {
        $0.highResolution(frame == .packet4) | $0.time(queue && hasGyro) | $0.temperature(queue)
          | $0.gyro(queue && hasGyro) | $0.accel(queue)
      }
    case 8: return RegisterValue(map.watermarkLow) { $0.value(UInt8(truncatingIfNeeded: level)) }
    case 9: return RegisterValue(map.watermarkHigh) { $0(UInt8(level >> 8)) }
    case 10: return RegisterValue(map.intSource0) { pin.number == 1 ? sources($0) : .nothing }
    case 11: return RegisterValue(map.intSource3) { pin.number == 2 ? sources($0) : .nothing }
    case 12: return RegisterValue(map.fifoConfig) { $0(queue ? .stream : .bypass) }
    case 13: return running
    default: return nil
    }
  }

  private func sources(_ pin: ICM42688PMap.IntSources) -> Change {
    let signalsEach = acquisition == .dataReady || readout.announcesSamples
    return pin.dataReady(signalsEach)
      | pin.watermark(acquisition == .fifo && !readout.announcesSamples)
  }
}

// Translation of physical settings to register codes.
extension ICM42688PConfiguration {
  public static func limits(of part: ICM42688PPart, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: power == .low ? 500 : 2000, g: 16, degreesPerSecond: 2000, pins: 2,
      ways: [.dataReady, .fifo, .polling])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    let wanted = min(max(settings.rate, 12.5), hasGyro ? 2000 : 500)
    rate = .smallest(holding: wanted, orElse: hasGyro ? .hz2000 : .hz500) { $0.hertz }
    settings.rate = rate.hertz
    fitScales(&settings)
    let hertz = rate.hertz
    let bandwidth = min(settings.bandwidth ?? hertz, hertz / 2)
    filter = .widest(within: bandwidth, orElse: hertz < 20 ? .half : .fortieth) {
      $0.cutoff(at: hertz)
    }
    // In low power the accelerometer does not average, so its bandwidth is half of the rate.
    if !hasGyro { filter = .quarter }
    settings.bandwidth = hasGyro ? filter.cutoff(at: hertz) : hertz / 2
    guard !readout.keepLateSamples(&settings), acquisition == .fifo else { return }
    readout.gather(at: rate.hertz, most: ICM42688PChip.longestBatch / frame.size)
    settings.batchInterval = TimeSpan(seconds: Scalar(readout.watermark) / rate.hertz)
  }
}

/// The only supported part of its family. The ICM-42686-P has another identity and other scales.
public typealias ICM42688PPart = SinglePart<0x47>

/// Constants for the ICM-42688-P that do not depend on a driver's state.
extension ICM42688PChip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// The size of the FIFO in bytes, and the size of the largest batch in bytes. A batch comes from
  /// one read and leaves half of the FIFO free in case the host's next read is delayed.
  public static var fifoSize: Int { 2048 }
  public static var longestBatch: Int { 1024 }

  public static func rate(at index: Int, of codes: ICM42688PConfiguration) -> Scalar? {
    (0...7).contains(index) ? ICM42688PMap.Rate.size(at: 10 - index) { $0.hertz } : nil
  }

  /// Returns the filter delays for `settings`. The delays are estimated from the bandwidths of the
  /// filters and of the anti-alias filters, which keep their reset values: 585 Hz for the
  /// gyroscope, 1163 Hz for the accelerometer (section 5.3).
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let configuration = ICM42688PConfiguration(nearest: &settings, of: .expected, isSPI: false)
    guard configuration.hasGyro else { return StreamDelays() }
    let filter = StreamDelays.lowPass(
      bandwidth: configuration.filter.cutoff(at: configuration.rate.hertz))
    return StreamDelays(
      rotationRate: filter + StreamDelays.lowPass(bandwidth: 585),
      acceleration: filter + StreamDelays.lowPass(bandwidth: 1163))
  }
}

/// The waiting times and intervals of the driver; numbers are in microseconds.
enum ICM42688PTiming {
  /// The wait after a soft reset (Linux, PX4), and the number of polls.
  static var reset: UInt32 { 1000 }
  static var resetPolls: UInt16 { 50 }
  /// The waiting time until the gyroscope has settled (Linux and TDK's driver; PX4 waits for 30
  /// ms).
  static var start: UInt32 { 60_000 }
  /// The interval between the verifications of two configuration registers. Every second verified
  /// register is the power register, which a supply failure clears.
  static var verification: TimeSpan { .milliseconds(80) }
}

extension ICM42688PMap {
  /// The output data rates. The driver does not offer 32, 16 and 4 kHz: I2C at 400 kHz is limited
  /// to 2 kHz for both sensors, and a chip has the same rates on every bus.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case khz32 = 1, khz16, khz8, khz4, hz2000, hz1000, hz200, hz100, hz50, hz25, hz12_5, hz6_25,
      hz3_125, hz1_5625, hz500
  }

  /// The full scales of the accelerometer.
  public enum AccelFullScale: UInt8, FieldValue, CaseIterable { case g16 = 0, g8, g4, g2 }

  /// The full scales of the gyroscope in degrees per second. Each code halves the full scale.
  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps2000 = 0, dps1000, dps500, dps250, dps125, dps62_5, dps31_25, dps15_625
  }

  /// The output low-pass filter. The filter's bandwidth is half of the rate, or the named fraction
  /// of either the rate or 400 Hz, whichever is larger. In the accelerometer's low-power mode the
  /// same codes average 1 or 16 samples.
  public enum Filter: UInt8, FieldValue, CaseIterable {
    case half = 0, quarter, fifth, eighth, tenth, sixteenth, twentieth, fortieth
    case lowLatency = 14, lowLatency8
  }

  /// The power modes of a sensor. Only the accelerometer has `lowPower`, and only the gyroscope has
  /// `standby`.
  public enum PowerMode: UInt8, FieldValue, CaseIterable {
    case off = 0, standby, lowPower, lowNoise
  }

  public enum FIFOMode: UInt8, FieldValue, CaseIterable {
    case bypass = 0, stream, stopWhenFull, stopWhenFullToo
  }

  /// The serial interface that the chip disables.
  public enum Interface: UInt8, FieldValue, CaseIterable { case neither = 0, neitherToo, spi, i2c }
}

extension ICM42688PMap.Rate {
  /// The output data rate in hertz.
  public var hertz: Scalar {
    switch self {
    case .khz32, .khz16, .khz8, .khz4, .hz2000, .hz1000: Scalar(32000 >> (Int(rawValue) - 1))
    case .hz500: 500
    default: 200 / Scalar(1 << (Int(rawValue) - 7))
    }
  }
}

extension ICM42688PMap.AccelFullScale: AccelerationScale {
  public var g: Scalar { Scalar(16 >> Int(rawValue)) }

  /// The typical g per count (table 2): 2048 counts per g at 16 g.
  public var gPerCount: Scalar { g / 32768 }
}

extension ICM42688PMap.GyroFullScale: RotationScale {
  public var degreesPerSecond: Scalar { 2000 / Scalar(1 << Int(rawValue)) }

  /// The gyroscope's typical counts per degree per second (table 1; Zephyr's icm42688 driver has
  /// the same figures). The data sheet rounds these figures, so a range does not always have
  /// exactly twice the counts of the next wider range.
  public var countsPerDegreePerSecond: Scalar {
    switch self {
    case .dps2000: 16.4
    case .dps1000: 32.8
    case .dps500: 65.5
    case .dps250: 131
    case .dps125: 262
    case .dps62_5: 524.3
    case .dps31_25: 1048.6
    case .dps15_625: 2097.2
    }
  }

  public var radiansPerCount: Scalar { radians(fromDegrees: 1) / countsPerDegreePerSecond }
}

extension ICM42688PMap.Filter {
  /// Returns the filter's bandwidth at `rate`, both in Hz (sections 5.5 to 5.6, second-order
  /// filters).
  func cutoff(at rate: Scalar) -> Scalar {
    if self == .half { return rate / 2 }
    if self == .lowLatency8 { return max(8 * rate, 200) }
    let divisors: InlineArray<8, Scalar> = [2, 4, 5, 8, 10, 16, 20, 40]
    return max(rate, 400) / (self == .lowLatency ? 1 : divisors[Int(rawValue)])
  }
}
