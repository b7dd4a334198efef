// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom

/// Returns degrees in radians, with the factor typed out.
func rad(_ degrees: Double) -> Double { degrees * 0.017453292519943295 }

/// Returns the angle between two attitudes in radians, exact for small angles.
func separation(_ a: Quaternion, _ b: Quaternion) -> Double {
  let d = a.conjugate * b
  let sine = Vector3(d.x, d.y, d.z).norm
  return 2 * (sine > 0.7 ? acos(abs(d.w)) : asin(sine))
}

/// Returns the angle between two directions in radians, exact for small angles.
func separation(_ a: Vector3, _ b: Vector3) -> Double {
  atan2(a.cross(b).norm, a.dot(b))
}

/// Returns the difference between two compass directions in degrees.
func turn(_ a: Double, _ b: Double) -> Double {
  let d = (a - b).truncatingRemainder(dividingBy: 360)
  return abs(d > 180 ? d - 360 : d < -180 ? d + 360 : d)
}

/// A perfect device with a known attitude: x north, y west, z up.
struct Bench {
  var engine = FusionEngine(ideal)
  var time = Timestamp(nanoseconds: 5_000_000_000)
  /// The rotation from the device to north, west, up.
  var attitude = Quaternion.identity
  /// The bias added to the rotation rate in rad/s.
  var bias = Vector3.zero
  /// The field: 20 uT north and 45 uT down; `nil` for a device without a magnetometer.
  var field: Vector3? = Vector3(20, 0, -45)
  var hertz: Int64 = 100

  /// Sends one sample of every sensor at the current time.
  mutating func sample(rate: Vector3 = .zero) {
    engine.update(rotationRate: rate + bias, at: time)
    engine.update(acceleration: attitude.conjugate.rotate(Vector3(0, 0, -1)), at: time)
    if let field { engine.update(magneticField: attitude.conjugate.rotate(field), at: time) }
  }

  /// Turns at `rate` (device axes, rad/s) for `seconds`; `each` is called after every sample.
  mutating func run(
    _ seconds: Double, rate: Vector3 = .zero, each: (inout Bench) -> Void = { _ in }
  ) {
    let step = TimeSpan(nanoseconds: 1_000_000_000 / hertz)
    for _ in 0..<Int((seconds * Double(hertz)).rounded()) {
      time = time + step
      attitude = (attitude * Quaternion(rotationVector: rate * step.seconds)).normalized
      sample(rate: rate)
      each(&self)
    }
  }

  /// The error of gravity's direction in radians.
  var inclinationError: Double {
    separation(FusionEngine.gravity(engine.attitude6), attitude.conjugate.rotate(Vector3(0, 0, -1)))
  }
}

/// All outputs of an engine, for comparing two.
struct Outputs: Equatable {
  var hasAttitude: Bool
  var hasHeading: Bool
  var attitude6: Quaternion
  var attitude9: Quaternion
  var attitudeCorrected: Quaternion
  var gyroBias: Vector3
  var gyroBiasSigma: Double
  var isAtRest: Bool
  var isMagneticallyDisturbed: Bool
  var magneticAccuracy: MagneticAccuracy

  init(_ engine: FusionEngine) {
    hasAttitude = engine.hasAttitude
    hasHeading = engine.hasHeading
    attitude6 = engine.attitude6
    attitude9 = engine.attitude9
    attitudeCorrected = engine.attitudeCorrected
    gyroBias = engine.gyroBias
    gyroBiasSigma = engine.gyroBiasSigma
    isAtRest = engine.isAtRest
    isMagneticallyDisturbed = engine.isMagneticallyDisturbed
    magneticAccuracy = engine.magneticAccuracy
  }

  var isSound: Bool {
    let attitudes = [attitude6, attitude9, attitudeCorrected]
    return attitudes.allSatisfy { $0.isFinite && abs($0.norm - 1) < 1e-9 }
      && gyroBias.isFinite && gyroBiasSigma.isFinite
  }
}

extension SplitMix {
  mutating func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  mutating func vector(_ size: Double) -> Vector3 {
    Vector3(number(-size...size), number(-size...size), number(-size...size))
  }
}
