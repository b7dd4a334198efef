// SPDX-License-Identifier: Apache-2.0
public import Quantities
internal import Registers
public import Sensors

/// The codes that the driver writes into the chip's registers.
public struct AK8963Configuration: ChipConfiguration {
  public var part = AK8963Part.ak8963
  /// The output data rate: the mode of CNTL1 or CNTL2.
  public var rate = AK8963Rate.hz100
  /// True for 16-bit words: BIT of CNTL1. The AK09916 has only 16-bit words.
  public var isWide = true
  /// The readout mode. Only polling is possible: neither part has a FIFO, and inside an IMU the
  /// parts' pins are not connected.
  public var readout = ReadoutMode.polling

  public init() {}

  /// Creates the register codes for a magnetometer inside an IMU.
  @inline(__always)
  init(_ part: AK8963Part, _ rate: AK8963Rate) {
    self.part = part
    self.rate = rate
  }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    acquisition == .polling && rate.isOf(part) && (isWide || part == .ak8963) && !isSPI
  }

  /// The data sheets give no tolerance for the output rate; 10 percent is assumed.
  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  public static func limits(of part: AK8963Part, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 100, microtesla: AK8963Chip.fullScale, ways: .polling)
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    // Choose the slowest output rate that is not below the requested rate.
    for slower in AK8963Rate.allCases
    where slower.isOf(part) && slower.hertz >= settings.rate * 0.999 { rate = slower }
    settings.rate = rate.hertz
    settings.bandwidth = rate.hertz / 2
    settings.magneticFieldRange = AK8963Chip.fullScale
    // The chip has no low-power mode for continuous measurement.
    readout.power = .normal
    settings.power = .normal
  }

  /// The only register write of the configuration. This register has other contents after a reset,
  /// so its verification detects a reset.
  @inline(__always)
  var mode: RegisterValue {
    switch part {
    case .ak8963:
      RegisterValue(AK8963Map().control1) {
        $0.isWide(isWide) | $0.mode(rate == .hz100 ? .hz100 : .hz8)
      }
    case .ak09916:
      RegisterValue(AK09916Map().control2) {
        switch rate {
        case .hz100: $0(.hz100)
        case .hz50: $0(.hz50)
        case .hz20: $0(.hz20)
        case .hz10, .hz8: $0(.hz10)
        }
      }
    }
  }
}

/// The parts of the family; the part selects the register map.
public enum AK8963Part: UInt8, ChipPart {
  /// The magnetometer inside the MPU-9250. Its WIA register contains 0x48, as in every AKM
  /// magnetometer.
  case ak8963 = 0x48
  /// The magnetometer inside the ICM-20948. Its second identity register contains 0x09.
  case ak09916 = 0x09

  public static var expected: AK8963Part { .ak8963 }
}

/// The output data rates in continuous measurement.
public enum AK8963Rate: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case hz100, hz50, hz20, hz10, hz8

  public var hertz: Scalar {
    switch self {
    case .hz100: 100
    case .hz50: 50
    case .hz20: 20
    case .hz10: 10
    case .hz8: 8
    }
  }

  /// Returns true if `part` supports this output rate (AK8963: MS1356-E-02, table 8.5; AK09916:
  /// DS-000189 section 13.5).
  public func isOf(_ part: AK8963Part) -> Bool {
    switch part {
    case .ak8963: self == .hz100 || self == .hz8
    case .ak09916: self != .hz8
    }
  }
}

/// Constants for the family that do not depend on a driver's state.
extension AK8963Chip {
  public static var channels: ChannelSet { .magneticField }

  /// The size of a frame in bytes: x, y, z, low byte first.
  public static var frameSize: Int { 6 }

  /// The full scale in microtesla (MS1356-E-02, table 8.3; DS-000189, table 3). If the sum of the
  /// axes' magnitudes exceeds the full scale, HOFL in ST2 marks the sample as invalid.
  public static var fullScale: Scalar { 4912 }

  /// The microtesla per count of 16-bit words, from the same tables as `fullScale`. A 14-bit count
  /// is four times as large.
  public static var microteslaPerCount: Scalar { 0.15 }

  /// Returns the sensitivity factor for an axis from the factory's adjustment (MS1356-E-02, section
  /// 8.3.11).
  public static func factor(of adjustment: UInt8) -> Scalar { (Scalar(adjustment) + 128) / 256 }

  public static func range(of channel: Channel, at index: Int, of codes: AK8963Configuration)
    -> Scalar?
  {
    channel == .magneticField && index == 0 ? fullScale : nil
  }

  public static func rate(at index: Int, of codes: AK8963Configuration) -> Scalar? {
    rate(at: index, of: codes.part)
  }

  public static func rate(at index: Int, of part: AK8963Part) -> Scalar? {
    var left = index
    for rate in AK8963Rate.allCases where rate.isOf(part) {
      if left == 0 { return rate.hertz }
      left -= 1
    }
    return nil
  }

  /// The delay of a sample: half of the measurement time, 7.2 ms (MS1356-E-02, section 5.3.3).
  public static var delays: StreamDelays { StreamDelays(magneticField: 0.0036) }
}

/// The waiting times and intervals of the driver; numbers are in microseconds.
enum AK8963Timing {
  /// The wait after SRST, for which the data sheets give no time, and the number of polls.
  static var reset: UInt32 { 1000 }
  static var resetPolls: UInt16 { 20 }
  /// The wait between two operating modes (MS1356-E-02, section 6.3).
  static var mode: UInt32 { 100 }
  /// The longest duration of a measurement, 9 ms (section 5.3.3). After this time the chip is
  /// polled every millisecond, for up to 20 ms.
  static var measurement: UInt32 { 9000 }
  static var pollInterval: UInt32 { 1000 }
  static var polls: Int { 20 }
  /// The interval and number of the polls for a byte that an IMU's auxiliary master transfers. The
  /// master transfers the byte with its next sample, at most a third of a second later.
  static var transfer: UInt32 { 1000 }
  static var transferPolls: UInt16 { 500 }
  /// The interval between the verifications of two configuration registers.
  static var verification: TimeSpan { .milliseconds(50) }
}
