// SPDX-License-Identifier: Apache-2.0

/// The properties of a channel: one row of a table for recordings, board files, noise figures,
/// simulation, monitor, service and documentation.
public struct ChannelRow: Sendable {
  /// The name of the channel's column in recordings and output. For a vector the name is the prefix
  /// of three columns that end in `.x`, `.y`, `.z`.
  public let name: StaticString
  /// The channel's key in board files and options.
  public let key: StaticString
  /// The channel's name, as used in messages.
  public let words: StaticString
  /// The kind of sensor that measures the channel.
  public let sensor: StaticString
  public let unit: StaticString
  /// The channel's unit, as used in messages.
  public let unitWords: StaticString
  /// The range of plausible values of the channel. No supported sensor measures beyond this range,
  /// which includes a margin.
  public let limits: ClosedRange<Scalar>
  /// The number of decimals of the channel's values that are shown to users.
  public let digits: Int
  /// The unit of the channel's noise, the conversion factor from the channel's unit to that unit,
  /// and the spelling of that unit in JSON names.
  public let noise: (unit: StaticString, factor: Scalar, key: StaticString)
  /// True if motion data contains a value of this channel, so that every sample of the channel is
  /// needed while motion is computed.
  public let isInMotion: Bool
  /// True if the latest value of the channel is shown next to the motion data: in a column after
  /// the motion columns, in the live table and in the monitor.
  public let isAuxiliary: Bool

  init(
    _ name: StaticString, key: StaticString, words: StaticString, of sensor: StaticString,
    in unit: StaticString, unitWords: StaticString, limits: ClosedRange<Scalar>, digits: Int,
    noise: (unit: StaticString, factor: Scalar, key: StaticString), isInMotion: Bool = false,
    isAuxiliary: Bool = false
  ) {
    self.name = name
    self.key = key
    self.words = words
    self.sensor = sensor
    self.unit = unit
    self.unitWords = unitWords
    self.limits = limits
    self.digits = digits
    self.noise = noise
    self.isInMotion = isInMotion
    self.isAuxiliary = isAuxiliary
  }
}

extension Channel {
  public var row: ChannelRow {
    switch self {
    case .acceleration:
      ChannelRow(
        "acceleration", key: "acceleration", words: "acceleration", of: "accelerometer", in: "g",
        unitWords: "g", limits: -1000...1000, digits: 3, noise: ("mg", 1e3, "Mg"), isInMotion: true)
    case .rotationRate:
      ChannelRow(
        "rotationRate", key: "rotation-rate", words: "rotation rate", of: "gyroscope", in: "rad/s",
        unitWords: "rad/s", limits: -1000...1000, digits: 3,
        noise: ("deg/s", degrees(fromRadians: 1), "DegS"), isInMotion: true)
    case .magneticField:
      ChannelRow(
        "magneticField", key: "magnetic-field", words: "magnetic field", of: "magnetometer",
        in: "uT", unitWords: "microtesla", limits: -100_000...100_000, digits: 1,
        noise: ("uT", 1, "UT"), isInMotion: true)
    case .pressure:
      ChannelRow(
        "pressure", key: "pressure", words: "pressure", of: "barometer", in: "kPa",
        unitWords: "kPa", limits: 0...200, digits: 3, noise: ("Pa", 1000, "Pa"), isInMotion: true)
    case .temperature:
      ChannelRow(
        "temperature", key: "temperature", words: "temperature", of: "thermometer", in: "degC",
        unitWords: "degrees Celsius", limits: -273...1000, digits: 1, noise: ("degC", 1, "DegC"),
        isInMotion: true)
    case .humidity:
      ChannelRow(
        "humidity", key: "humidity", words: "humidity", of: "hygrometer", in: "%",
        unitWords: "percent", limits: 0...100, digits: 1, noise: ("%", 1, "Percent"))
    case .illuminance:
      ChannelRow(
        "illuminance", key: "illuminance", words: "illuminance", of: "light sensor", in: "lx",
        unitWords: "lux", limits: 0...200_000, digits: 1, noise: ("lx", 1, "Lx"),
        isAuxiliary: true)
    case .proximity:
      // Proximity is relative to the sensor's range, so the values of two sensors cannot be
      // compared.
      ChannelRow(
        "proximity", key: "proximity", words: "proximity", of: "proximity sensor", in: "of 1",
        unitWords: "parts of the sensor's range, 1 is near", limits: 0...1, digits: 3,
        noise: ("%", 100, "Percent"), isAuxiliary: true)
    }
  }
}
