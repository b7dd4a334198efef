// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The codes that the driver writes into the chip's registers (DS-000489 revision 1.1, section 16).
public struct ICM45686Configuration: InertialCodes {
  /// The output data rate of both sensors; in low power up to 400 Hz.
  public var rate = ICM45686Map.Rate.hz1600
  /// The full scales. If both sensors have their widest range, the FIFO has 20 bits per axis.
  public var accelFullScale = ICM45686Map.AccelFullScale.g32
  public var gyroFullScale = ICM45686Map.GyroFullScale.dps4000
  public var filter = ICM45686Map.Filter.bypass
  /// The readout mode. The watermark is in packets. In low power only the accelerometer runs, and
  /// this sensor sleeps between its samples.
  public var readout = ReadoutMode.fifo

  public init() {}

  public func isPossible(isSPI: Bool) -> Bool {
    acquisition != .detections && readout.watermark >= 1 && !readout.announcesSamples
      && readout.watermark * frame.size <= ICM45686Chip.longestBatch
      && (1...2).contains(interruptPin.number) && rate.hertz >= 12.5
      && rate.hertz <= (power == .low ? 400 : 1600)
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz) }

  var hasGyro: Bool { power == .normal }

  /// The layout of a sample.
  var frame: InvenSenseFrame {
    guard acquisition == .fifo else { return hasGyro ? .temperatureLast : .accelTemperatureLast }
    guard hasGyro else { return .packet1 }
    return accelFullScale == .g32 && gyroFullScale == .dps4000 ? .packet4 : .packet3
  }

  /// The register write that sets the power modes of the sensors, which starts sampling.
  var running: BankedValue {
    BankedValue(ICM45686Map().power) {
      $0.gyro(hasGyro ? .lowNoise : .off) | $0.accel(hasGyro ? .lowNoise : .lowPower)
    }
  }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write, which starts the sensors.
  func row(_ index: Int) -> BankedValue? {
    let map = ICM45686Map()
    let pin = interruptPin
    let queue = acquisition == .fifo
    let level = UInt16(truncatingIfNeeded: readout.watermark)
    switch index {
    case 0: return BankedValue(map.sensorControl) { $0(true) }
    case 1:
      // Packets with data of both sensors contain the time; in packets with only the accelerometer
      // the time is off, as in TDK's driver. In low power the accelerometer uses a clock with which
      // the inner registers can be read.
      return BankedValue(map.systemControl) {
        $0.reserved(3) | $0.lowPowerClock(!hasGyro) | $0.time(hasGyro)
      }
    case 2:
      // The interrupt pins give pulses instead of levels.
      return BankedValue(pin.number == 2 ? map.int2Config2 : map.int1Config2) {
        $0.openDrain(pin.isOpenDrain) | $0.activeHigh(!pin.isActiveLow)
      }
    case 3: return BankedValue(map.gyroConfig0) { $0.range(gyroFullScale) | $0.rate(rate) }
    case 4: return BankedValue(map.accelConfig0) { $0.range(accelFullScale) | $0.rate(rate) }
    case 5: return BankedValue(map.gyroFilter) { $0.auxHighPassOff(true) | $0.bandwidth(filter) }
    case 6: return BankedValue(map.accelFilter) { $0(filter) }
    // The anti-alias filters are enabled, as in ArduPilot's and INAV's drivers; they are off after
    // a reset.
    case 7: return BankedValue(map.gyroSource) { $0.source(.filtered) | $0.reserved(0x1B) }
    case 8: return BankedValue(map.accelSource) { $0.reserved(5) | $0.source(.filtered) }
    case 9:
      // In low power at 400 Hz there is no time to average conversions (Linux).
      return BankedValue(map.accelAverage) { $0.average(rate == .hz400 ? .x1 : .x4) }
    // A write of the watermark's high byte makes the chip use the new watermark, so the low byte
    // comes first (section 16.29).
    case 10: return BankedValue(map.watermarkLow) { $0.value(UInt8(truncatingIfNeeded: level)) }
    case 11: return BankedValue(map.watermarkHigh) { $0.value(UInt8(level >> 8)) }
    case 12: return BankedValue(map.fifoConfig4) { $0.time(hasGyro) }
    // This register can be changed only while the FIFO is off (section 16.31).
    case 13: return BankedValue(map.fifoConfig2) { watermarkMode($0) }
    case 14: return BankedValue(map.int1Config0) { pin.number == 1 ? sources($0) : .nothing }
    case 15: return BankedValue(map.int2Config0) { pin.number == 2 ? sources($0) : .nothing }
    case 16:
      return BankedValue(map.fifoConfig0) {
        $0.mode(queue ? .stopWhenFull : .bypass) | $0.depth(.kB2)
      }
    case 17:
      return BankedValue(map.fifoConfig3) { contents($0) | $0.isWritten(queue) }
    case 18: return running
    default: return nil
    }
  }

  /// Returns the fields for the contents of packets, without the field that lets packets flow into
  /// the FIFO.
  func contents(_ packets: ICM45686Map.Packets) -> Change {
    let queue = acquisition == .fifo
    return packets.highResolution(frame == .packet4) | packets.gyro(queue && hasGyro)
      | packets.accel(queue)
  }

  /// Returns the fields for the watermark mode. With bit 3 set, as in TDK's driver, Linux and
  /// Zephyr, every packet from the watermark on gives an edge, so that a host that missed an edge
  /// gets further edges. With bit 3 clear, only the packet that reaches the watermark gives an
  /// edge.
  func watermarkMode(_ row: ICM45686Map.Watermark) -> Change {
    row.reserved(2) | row.repeatsWatermark(true)
  }

  private func sources(_ pin: ICM45686Map.IntSources) -> Change {
    pin.dataReady(acquisition != .fifo) | pin.watermark(acquisition == .fifo)
  }
}

// Translation of physical settings to register codes.
extension ICM45686Configuration {
  public static func limits(of part: ICM45686Part, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: power == .low ? 400 : 1600, g: 32, degreesPerSecond: 4000, pins: 2,
      ways: [.dataReady, .fifo, .polling])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    let fastest = hasGyro ? ICM45686Map.Rate.hz1600 : .hz400
    let wanted = min(max(settings.rate, 12.5), fastest.hertz)
    rate = .smallest(holding: wanted, orElse: fastest) { $0.hertz }
    settings.rate = rate.hertz
    fitScales(&settings)
    // The filters work only in low-noise mode.
    let bandwidth = settings.bandwidth ?? rate.hertz
    if hasGyro {
      filter = .widest(within: bandwidth, orElse: .oneIn128) { $0.cutoff(at: rate.hertz) }
    }
    settings.bandwidth = filter.cutoff(at: rate.hertz)
    // The FIFO's count needs two reads for each sample, so data-ready mode reads the registers, and
    // a sample is lost if the host reads it too late.
    _ = readout.keepLateSamples(&settings, where: false)
    guard acquisition == .fifo else { return }
    readout.gather(at: rate.hertz, most: ICM45686Chip.longestBatch / frame.size)
    settings.batchInterval = TimeSpan(seconds: Scalar(readout.watermark) / rate.hertz)
  }
}

/// The only supported part of its family. The ICM-45605 and other parts have other identities and
/// narrower ranges.
public typealias ICM45686Part = SinglePart<0xE9>

/// Constants for the ICM-45686 that do not depend on a driver's state.
extension ICM45686Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// The size of the FIFO in bytes, and the size of the largest batch in bytes. A batch comes from
  /// one read and leaves half of the FIFO free in case the host's next read is delayed. The chip's
  /// FIFO has 8 kB, but the data sheet recommends using 2 kB.
  public static var fifoSize: Int { 2048 }
  public static var longestBatch: Int { 1024 }

  public static func rate(at index: Int, of codes: ICM45686Configuration) -> Scalar? {
    (0...7).contains(index) ? ICM45686Map.Rate.size(at: 10 - index) { $0.hertz } : nil
  }

  /// Returns the delays of the low-pass filter for `settings`. No public document gives the delay
  /// of the anti-alias filter.
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let configuration = ICM45686Configuration(nearest: &settings, of: .expected, isSPI: false)
    guard configuration.hasGyro else { return StreamDelays() }
    let filter = StreamDelays.lowPass(
      bandwidth: configuration.filter.cutoff(at: configuration.rate.hertz))
    return StreamDelays(rotationRate: filter, acceleration: filter)
  }
}

/// The waiting times and intervals of the driver; numbers are in microseconds.
enum ICM45686Timing {
  /// The wait after a soft reset (TDK's driver, Linux), and the number of polls.
  static var reset: UInt32 { 1000 }
  static var resetPolls: UInt16 { 50 }
  /// The waiting time until both sensors have settled (TDK's driver; Linux waits for 60 ms). The
  /// data sheet gives 35 ms for the gyroscope's drive (table 1) and 10 ms for the accelerometer
  /// (table 2).
  static var start: UInt32 { 70_000 }
  /// The wait after the request to empty the FIFO, and the interval and number of the polls until
  /// the FIFO is empty (TDK's driver, which gives up after a second).
  static var flush: UInt32 { 10 }
  static var flushPoll: UInt32 { 100 }
  static var flushPolls: UInt16 { 10_000 }
  /// The interval between the verifications of two configuration registers. Every second verified
  /// register is the power register, which a supply failure clears.
  static var verification: TimeSpan { .milliseconds(80) }
}

extension ICM45686Map {
  /// The output data rates. The driver does not offer the fastest two: I2C at 400 kHz is limited to
  /// 1.6 kHz for both sensors, and a chip has the same rates on every bus. The slowest three exist
  /// only in low power.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz6400 = 3, hz3200, hz1600, hz800, hz400, hz200, hz100, hz50, hz25, hz12_5, hz6_25,
      hz3_125, hz1_5625
  }

  /// The full scales of the accelerometer.
  public enum AccelFullScale: UInt8, FieldValue, CaseIterable { case g32 = 0, g16, g8, g4, g2 }

  /// The full scales of the gyroscope in degrees per second. Each code halves the full scale.
  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps4000 = 0, dps2000, dps1000, dps500, dps250, dps125, dps62_5, dps31_25, dps15_625
  }

  /// The output low-pass filter, whose bandwidth is a fraction of the rate.
  public enum Filter: UInt8, FieldValue, CaseIterable {
    case bypass = 0, oneIn4, oneIn8, oneIn16, oneIn32, oneIn64, oneIn128, oneIn128Too
  }

  /// The source of the samples in low-noise mode: the converter, the anti-alias filter, or the
  /// anti-alias filter followed by an interpolator.
  public enum Source: UInt8, FieldValue, CaseIterable { case raw = 0, filter, filtered }

  /// The number of conversions averaged for each sample in low power.
  public enum Average: UInt8, FieldValue, CaseIterable {
    case x1 = 0, x2, x4, x5, x7, x8, x10, x11, x16, x18, x20, x32, x64
  }

  /// The power modes of a sensor. The accelerometer is off in `standby`.
  public enum PowerMode: UInt8, FieldValue, CaseIterable {
    case off = 0, standby, lowPower, lowNoise
  }

  public enum FIFOMode: UInt8, FieldValue, CaseIterable { case bypass = 0, stream, stopWhenFull }

  /// The depth of the FIFO. A depth of 8 kB uses the memory of the motion processor; TDK's driver
  /// uses 256 bytes less (AN-000364).
  public enum FIFODepth: UInt8, FieldValue, CaseIterable {
    case none = 0
    case kB2 = 7
    case bytes7936 = 30
    case kB8 = 31
  }
}

extension ICM45686Map.Rate {
  /// The output data rate in hertz.
  public var hertz: Scalar { 51200 / Scalar(1 << Int(rawValue)) }
}

extension ICM45686Map.AccelFullScale: AccelerationScale {
  public var g: Scalar { Scalar(32 >> Int(rawValue)) }

  /// The typical g per count (table 2): 1024 counts per g at 32 g.
  public var gPerCount: Scalar { g / 32768 }
}

extension ICM45686Map.GyroFullScale: RotationScale {
  public var degreesPerSecond: Scalar { 4000 / Scalar(1 << Int(rawValue)) }

  /// The typical rad/s per count: the range divided by 32768, as in Linux and PX4. The data sheet
  /// gives the rounded counts per degree per second (table 1: 8.2, 16.4, ... 2097.2; 131.1 with 20
  /// bits).
  public var radiansPerCount: Scalar { radians(fromDegrees: degreesPerSecond) / 32768 }
}

extension ICM45686Map.Filter {
  /// Returns the filter's bandwidth at `rate`, both in Hz (sections 20.11 and 21.10). Without the
  /// filter the bandwidth is half of the rate.
  func cutoff(at rate: Scalar) -> Scalar {
    rate / (self == .bypass ? 2 : Scalar(2 << min(Int(rawValue), 6)))
  }
}
