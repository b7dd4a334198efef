// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The one part of its family that is driven; the identity of the ICM-42686-P, with other scales,
/// is another.
public enum ICM42688PPart: UInt8, ChipPart {
  case icm42688p = 0x47

  public static var expected: ICM42688PPart { .icm42688p }
}

/// Facts of the ICM-42688-P without one at hand.
extension ICM42688PChip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// Addresses advance by themselves on both wires; bit 7 reads on SPI.
  public static var wireFormat: WireFormat { WireFormat() }

  /// Bytes that its queue holds, and those of the largest batch: one read, and half of the queue
  /// for a host that is late.
  public static var fifoSize: Int { 2048 }
  public static var longestBatch: Int { 1024 }

  public static func range(of channel: Channel, at index: Int) -> Scalar? {
    switch channel {
    case .acceleration: ICM42688PMap.AccelRange.size(at: index) { $0.g }
    case .rotationRate: ICM42688PMap.GyroRange.size(at: index) { $0.radiansPerSecond }
    default: nil
    }
  }

  public static func rate(at index: Int) -> Scalar? {
    (0...7).contains(index) ? code(at: index).hertz : nil
  }

  /// The codes are in the order of the rates, but for 500 Hz.
  static func code(at index: Int) -> ICM42688PMap.Rate {
    switch index {
    case 0: .hz2000
    case 1: .hz1000
    case 2: .hz500
    default: ICM42688PMap.Rate(rawValue: UInt8(index + 4)) ?? .hz12_5
    }
  }

  /// Returns the delays of the filters as the chip runs with `settings`: estimates from their
  /// widths, and from those of the anti-alias filters, which stay as after a reset: 585 Hz of the
  /// gyroscope, 1163 Hz of the accelerometer (section 5.3).
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let configuration = ICM42688PConfiguration(nearest: &settings, of: .icm42688p, isSPI: false)
    guard configuration.hasGyro else { return StreamDelays() }
    let filter = StreamDelays.lowPass(
      bandwidth: configuration.filter.cutoff(at: configuration.rate.hertz))
    return StreamDelays(
      rotationRate: filter + StreamDelays.lowPass(bandwidth: 585),
      acceleration: filter + StreamDelays.lowPass(bandwidth: 1163))
  }
}

/// The layouts of a sample. A packet of the queue begins with its header (section 6).
enum ICM42688PFrame: UInt8 {
  /// 0x1D to 0x2A: temperature, accelerometer, gyroscope.
  case registers = 0
  /// The same without the gyroscope.
  case accelRegisters
  /// Accelerometer, and eight bits of temperature.
  case packet1
  /// Accelerometer, gyroscope, eight bits of temperature, time.
  case packet3
  /// Accelerometer, gyroscope, temperature, time, and four bits more of each axis.
  case packet4

  var hasGyro: Bool { self != .accelRegisters && self != .packet1 }

  var isPacket: Bool { header != 0 }

  var size: Int {
    switch self {
    case .registers: 14
    case .accelRegisters, .packet1: 8
    case .packet3: 16
    case .packet4: 20
    }
  }

  /// The header without the bits that say that a rate has changed.
  var header: UInt8 {
    switch self {
    case .registers, .accelRegisters: 0
    case .packet1: 0x40
    case .packet3: 0x68
    case .packet4: 0x78
    }
  }
}

/// Waits; numbers are microseconds.
enum ICM42688PTiming {
  /// After a soft reset (Linux, PX4), and how often it may be asked again.
  static var reset: UInt32 { 1000 }
  static var resetPolls: UInt16 { 50 }
  /// Until the gyroscope has settled (Linux and TDK's driver; PX4 waits 30 ms).
  static var start: UInt32 { 60_000 }
  /// Every second line to be compared is that which a chip lacks that lost its supply.
  static var verification: TimeSpan { .milliseconds(80) }
}
