// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The usual name and unit of a noise figure.
package struct NoiseQuantity: Equatable, Sendable {
  package let name: String
  package let unit: String
  /// The factor that converts a value from the channel's unit (and seconds) to this quantity's
  /// unit.
  package let factor: Double
  /// The name with its unit, as a key for JSON and CSV.
  package let key: String

  init(_ name: String, _ unit: String, _ factor: Double, _ key: String) {
    self.name = name
    self.unit = unit
    self.factor = factor
    self.key = key
  }
}

/// The units for reporting the noise of a channel.
package struct NoiseUnits: Equatable, Sendable {
  /// The sensor, such as "gyroscope".
  package let sensor: String
  package let mean: NoiseQuantity
  package let deviation: NoiseQuantity
  package let density: NoiseQuantity
  /// The quantity of `NoiseCoefficients.randomWalk`; `nil` if the integral of the channel has no
  /// meaning.
  package let randomWalk: NoiseQuantity?
  package let instability: NoiseQuantity
  package let rateRandomWalk: NoiseQuantity
  /// The quantity of `Trend.slope`.
  package let drift: NoiseQuantity

  private static let degrees = 180 / Double.pi
  /// The number of seconds in an hour, and the square root of that number.
  private static let hour = 3600.0
  private static let rootHour = 60.0
  /// Standard gravity in m/s^2 (ISO 80000-3).
  private static let gravity = 9.80665

  package static func of(_ channel: Channel) -> NoiseUnits {
    switch channel {
    case .rotationRate: rotationRate
    case .acceleration: acceleration
    default: plain(channel.row)
    }
  }

  private static let rotationRate = NoiseUnits(
    sensor: "gyroscope",
    mean: NoiseQuantity("mean", "deg/s", degrees, "meanDegS"),
    deviation: NoiseQuantity(
      "standard deviation", "deg/s", degrees, "standardDeviationDegS"),
    density: NoiseQuantity(
      "noise density", "deg/s/sqrt(Hz)", degrees, "noiseDensityDegSRootHz"),
    randomWalk: NoiseQuantity(
      "angle random walk", "deg/sqrt(h)", degrees * rootHour, "angleRandomWalkDegRootH"),
    instability: NoiseQuantity(
      "bias instability", "deg/h", degrees * hour, "biasInstabilityDegH"),
    rateRandomWalk: NoiseQuantity(
      "rate random walk", "deg/h/sqrt(h)", degrees * hour * rootHour, "rateRandomWalkDegHRootH"),
    drift: NoiseQuantity("drift", "deg/s per h", degrees * hour, "driftDegSPerH"))

  private static let acceleration = NoiseUnits(
    sensor: "accelerometer",
    mean: NoiseQuantity("mean", "g", 1, "meanG"),
    deviation: NoiseQuantity("standard deviation", "mg", 1e3, "standardDeviationMg"),
    density: NoiseQuantity("noise density", "ug/sqrt(Hz)", 1e6, "noiseDensityUgRootHz"),
    randomWalk: NoiseQuantity(
      "velocity random walk", "m/s/sqrt(h)", gravity * rootHour, "velocityRandomWalkMSRootH"),
    instability: NoiseQuantity("bias instability", "ug", 1e6, "biasInstabilityUg"),
    rateRandomWalk: NoiseQuantity(
      "acceleration random walk", "ug/sqrt(h)", 1e6 * rootHour, "accelerationRandomWalkUgRootH"),
    drift: NoiseQuantity("drift", "mg per h", 1e3 * hour, "driftMgPerH"))

  private static func plain(_ row: ChannelRow) -> NoiseUnits {
    let (unit, factor, key) = ("\(row.noise.unit)", row.noise.factor, "\(row.noise.key)")
    return NoiseUnits(
      sensor: "\(row.sensor)", mean: NoiseQuantity("mean", unit, factor, "mean\(key)"),
      deviation: NoiseQuantity(
        "standard deviation", unit, factor, "standardDeviation\(key)"),
      density: NoiseQuantity(
        "noise density", "\(unit)/sqrt(Hz)", factor, "noiseDensity\(key)RootHz"),
      randomWalk: nil,
      instability: NoiseQuantity(
        "bias instability", unit, factor, "biasInstability\(key)"),
      rateRandomWalk: NoiseQuantity(
        "random walk", "\(unit)/sqrt(h)", factor * rootHour, "randomWalk\(key)RootH"),
      drift: NoiseQuantity("drift", "\(unit) per h", factor * hour, "drift\(key)PerH"))
  }
}
