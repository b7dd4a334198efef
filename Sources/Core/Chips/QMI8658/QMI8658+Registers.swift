// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The registers of the QMI8658A and QMI8658C (QST 13-52-25 revision A, sections 4 and 5). The
/// addresses, fields and commands are also in lewisxhe's SensorLib.
public struct QMI8658Map: RegisterMap {
  public let whoAmI = RO(0x00, reset: 0x05)
  public let revision = RO(0x01, reset: 0x7C)
  public let interface = RW(
    0x02, reset: 0x20,
    (
      threeWireSPI: Bit(7), addressIncrement: Bit(6), bigEndian: Bit(5), pin2Enable: Bit(4),
      pin1Enable: Bit(3), queueOnPin1: Bit(2), oscillatorDisable: Bit(0)
    ))
  public let accelConfig = RW(
    0x03, (selfTest: Bit(7), range: Bits<AccelFullScale>(4...6), rate: Bits<Rate>(0...3)))
  public let gyroConfig = RW(
    0x04, (selfTest: Bit(7), range: Bits<GyroFullScale>(4...6), rate: Bits<Rate>(0...3)))
  public let filterConfig = RW(0x06, (gyro: Bits<Filter>(4...6), accel: Bits<Filter>(0...2)))
  public let sensors = RW(
    0x08,
    (
      lockEnable: Bit(7), dataReadyDisable: Bit(5), gyroSnooze: Bit(4), gyroEnable: Bit(1),
      accelEnable: Bit(0)
    ))
  public let motionControl = RW(
    0x09,
    (
      handshakeByStatus: Bit(7), motionOnPin1: Bit(6), pedometer: Bit(4),
      significantMotion: Bit(3), noMotion: Bit(2), anyMotion: Bit(1), tap: Bit(0)
    ))
  public let command = RW(0x0A)
  public let parameters = RW.words(0x0B, .lowFirst, count: 4)
  public let queueWatermark = RW(0x13)
  public let queueControl = RW(0x14, (readMode: Bit(7), size: Bits(2...3), mode: Bits(0...1)))
  public let queueCount = RO(0x15)
  public let queueStatus = RO(
    0x16,
    (full: Bit(7), watermark: Bit(6), overflow: Bit(5), filled: Bit(4), countHigh: Bits(0...1)))
  public let queueData = RO(0x17, effect: .popsQueue)
  public let interruptStatus = RO(0x2D, InterruptStatus())
  public let status = RO(0x2E, (gyroReady: Bit(1), accelReady: Bit(0)))
  public let events = RO(
    0x2F, effect: .clears,
    (
      significantMotion: Bit(7), noMotion: Bit(6), anyMotion: Bit(5), step: Bit(4),
      wakeOnMotion: Bit(2), tap: Bit(1)
    ))
  public let time = RO.bytes(0x30, 3)
  public let temperature = RO.words(0x33, .lowFirst)
  public let accel = RO.axisWords(0x35, .lowFirst)
  public let gyro = RO.axisWords(0x3B, .lowFirst)
  public let calibrationStatus = RO(0x46)
  public let firmware = RO.bytes(0x49, 3, reset: nil)
  // This register holds 0x80 after a reset, until sensors or a command change it.
  public let resetResult = RO(0x4D, reset: 0x80)
  // The response of a self-test. After a reset these registers hold the serial number.
  public let response = RO.axisWords(0x51, .lowFirst, reset: nil)
  public let tapStatus = RO(
    0x59, (isNegative: Bit(7), axis: Bits(4...5), taps: Bits(0...1)))
  public let steps = RO.bytes(0x5A, 3)
  public let reset = WO(0x60)
  public init() {}

  /// The state of the last command, and the state of the sample in the output registers.
  public struct InterruptStatus: Sendable {
    public let commandDone = Bit(7)
    public let locked = Bit(1)
    public let available = Bit(0)
  }

  /// The value of `reset` that resets the chip (section 5.9; section 7.4 gives 0x0B by mistake).
  public static var softReset: UInt8 { 0xB0 }

  /// The values of the register `command` that this driver or its model supports.
  public enum Command: UInt8, FieldValue, CaseIterable {
    case acknowledge = 0x00
    case accelOffset = 0x09
    case gyroOffset = 0x0A
    case clockGating = 0x12
  }
}

extension QMI8658Map {
  /// The output data rates. While the gyroscope runs, all rates derive from its resonance. The last
  /// four rates are for the accelerometer alone, in low power.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz7174_4 = 0, hz3587_2, hz1793_6, hz896_8, hz448_4, hz224_2, hz112_1, hz56_05, hz28_025
    case low128 = 12, low21, low11, low3
  }

  public enum AccelFullScale: UInt8, FieldValue, CaseIterable { case g2 = 0, g4, g8, g16 }

  /// The full scales of the gyroscope in degrees per second. Each code doubles the full scale.
  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps16 = 0, dps32, dps64, dps128, dps256, dps512, dps1024, dps2048
  }

  /// The output low-pass filter: its mode and, in bit 0, its enable bit. The names are the
  /// bandwidths in percent of the rate (table 22).
  public enum Filter: UInt8, FieldValue, CaseIterable {
    case off = 0, p2_66, offToo2, p3_63, offToo4, p5_39, offToo6, p13_37
  }
}

extension QMI8658Map.Rate {
  public var hertz: Scalar {
    switch self {
    case .low128: 128
    case .low21: 21
    case .low11: 11
    case .low3: 3
    default: 7174.4 / Scalar(1 << Int(rawValue))
    }
  }
}

extension QMI8658Map.AccelFullScale: AccelerationScale {
  public var g: Scalar { Scalar(2 << Int(rawValue)) }

  /// The typical g per count (table 7): 16384 counts per g at 2 g.
  public var gPerCount: Scalar { g / 32768 }
}

extension QMI8658Map.GyroFullScale: RotationScale {
  public var degreesPerSecond: Scalar { Scalar(16 << Int(rawValue)) }

  /// The typical rad/s per count (table 8): 2048 counts per degree per second at a full scale of
  /// 16.
  public var radiansPerCount: Scalar { radians(fromDegrees: degreesPerSecond) / 32768 }
}

extension QMI8658Map.Filter {
  /// The bandwidth as a fraction of the rate; without the filter 0.275 (table 13).
  public var relativeBandwidth: Scalar {
    switch self {
    case .p2_66: 0.0266
    case .p3_63: 0.0363
    case .p5_39: 0.0539
    case .p13_37: 0.1337
    default: 0.275
    }
  }
}
