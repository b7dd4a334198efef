// SPDX-License-Identifier: Apache-2.0
public import Quantities
internal import Registers
public import Sensors

/// The codes that the driver writes into the chip's registers.
public struct AK8963Configuration: ChipCodes {
  public var part = AK8963Part.ak8963
  /// The mode of CNTL1 or CNTL2.
  public var rate = AK8963Rate.hz100
  /// BIT of CNTL1: words of 16 bits. The AK09916 has no others.
  public var isWide = true
  /// Neither has a queue, and where they are built in none of their pins is led out.
  public var readout = Readout.polling

  public init() {}

  /// Creates the codes of a magnetometer inside an IMU.
  @inline(__always)
  init(_ part: AK8963Part, _ rate: AK8963Rate) {
    self.part = part
    self.rate = rate
  }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    acquisition == .polling && rate.isOf(part) && (isWide || part == .ak8963) && !isSPI
  }

  /// No sheet says how well the rate is kept.
  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  public static func limits(of part: AK8963Part, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 100, microtesla: AK8963Chip.fullScale, ways: .polling)
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    // The slowest rate that is not slower than asked.
    for slower in AK8963Rate.allCases
    where slower.isOf(part) && slower.hertz >= settings.rate * 0.999 { rate = slower }
    settings.rate = rate.hertz
    settings.bandwidth = rate.hertz / 2
    settings.magneticFieldRange = AK8963Chip.fullScale
    // There is no way to take less current.
    readout.power = .normal
    settings.power = .normal
  }

  /// The one line: what a chip that measures holds and one that was reset does not.
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

/// A row of the family: whose registers a chip has.
public enum AK8963Part: UInt8, ChipPart {
  /// Inside the MPU-9250. Its WIA says 0x48, as that of every magnetometer of its maker.
  case ak8963 = 0x48
  /// Inside the ICM-20948. Its second identity register says 0x09.
  case ak09916 = 0x09

  public static var expected: AK8963Part { .ak8963 }
}

/// Samples per second in continuous measurement.
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

  /// Tells whether a part has it (AK8963: MS1356-E-02, table 8.5; AK09916: DS-000189 section 13.5).
  public func isOf(_ part: AK8963Part) -> Bool {
    switch part {
    case .ak8963: self == .hz100 || self == .hz8
    case .ak09916: self != .hz8
    }
  }
}

/// Facts of the family without a part at hand.
extension AK8963Chip {
  public static var channels: ChannelSet { .magneticField }

  /// A frame: x, y, z, low bytes first.
  public static var frameSize: Int { 6 }

  /// Full scale in microtesla (MS1356-E-02, table 8.3; DS-000189, table 3). Where the axes'
  /// magnitudes together are more, HOFL in ST2 says that what was measured is not right.
  public static var fullScale: Scalar { 4912 }

  /// Microtesla a count of 16 bits (same tables); one of 14 bits is four times as much.
  public static var microteslaPerCount: Scalar { 0.15 }

  /// Returns the factory's factor of an axis' sensitivity (MS1356-E-02, section 8.3.11).
  public static func factor(of adjustment: UInt8) -> Scalar { (Scalar(adjustment) + 128) / 256 }

  public static func range(of channel: Channel, at index: Int) -> Scalar? {
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

  /// By how much a sample is late: half of the time that a measurement takes, 7.2 ms (MS1356-E-02,
  /// section 5.3.3).
  public static var delays: StreamDelays { StreamDelays(magneticField: 0.0036) }
}

/// Waits; numbers are microseconds.
enum AK8963Timing {
  /// After SRST, of which the sheets give no time, and how often it may be asked for.
  static var reset: UInt32 { 1000 }
  static var resetPolls: UInt16 { 20 }
  /// From one mode to the next (MS1356-E-02, section 6.3).
  static var mode: UInt32 { 100 }
  /// A measurement takes 9 ms at most (section 5.3.3), and a look each millisecond shows that it is
  /// over, for three times as long.
  static var measurement: UInt32 { 9000 }
  static var look: UInt32 { 1000 }
  static var looks: Int { 20 }
  /// For a byte that an IMU's master passes on: with its next sample, which is a third of a second
  /// away at most.
  static var transfer: UInt32 { 1000 }
  static var transferPolls: UInt16 { 500 }
  /// From one comparison of a line to the next.
  static var verification: TimeSpan { .milliseconds(50) }
}
