// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities

/// A device that is rotated in a magnetic field, and the calibrator; the truth is simulated and
/// thus known.
struct MagneticWorld {
  enum Movement {
    /// Smooth rotation about every axis, at some 60 degrees/s.
    case everyWay
    /// Rotation about the vertical, lying flat.
    case flat
    /// No rotation.
    case none
  }

  var calibrator: MagneticCalibrator
  /// The field in microtesla, north-west-up: norm 49.244, dip 66.04 degrees.
  var field = Vector3(20, 0, -45)
  var hardIron: Vector3
  /// Converts the true field to the measured one, before hard iron is added.
  var bending: Matrix3
  /// The half width of the magnetometer's uniform noise in microtesla, on each axis.
  var noise: Double
  /// The error of the attitude's heading in rad, and its drift in rad/s: 3 degrees/minute.
  var headingError = 0.0
  var drift = 3 * degree / 60
  /// Returns a field to add to the local one, such as that of a passing magnet. The position is in
  /// metres.
  var disturbance: (_ seconds: Double, _ position: Vector3) -> Vector3 = { _, _ in .zero }
  var attitude = Quaternion.identity
  var seconds = 0.0
  var replaced: [Vector3] = []
  var refined = Vector3.zero
  private var random = Noise(seed: 5)
  private let hz = 100.0

  init(
    calibrator: MagneticCalibrator = MagneticCalibrator(), hardIron: Vector3 = .zero,
    bending: Matrix3 = .identity, noise: Double = 0.5
  ) {
    self.calibrator = calibrator
    self.hardIron = hardIron
    self.bending = bending
    self.noise = noise
  }

  var position: Vector3 {
    Vector3(0.2 * sin(seconds), 0.2 * sin(0.7 * seconds + 1), 0.1 * sin(1.3 * seconds))
  }

  var seen: Vector3 { attitude.conjugate.rotate(field + disturbance(seconds, position)) }

  mutating func run(
    _ duration: Double, _ movement: Movement = .everyWay, each: (MagneticWorld) -> Void = { _ in }
  ) {
    for _ in 0..<Int(duration * hz) {
      seconds += 1 / hz
      let t = seconds
      let rate: Vector3
      switch movement {
      case .everyWay:
        rate = Vector3(
          1.1 * sin(0.53 * t) + 0.4 * sin(1.7 * t), 1.2 * sin(0.37 * t + 2),
          0.9 * sin(0.29 * t + 1) + 0.3 * sin(2.3 * t))
      case .flat: rate = Vector3(0, 0, sin(0.2 * t))
      case .none: rate = .zero
      }
      attitude = (attitude * Quaternion(rotationVector: rate / hz)).normalized
      headingError += drift / hz
      let raw = bending * seen + hardIron + random.vector(noise)
      let known = Quaternion(angle: headingError, axis: Vector3(0, 0, 1)) * attitude
      switch calibrator.update(magneticField: raw, attitude: known, interval: 1 / hz) {
      case .none: break
      case .refined(let by): refined += by
      case .replaced(let by): replaced.append(by)
      }
      each(self)
    }
  }

  /// The error of the estimated hard iron in microtesla.
  var error: Double { (calibrator.calibration.hardIron - hardIron).norm }

  /// Returns the field in microtesla of a magnet of 1 A m^2 that points up at `place`, in metres.
  static func magnet(at place: Vector3, seenFrom position: Vector3) -> Vector3 {
    let away = position - place
    let distance = away.norm
    let direction = away / distance
    // The law of a dipole: mu0 / 4 pi = 0.1 microtesla m / A.
    return (3 * direction.z * direction - Vector3(0, 0, 1)) * (0.1 / pow(distance, 3))
  }
}
