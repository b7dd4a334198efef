// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// What a chip's data sheet says of the noise of one of its channels: typical values, at the chip's best.
public struct ChannelNoise: Equatable, Sendable {
  public var channel: Channel
  /// White noise: one-sided density in the channel's unit / sqrt(Hz), one for all full-scale ranges or one for each of
  /// `ChannelDescription.ranges`; empty where the data sheet gives none.
  public var densities: [Double]
  /// Standard deviation of the samples in the channel's unit, where the data sheet gives one.
  public var deviation: Double?
  /// Under what conditions, where `deviation` is given: "in 92 Hz".
  public var conditions: String
  /// Document and place.
  public var source: String

  public init(
    _ channel: Channel, densities: [Double] = [], deviation: Double? = nil,
    conditions: String = "", source: String
  ) {
    self.channel = channel
    self.densities = densities
    self.deviation = deviation
    self.conditions = conditions
    self.source = source
  }
}

extension ChipDescription {
  /// The density of the white noise that the data sheet gives a channel at full scale `range`, both in the channel's unit;
  /// `nil` where it gives none.
  public func noiseDensity(of channel: Channel, at range: Double) -> Double? {
    guard let row = noise.first(where: { $0.channel == channel }), let first = row.densities.first
    else { return nil }
    let ranges = channels.first { $0.channel == channel }?.ranges ?? []
    guard row.densities.count == ranges.count else { return first }
    // Drivers take the smallest range that is enough.
    let index = ranges.firstIndex { $0 >= range * 0.999 } ?? ranges.count - 1
    return row.densities[index]
  }
}

/// Rows of the catalogue. Densities at 10 Hz; ranges do not matter where one is given.
enum NoiseTable {
  private static let degree = Double.pi / 180
  private static let microG = 1e-6

  static let mpu6050 = [
    ChannelNoise(
      .acceleration, densities: [400 * microG], source: "PS-MPU-6000A-00 rev. 3.4, 6.2"),
    ChannelNoise(
      .rotationRate, densities: [0.005 * degree], deviation: 0.05 * degree,
      conditions: "in 100 Hz", source: "PS-MPU-6000A-00 rev. 3.4, 6.1"),
  ]

  static let mpu6500 = [
    ChannelNoise(
      .acceleration, densities: [300 * microG], source: "PS-MPU-6500A-01 rev. 1.1, table 2"),
    ChannelNoise(
      .rotationRate, densities: [0.01 * degree], deviation: 0.1 * degree,
      conditions: "in 92 Hz", source: "PS-MPU-6500A-01 rev. 1.1, table 1"),
  ]

  static let mpu9250 = [
    ChannelNoise(
      .acceleration, densities: [300 * microG], deviation: 8e-3, conditions: "in 94 Hz",
      source: "PS-MPU-9250A-01 rev. 1.1, table 2"),
    ChannelNoise(
      .rotationRate, densities: [0.01 * degree], deviation: 0.1 * degree,
      conditions: "in 92 Hz", source: "PS-MPU-9250A-01 rev. 1.1, table 1"),
  ]

  static let bmi160 = [
    ChannelNoise(
      .acceleration, densities: [180 * microG], deviation: 1.8e-3, conditions: "in 80 Hz",
      source: "BST-BMI160-DS000-07, table 2"),
    ChannelNoise(
      .rotationRate, densities: [0.007 * degree], deviation: 0.07 * degree,
      conditions: "in 74.6 Hz", source: "BST-BMI160-DS000-07, table 3"),
  ]

  static let lsm6ds3 = [
    ChannelNoise(
      .acceleration, densities: [90, 90, 110, 180].map { $0 * microG },
      source: "DocID026899 rev. 8, table 3"),
    ChannelNoise(
      .rotationRate, densities: [0.007 * degree], source: "DocID026899 rev. 8, table 3"),
  ]

  static let lsm6ds3trc = [
    ChannelNoise(
      .acceleration, densities: [90, 90, 110, 180].map { $0 * microG },
      source: "DocID030071 rev. 3, table 3"),
    ChannelNoise(
      .rotationRate, densities: [0.005 * degree], source: "DocID030071 rev. 3, table 3"),
  ]

  /// Of x and y; z has 0.41.
  static let lis3mdl = [
    ChannelNoise(
      .magneticField, deviation: 0.32, conditions: "at ultra-high performance",
      source: "DocID024204 rev. 4, table 3")
  ]

  static let bmp280 = [
    ChannelNoise(
      .pressure, deviation: 1.3e-3, conditions: "with 16 conversions and no filter",
      source: "BST-BMP280-DS001, 3.5")
  ]

  static let bme280 = [
    ChannelNoise(
      .pressure, deviation: 1.3e-3, conditions: "with 16 conversions and no filter",
      source: "BST-BME280-DS001, 3.6"),
    ChannelNoise(
      .humidity, deviation: 0.02, conditions: "with 16 conversions",
      source: "BST-BME280-DS001, 1.2"),
  ]
}
