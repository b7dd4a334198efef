// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

extension FusionEngine {
  /// The attitude: the rotation integrated from the gyroscope, and its corrections by gravity and
  /// the magnetic field.
  @usableFromInline struct AttitudeState: Equatable, Sendable {
    /// The attitude from the gyroscope alone: the rotation from device axes to a frame that drifts
    /// because of the residual bias.
    @usableFromInline var strapdown = Quaternion.identity {
      didSet { strapdownMatrix = nil }
    }
    /// `strapdown` as a matrix, computed on demand.
    private var strapdownMatrix: Matrix3?
    /// The rotation of the device during the gyroscope's delay. It extrapolates the attitude to the
    /// present.
    @usableFromInline var latencyCompensation = Quaternion.identity
    /// The rotation from the strapdown frame to the levelled frame, whose Z axis is up.
    @usableFromInline var inclination = Quaternion.identity
    /// The angle from the levelled frame to north, radians about Z.
    @usableFromInline var northOffset = 0.0 {
      didSet {
        if northOffset != oldValue {
          north = Quaternion(angle: northOffset, axis: Vector3(0, 0, 1))
        }
      }
    }
    /// `northOffset` as a rotation. Stored, because attitudes are read with every sample, but north
    /// changes only once per epoch.
    @usableFromInline private(set) var north = Quaternion.identity
    /// `isKnown` is true after the first acceleration, `hasNorth` after the first magnetic field.
    @usableFromInline var isKnown = false
    @usableFromInline var hasNorth = false
    /// True if the next acceleration determines the tilt.
    var isTiltUnknown = false
    @usableFromInline var corrected = CorrectedState()
    /// Standard deviation of the tilt in its worst direction, rad.
    @usableFromInline var tiltSigma = Scalar.pi

    init() {}

    /// Returns the strapdown attitude as a matrix.
    @inline(__always)
    mutating func matrix() -> Matrix3 {
      if let matrix = strapdownMatrix { return matrix }
      let matrix = strapdown.rotationMatrix
      strapdownMatrix = matrix
      return matrix
    }

    /// Rotates the reference frame by the smallest angle so that `up`, a unit vector in it, becomes
    /// its Z axis.
    mutating func level(_ up: Vector3) {
      let half = sqrt((up.z + 1) / 2)
      // If the device is upside down, every horizontal axis gives the same angle, so any of them
      // can be used.
      let turn =
        half > 1e-6
        ? Quaternion(w: half, x: up.y / (2 * half), y: -up.x / (2 * half), z: 0)
        : Quaternion(w: 0, x: 1, y: 0, z: 0)
      inclination = (turn * inclination).normalized
    }

    /// Sets the rate at which the corrected attitude follows north, once north is known.
    mutating func steerCorrected(
      _ seconds: Seconds, headingVariance: Scalar, _ params: FusionEngine.Params
    ) {
      let interval = Scalar(seconds)
      corrected.rate = 0
      corrected.normalize()
      guard hasNorth else { return }
      if !corrected.isAnchored {
        corrected.waited += seconds
        guard
          4 * headingVariance < MagneticAccuracy.highAngle * MagneticAccuracy.highAngle
            || Scalar(corrected.waited) > params.correctedTau
        else { return }
        corrected.origin = northOffset - corrected.offset
        corrected.isAnchored = true
      }
      let target = wrapped(northOffset - corrected.origin - corrected.offset)
      let most = params.correctedRate
      let rate = target / (params.correctedTau > interval ? params.correctedTau : interval)
      corrected.rate = rate > most ? most : rate < -most ? -most : rate
    }
  }

  /// The heading of `attitudeCorrected` relative to `attitude6`.
  @usableFromInline struct CorrectedState: Equatable, Sendable {
    private(set) var offset = 0.0
    /// `offset` as a rotation. Stored, because attitudes are read with every sample.
    @usableFromInline private(set) var turn = Quaternion.identity
    /// The rate at which `offset` is turned towards north, rad/s.
    var rate = 0.0
    /// The difference `northOffset - offset` when the arbitrary direction of X was fixed.
    var origin = 0.0
    var isAnchored = false
    /// The time since north became known, s.
    var waited: Seconds = 0

    init() {}

    /// Advances `offset` by `rate` over `interval` seconds.
    @inline(__always)
    mutating func advance(_ interval: Scalar) {
      guard rate != 0 else { return }
      let angle = rate * interval
      // For angles this small, two terms of the series are exact.
      guard angle.magnitude < 1e-3 else { return setOffset(offset + angle) }
      offset += angle
      let (half, cosine) = (angle / 2, 1 - angle * angle / 8)
      turn = Quaternion(
        w: turn.w * cosine - turn.z * half, x: 0, y: 0, z: turn.z * cosine + turn.w * half)
    }

    /// Removes the rounding errors in the length of `turn`. Called once per epoch.
    mutating func normalize() {
      offset = wrapped(offset)
      turn = turn.renormalized
    }

    mutating func setOffset(_ angle: Scalar) {
      offset = angle
      turn = Quaternion(angle: angle, axis: Vector3(0, 0, 1))
    }
  }
}
