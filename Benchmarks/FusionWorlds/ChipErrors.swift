// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Foundation
internal import Quantities
internal import Sensors

/// One degree in radians.
let degree = Double.pi / 180

/// A reproducible source of draws (SplitMix64).
struct Draws {
  private var state: UInt64

  /// Begins where the hash (FNV-1a) of a name says, so that no two names give the same draws.
  init(of name: String) {
    state = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * (Double(next() >> 11) + 0.5) / 9_007_199_254_740_992
  }

  /// Draws from the normal distribution of sigma 1 (Box and Muller).
  mutating func normal() -> Double {
    (-2 * log(uniform(0, 1))).squareRoot() * cos(2 * .pi * uniform(0, 1))
  }

  mutating func sign() -> Double { uniform(0, 1) < 0.5 ? -1 : 1 }

  mutating func direction() -> Vector3 {
    Vector3(normal(), normal(), normal()).normalized ?? Vector3(1, 0, 0)
  }

  /// Draws three of one tolerance.
  mutating func vector(_ tolerance: Tolerance) -> Vector3 {
    Vector3(tolerance.draw(&self), tolerance.draw(&self), tolerance.draw(&self))
  }

  /// Draws the six elements off the diagonal, and puts `scale` on it.
  mutating func matrix(scale: Tolerance, crossAxis: Tolerance) -> Matrix3 {
    let diagonal = vector(scale)
    let upper = vector(crossAxis)
    let lower = vector(crossAxis)
    return Matrix3(
      rows: Vector3(1 + diagonal.x, upper.x, upper.y), Vector3(lower.x, 1 + diagonal.y, upper.z),
      Vector3(lower.y, lower.z, 1 + diagonal.z))
  }
}

extension Tolerance {
  static let none = Tolerance.limit(0)

  func draw(_ draws: inout Draws) -> Double {
    switch self {
    case .limit(let limit): draws.uniform(-limit, limit)
    case .typical(let sigma): sigma * draws.normal()
    }
  }

  /// The same, of another unit.
  func times(_ factor: Double) -> Tolerance {
    switch self {
    case .limit(let limit): .limit(limit * factor)
    case .typical(let sigma): .typical(sigma * factor)
    }
  }

  /// Draws again until it is within `limit`.
  func draw(within limit: Double, _ draws: inout Draws) -> Double {
    if case .limit(let own) = self { return draws.uniform(-min(own, limit), min(own, limit)) }
    while true {
      let value = draw(&draws)
      if abs(value) <= limit { return value }
    }
  }
}

/// A chip with the errors of its row in the catalogue, and a magnetometer beside it.
struct ChipErrors {
  /// As on the command line.
  var name: String
  /// Hertz.
  var rate = 200.0
  /// The error of the chip's own clock, as a part of one: samples are stamped rightly, but not as
  /// often as asked.
  var clock: Tolerance
  var gyroscope: ChannelTolerance
  var accelerometer: ChannelTolerance
  /// Rad/s/sqrt(Hz).
  var gyroNoise: Double
  /// G/sqrt(Hz).
  var accelerationNoise: Double
  /// The age of the motion that a sample shows.
  var delays: StreamDelays
  /// Microtesla in each axis.
  var magneticNoise: Double
  /// Microtesla: what a calibration has left of the hard iron, in any direction.
  var hardIron: Double
  /// Rad/s/g^2 and g/g^2 of vibration. Assumed: no data sheet gives them.
  var gyroPerVibration = 0.05 * degree
  var accelerationPerVibration = 0.015

  /// The part of the accelerometer's errors that is left: a tenth of the accelerometer's errors: a
  /// tenth of the sheet's, as after `otolith calibrate accelerometer`. Offset and scale of the
  /// sheet would tilt every engine's horizon alike, by 2 to 4 degrees.
  static let accelerometerRest = 0.1

  /// The largest zero-rate offset that is drawn, rad/s, whatever the sheet says: boards measure it
  /// at rest sooner or later, and VQF believes in 2 degrees/s at most, so that 20 would be absurd
  /// for it.
  static let largestGyroOffset = 3 * degree

  /// All rows, by the names of the command line; `nil` for another. Beside the chip is
  /// - an HMC5883L: data sheet 900405 rev. E, "specifications", resolution 2 mG, 6 ms at 75 Hz;
  /// - an AK8963 at 100 Hz, 16 bits: noise not given, assumed;
  /// - a LIS3MDL: DocID024204 rev. 6, table 3;
  /// - a BMM150: BST-BMM150-DS001, table 2, regular preset.
  init?(named name: String) {
    switch name {
    case "mpu6050": self.init(name, "invensense,mpu6050", magneticNoise: 0.2, magneticDelay: 0.010)
    case "mpu9250": self.init(name, "invensense,mpu9250", magneticNoise: 0.5, magneticDelay: 0.009)
    case "lsm6ds3": self.init(name, "st,lsm6ds3", magneticNoise: 0.35, magneticDelay: 0.008)
    case "bmi160": self.init(name, "bosch,bmi160", magneticNoise: 0.6, magneticDelay: 0.010)
    case "ideal": self = .ideal
    default: return nil
    }
  }

  private init?(_ name: String, _ row: String, magneticNoise: Double, magneticDelay: Double) {
    guard let chip = ChipCatalog.entry(named: row)?.description,
      let gyroscope = chip.tolerances.first(where: { $0.channel == .rotationRate }),
      let accelerometer = chip.tolerances.first(where: { $0.channel == .acceleration }),
      let gyroNoise = chip.noiseDensity(of: .rotationRate, at: .infinity),
      let accelerationNoise = chip.noiseDensity(of: .acceleration, at: 2)
    else { return nil }
    self.name = name
    clock = .limit(0.01)
    self.gyroscope = gyroscope
    self.accelerometer = accelerometer
    self.gyroNoise = gyroNoise
    self.accelerationNoise = accelerationNoise
    delays = chip.delays(SensorSettings(rate: rate))
    delays.magneticField = magneticDelay
    self.magneticNoise = magneticNoise
    hardIron = 1
  }

  private init(
    name: String, gyroNoise: Double, accelerationNoise: Double, magneticNoise: Double
  ) {
    func none(_ channel: Channel) -> ChannelTolerance {
      ChannelTolerance(channel, offset: .none, scale: .none, crossAxis: .none, source: "")
    }
    self.name = name
    clock = .none
    gyroscope = none(.rotationRate)
    accelerometer = none(.acceleration)
    self.gyroNoise = gyroNoise
    self.accelerationNoise = accelerationNoise
    delays = StreamDelays()
    self.magneticNoise = magneticNoise
    hardIron = 0
    gyroPerVibration = 0
    accelerationPerVibration = 0
  }

  /// No errors but a little noise.
  static let ideal = ChipErrors(
    name: "ideal", gyroNoise: 0.005 * degree, accelerationNoise: 1e-4, magneticNoise: 0.1)
}
