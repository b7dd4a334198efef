// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The codes that the driver writes into the chip's registers.
public struct QMI8658Configuration: InertialCodes, ListedCodes {
  /// The output data rate of both sensors; in low power the output data rate of the accelerometer.
  public var rate = QMI8658Map.Rate.hz896_8
  public var accelFullScale = QMI8658Map.AccelFullScale.g16
  public var gyroFullScale = QMI8658Map.GyroFullScale.dps2048
  public var filter = QMI8658Map.Filter.off
  /// The readout mode. In low power only the accelerometer runs.
  public var readout = ReadoutMode.polling

  public init() {}

  public func isPossible(isSPI: Bool) -> Bool {
    (acquisition == .dataReady || acquisition == .polling) && Self.has(rate, power: power)
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz) }

  var hasGyro: Bool { power == .normal }

  /// Returns true if the driver offers a rate. Rates above 1 kHz are not offered, because the
  /// gyroscope's noise rises above 1 kHz (section 3.6). The two slowest rates in low power are not
  /// offered, because they take 0.2 ms and more to lock a sample (table 41).
  static func has(_ rate: QMI8658Map.Rate, power: PowerMode) -> Bool {
    power == .normal
      ? (QMI8658Map.Rate.hz896_8.rawValue...QMI8658Map.Rate.hz28_025.rawValue).contains(
        rate.rawValue)
      : rate == .low128 || rate == .low21
  }

  public static func limits(of part: QMI8658Part, power: PowerMode) -> SettingLimits {
    SettingLimits(
      rate: power == .normal ? 896.8 : 128, g: 16, degreesPerSecond: 2048,
      ways: [.dataReady, .polling])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    rate = power == .normal ? .hz896_8 : .low128
    let power = self.power
    rate.chooseSmallest(holding: &settings.rate) {
      Self.has($0, power: power) ? $0.hertz : .infinity
    }
    fitScales(&settings)
    let share: Scalar = (settings.bandwidth ?? rate.hertz) / rate.hertz
    filter = .widest(within: share * 1.001, orElse: .p2_66) { $0.relativeBandwidth }
    settings.bandwidth = filter.relativeBandwidth * rate.hertz
    // The data-ready signal is an active-high pulse on INT2, the only pin that the driver uses.
    readout.takeLine(&settings, InterruptPin(), where: interruptPin == InterruptPin())
  }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write, which starts the sensors.
  public func row(_ index: Int) -> RegisterValue? {
    let map = QMI8658Map()
    return switch index {
    case 0:
      RegisterValue(map.interface) {
        $0.addressIncrement(true) | $0.pin2Enable(acquisition == .dataReady)
      }
    case 1: RegisterValue(map.accelConfig) { $0.range(accelFullScale) | $0.rate(rate) }
    case 2:
      RegisterValue(map.gyroConfig) {
        hasGyro ? $0.range(gyroFullScale) | $0.rate(rate) : $0.selfTest(false)
      }
    case 3: RegisterValue(map.filterConfig) { $0.gyro(filter) | $0.accel(filter) }
    case 4: RegisterValue(map.motionControl) { $0.handshakeByStatus(true) }
    case 5: running
    default: nil
    }
  }

  /// The register write that starts the sensors. A sample is locked while it is read.
  var running: RegisterValue {
    RegisterValue(QMI8658Map().sensors) {
      $0.lockEnable(true) | $0.dataReadyDisable(acquisition != .dataReady)
        | $0.gyroEnable(hasGyro) | $0.accelEnable(true)
    }
  }

  /// The time from the start of the sensors to the first valid sample, in microseconds: 150 ms for
  /// the gyroscope or 3 ms for the accelerometer, and three samples (tables 7 and 8).
  var turnOn: UInt32 {
    (hasGyro ? 150_000 : 3000) + UInt32(saturating: (3e6 / rate.hertz).rounded(.up))
  }
}

/// The only part of its family: the QMI8658A and QMI8658C have the same identity and registers.
public typealias QMI8658Part = SinglePart<0x05>

/// Constants for the chip that do not depend on a driver's state.
extension QMI8658Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// Returns the output data rates in Hz, fastest first.
  public static func rate(at index: Int, of codes: QMI8658Configuration) -> Scalar? {
    guard index >= 0 else { return nil }
    if codes.power == .low { return index == 0 ? 128 : index == 1 ? 21 : nil }
    return index <= 5 ? QMI8658Map.Rate(rawValue: UInt8(3 + index))?.hertz : nil
  }

  /// Returns the filter delays for `settings`. The delays are derived from the bandwidths, because
  /// QST gives no delays.
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let codes = QMI8658Configuration(nearest: &settings, of: .expected, isSPI: false)
    let delay = StreamDelays.lowPass(
      bandwidth: codes.filter.relativeBandwidth * codes.rate.hertz)
    return StreamDelays(rotationRate: codes.hasGyro ? delay : .zero, acceleration: delay)
  }
}
