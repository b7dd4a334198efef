// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The codes that the driver writes into the chip's registers (DS-000347 revision 1.7, section 14).
public struct ICM42688PConfiguration: InertialCodes {
  /// The rate of both sensors; in low power up to 500 Hz.
  public var rate = ICM42688PMap.Rate.hz1000
  /// With the widest ranges of both sensors the FIFO has 20 bits.
  public var accelFullScale = ICM42688PMap.AccelFullScale.g16
  public var gyroFullScale = ICM42688PMap.GyroFullScale.dps2000
  public var filter = ICM42688PMap.Filter.half
  /// The watermark is in packets. Low power runs the accelerometer only, which sleeps between its
  /// samples.
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

  /// The layout of a sample. 20 bits have one scale, that of the widest ranges (section 6.1).
  var frame: ICM42688PFrame {
    guard acquisition == .fifo else { return hasGyro ? .registers : .accelRegisters }
    guard hasGyro else { return .packet1 }
    return accelFullScale == .g16 && gyroFullScale == .dps2000 ? .packet4 : .packet3
  }

  /// The power modes of the sensors, without which there are no samples.
  var running: RegisterValue {
    RegisterValue(ICM42688PMap().power) {
      $0.gyro(hasGyro ? .lowNoise : .off) | $0.accel(hasGyro ? .lowNoise : .lowPower)
    }
  }

  /// Returns row `index` of the configuration; `nil` past the last, which starts the sensors.
  func line(_ index: Int, isSPI: Bool) -> RegisterValue? {
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
      // Pulsed interrupts.
      return RegisterValue(map.intConfig) {
        pin.number == 2
          ? $0.int2PushPull(!pin.isOpenDrain) | $0.int2ActiveHigh(!pin.isActiveLow)
          : $0.int1PushPull(!pin.isOpenDrain) | $0.int1ActiveHigh(!pin.isActiveLow)
      }
    case 2:
      // Section 14.50: must be cleared for correct operation of the pins.
      return RegisterValue(map.intConfig1) { $0.asyncReset(false) }
    case 3: return RegisterValue(map.gyroConfig0) { $0.range(gyroFullScale) | $0.rate(rate) }
    case 4: return RegisterValue(map.accelConfig0) { $0.range(accelFullScale) | $0.rate(rate) }
    case 5: return RegisterValue(map.filterConfig) { $0.accel(filter) | $0.gyro(filter) }
    case 6:
      // Resolution of 16 us, without the FSYNC timestamp.
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
    let tellsEach = acquisition == .dataReady || readout.announcesSamples
    return pin.dataReady(tellsEach)
      | pin.watermark(acquisition == .fifo && !readout.announcesSamples)
  }
}

// Translates physical settings to codes.
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
    // In low power there is no averaging.
    if !hasGyro { filter = .quarter }
    settings.bandwidth = hasGyro ? filter.cutoff(at: hertz) : hertz / 2
    guard !readout.keepLateSamples(&settings), acquisition == .fifo else { return }
    readout.gather(at: rate.hertz, most: ICM42688PChip.longestBatch / frame.size)
    settings.batchInterval = TimeSpan(seconds: Scalar(readout.watermark) / rate.hertz)
  }
}

/// The only supported part of its family; the ICM-42686-P has another identity and other scales.
public typealias ICM42688PPart = SinglePart<0x47>

/// Facts about the ICM-42688-P that need no chip.
extension ICM42688PChip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// The size of the FIFO in bytes, and of the largest batch: one read, which leaves half of the
  /// FIFO for a late host.
  public static var fifoSize: Int { 2048 }
  public static var longestBatch: Int { 1024 }

  public static func rate(at index: Int) -> Scalar? {
    (0...7).contains(index) ? ICM42688PMap.Rate.size(at: 10 - index) { $0.hertz } : nil
  }

  /// Returns the filter delays with `settings`: estimates from the bandwidths, including the
  /// anti-alias filters, which keep their reset values: 585 Hz for the gyroscope, 1163 Hz for the
  /// accelerometer (section 5.3).
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

/// The layouts of a sample. A FIFO packet begins with its header (section 6).
enum ICM42688PFrame: UInt8 {
  /// 0x1D to 0x2A: temperature, accelerometer, gyroscope.
  case registers = 0
  /// The registers without the gyroscope.
  case accelRegisters
  /// Accelerometer, and eight bits of temperature.
  case packet1
  /// Accelerometer, gyroscope, eight bits of temperature, time.
  case packet3
  /// Accelerometer, gyroscope, temperature, time, and four more bits for each axis.
  case packet4

  var hasGyro: Bool { self != .accelRegisters && self != .packet1 }

  var isPacket: Bool { header != 0 }

  var size: Int { facts.size }

  /// The header without the bits that mark a change of rate; 0 for registers.
  var header: UInt8 { facts.header }

  private var facts: (size: Int, header: UInt8) {
    switch self {
    case .registers: (14, 0)
    case .accelRegisters: (8, 0)
    case .packet1: (8, 0x40)
    case .packet3: (16, 0x68)
    case .packet4: (20, 0x78)
    }
  }
}

/// Timing; numbers are microseconds.
enum ICM42688PTiming {
  /// After a soft reset (Linux, PX4), and the number of polls.
  static var reset: UInt32 { 1000 }
  static var resetPolls: UInt16 { 50 }
  /// Until the gyroscope has settled (Linux and TDK's driver; PX4 waits for 30 ms).
  static var start: UInt32 { 60_000 }
  /// Every second verified row is the power row, which a supply failure clears.
  static var verification: TimeSpan { .milliseconds(80) }
}

extension ICM42688PMap {
  /// Output data rates. The driver does not offer 32, 16 and 4 kHz: I2C at 400 kHz is limited to 2
  /// kHz for both sensors, and a chip's rates are the same on every bus.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case khz32 = 1, khz16, khz8, khz4, hz2000, hz1000, hz200, hz100, hz50, hz25, hz12_5, hz6_25,
      hz3_125, hz1_5625, hz500
  }

  /// Full scale of the accelerometer.
  public enum AccelFullScale: UInt8, FieldValue, CaseIterable { case g16 = 0, g8, g4, g2 }

  /// Full scale of the gyroscope, halved for each code.
  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps2000 = 0, dps1000, dps500, dps250, dps125, dps62_5, dps31_25, dps15_625
  }

  /// The output low-pass. Its bandwidth is half of the rate, or the named fraction of the rate or
  /// of 400 Hz, whichever is larger. In the accelerometer's low-power mode the same codes average 1
  /// or 16 samples.
  public enum Filter: UInt8, FieldValue, CaseIterable {
    case half = 0, quarter, fifth, eighth, tenth, sixteenth, twentieth, fortieth
    case lowLatency = 14, lowLatency8
  }

  /// The modes of a sensor; `lowPower` exists for the accelerometer only, `standby` for the
  /// gyroscope.
  public enum PowerMode: UInt8, FieldValue, CaseIterable {
    case off = 0, standby, lowPower, lowNoise
  }

  public enum FIFOMode: UInt8, FieldValue, CaseIterable {
    case bypass = 0, stream, stopWhenFull, stopWhenFullToo
  }

  /// The bus that the chip ignores.
  public enum Interface: UInt8, FieldValue, CaseIterable { case neither = 0, neitherToo, spi, i2c }
}

extension ICM42688PMap.Rate {
  /// Samples per second.
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

  /// Typical sensitivity (table 2): 2048 counts per g at 16 g.
  public var gPerCount: Scalar { g / 32768 }
}

extension ICM42688PMap.GyroFullScale: RotationScale {
  public var degreesPerSecond: Scalar { 2000 / Scalar(1 << Int(rawValue)) }

  /// Typical sensitivity (table 1): 16.4 at 2000 degrees per second.
  public var countsPerDegreePerSecond: Scalar { 16.4 * Scalar(1 << Int(rawValue)) }

  public var radiansPerCount: Scalar { radians(fromDegrees: 1) / countsPerDegreePerSecond }
}

extension ICM42688PMap.Filter {
  /// Returns the filter's bandwidth at `rate`, in Hz (sections 5.5 to 5.6, second-order filters).
  func cutoff(at rate: Scalar) -> Scalar {
    if self == .half { return rate / 2 }
    if self == .lowLatency8 { return max(8 * rate, 200) }
    let divisors: InlineArray<8, Scalar> = [2, 4, 5, 8, 10, 16, 20, 40]
    return max(rate, 400) / (self == .lowLatency ? 1 : divisors[Int(rawValue)])
  }
}
