// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

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

/// What a data sheet says of an error: a limit is drawn evenly, a typical value as one sigma.
enum Tolerance {
  case limit(Double)
  case typical(Double)

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

/// The errors of a chip, and of the magnetometer beside it, as data sheets give them.
struct ChipErrors {
  /// As on the command line.
  var name: String
  /// Hertz.
  var rate = 200.0
  /// How far the chip's own clock is off, parts in a million: samples are stamped rightly, but not
  /// as often as asked.
  var clock = Tolerance.none
  /// Of one.
  var gyroScale = Tolerance.none
  /// Rad.
  var gyroCrossAxis = Tolerance.none
  /// Degrees/s. Drawn within 3, whatever the sheet says: boards measure it at rest sooner or later,
  /// and VQF believes in 2 at most, so that the sheets' 20 would be absurd for it.
  var gyroOffset = Tolerance.none
  /// Degrees/s/sqrt(Hz).
  var gyroNoise = 0.005
  /// Degrees/s/g.
  var gyroPerG = Tolerance.none
  /// Degrees/s/g^2 of vibration. Assumed: no data sheet gives it.
  var gyroPerVibration = 0.0
  /// Mg: X and Y, then Z.
  var accelerationOffset = (Tolerance.none, Tolerance.none)
  /// Of one.
  var accelerationScale = Tolerance.none
  /// Rad.
  var accelerationCrossAxis = Tolerance.none
  /// Micro-g/sqrt(Hz).
  var accelerationNoise = 100.0
  /// Mg/g^2 of vibration. Assumed: no data sheet gives it.
  var accelerationPerVibration = 0.0
  /// Microtesla in each axis.
  var magneticNoise = 0.1
  /// Microtesla: what a calibration has left of the hard iron, in any direction.
  var hardIron = 0.0
  /// Ms: how old the motion is that a sample shows, beyond the half interval of the gyroscope's
  /// mean.
  var gyroDelay = 0.0
  var accelerationDelay = 0.0
  var magneticDelay = 0.0

  /// What is left of the accelerometer's errors: a tenth of the sheet's, as after
  /// `otolith calibrate accelerometer`. Offset and scale of the sheet would tilt everybody's horizon
  /// alike, by 2 to 4 degrees.
  static let accelerometerRest = 0.1

  /// The largest zero-rate offset that is drawn, degrees/s.
  static let largestGyroOffset = 3.0

  /// All rows.
  static let all = [mpu6050, mpu9250, lsm6ds3, bmi160, ideal]

  /// PS-MPU-6000A-00 rev. 3.4, sections 6.1 (gyroscope), 6.2 (accelerometer) and 6.5 (clock);
  /// delays of DLPF_CFG 2: RM-MPU-6000A-00 rev. 4.2, section 4.3. Beside it an HMC5883L: data
  /// sheet 900405 rev. E, "specifications": resolution 2 mG; a conversion of 6 ms, at 75 Hz.
  static let mpu6050 = ChipErrors(
    name: "mpu6050", clock: .limit(10_000), gyroScale: .limit(0.03), gyroCrossAxis: .limit(0.02),
    gyroOffset: .limit(20), gyroNoise: 0.005, gyroPerG: .typical(0.1), gyroPerVibration: 0.05,
    accelerationOffset: (.limit(50), .limit(80)), accelerationScale: .limit(0.03),
    accelerationCrossAxis: .limit(0.02), accelerationNoise: 400, accelerationPerVibration: 15,
    magneticNoise: 0.2, hardIron: 1, gyroDelay: 2.8, accelerationDelay: 3, magneticDelay: 10)

  /// PS-MPU-9250A-01 rev. 1.0, sections 3.1 and 3.2; the g-sensitivity is assumed as of the
  /// MPU-6050. Delays of the filters at 92 and 99 Hz: RM-MPU-9250A-00 rev. 1.6, sections 4.5 and
  /// 4.7. Its AK8963 at 100 Hz, 16 bits: noise not given, assumed.
  static let mpu9250 = ChipErrors(
    name: "mpu9250", clock: .limit(10_000), gyroScale: .limit(0.03), gyroCrossAxis: .limit(0.02),
    gyroOffset: .limit(5), gyroNoise: 0.01, gyroPerG: .typical(0.1), gyroPerVibration: 0.05,
    accelerationOffset: (.limit(60), .limit(80)), accelerationScale: .limit(0.03),
    accelerationCrossAxis: .limit(0.02), accelerationNoise: 300, accelerationPerVibration: 15,
    magneticNoise: 0.5, hardIron: 1, gyroDelay: 3.9, accelerationDelay: 2.88, magneticDelay: 9)

  /// LSM6DS3 data sheet DocID026899 rev. 8, table 3: typical values; cross axis and g-sensitivity
  /// are not given, assumed. Delays: a Butterworth filter of second order, as docs/fusion.md
  /// assumes. Beside it a LIS3MDL: DocID024204 rev. 6, table 3.
  static let lsm6ds3 = ChipErrors(
    name: "lsm6ds3", clock: .limit(10_000), gyroScale: .typical(0.01), gyroCrossAxis: .limit(0.01),
    gyroOffset: .typical(10), gyroNoise: 0.007, gyroPerG: .typical(0.05), gyroPerVibration: 0.05,
    accelerationOffset: (.typical(40), .typical(40)), accelerationScale: .typical(0.01),
    accelerationCrossAxis: .limit(0.01), accelerationNoise: 90, accelerationPerVibration: 15,
    magneticNoise: 0.35, hardIron: 1, gyroDelay: 3, accelerationDelay: 2.3, magneticDelay: 8)

  /// BST-BMI160-DS000 rev. 0.8, section 1.2, tables 2 and 3; delays of the normal filters at 75 and
  /// 80 Hz as of the LSM6DS3. Beside it a BMM150: BST-BMM150-DS001, table 2, regular preset.
  static let bmi160 = ChipErrors(
    name: "bmi160", clock: .limit(10_000), gyroScale: .typical(0.01), gyroCrossAxis: .limit(0.02),
    gyroOffset: .typical(3), gyroNoise: 0.007, gyroPerG: .limit(0.1), gyroPerVibration: 0.05,
    accelerationOffset: (.typical(40), .typical(40)), accelerationScale: .typical(0.01),
    accelerationCrossAxis: .limit(0.01), accelerationNoise: 180, accelerationPerVibration: 15,
    magneticNoise: 0.6, hardIron: 1, gyroDelay: 3, accelerationDelay: 2.8, magneticDelay: 10)

  /// No errors but a little noise.
  static let ideal = ChipErrors(name: "ideal")
}
