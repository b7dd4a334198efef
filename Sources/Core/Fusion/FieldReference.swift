// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// The knowledge of the magnetic field of the place: its norm and dip, neither of which depends on
/// the heading.
@usableFromInline struct FieldReference: Equatable, Sendable {
  /// The learned field, microtesla and radians; norm 0 while there is none.
  @usableFromInline private(set) var norm = 0.0
  private(set) var dip = 0.0
  /// True where it was known before, or has been the same while the device turned: a magnet that
  /// lies beside a resting one is not told from the place.
  private(set) var isConfirmed = false
  @usableFromInline private(set) var isDisturbed = true
  /// Seconds of undisturbed field in a row.
  @usableFromInline private(set) var trusted: Seconds = 0
  /// A steady field that may become the learned one.
  private var candidateNorm = 0.0
  private var candidateDip = 0.0
  private var candidateTime: Seconds = 0
  /// The time for which the field has agreed with the learned one, s.
  private var agreement: Seconds = 0
  /// The recent norm and dip, and their mean square deviation from it (norm relative), rad^2.
  private var recentNorm = 0.0
  private var recentDip = 0.0
  private var spread = 0.0

  /// Returns true where the Earth's field is as strong somewhere at its surface (World Magnetic
  /// Model 2025: 22 to 67 microtesla), with 10 % for the scale of a sensor.
  @inlinable @inline(__always)
  static func isPlausible(_ norm: Scalar) -> Bool { norm > 20 && norm < 73 }

  /// Takes the mean field of `interval` seconds, and returns the error of its direction beyond that
  /// of an undisturbed one: a standard deviation in radians, of the whole direction.
  mutating func judge(
    norm: Scalar, dip: Scalar, interval: Seconds, isTurning: Bool, params: FusionEngine.Params
  ) -> Scalar {
    let unsteady = steadiness(norm: norm, dip: dip, interval: interval, params: params)
    learn(norm: norm, dip: dip, interval: interval, isTurning: isTurning, params: params)
    trusted = isDisturbed ? 0 : trusted + interval
    var sigma = params.placeSigma
    if self.norm > 0 {
      let offNorm = norm / self.norm - 1
      let offDip = dip - self.dip
      sigma = params.disturbanceWeight * sqrt(offNorm * offNorm + offDip * offDip)
    }
    let implausible = Self.isPlausible(norm) ? 0 : sqrt(unknownHeading)
    return sqrt(sigma * sigma + unsteady * unsteady) + implausible
  }

  /// Begins anew after a pause.
  mutating func restart() {
    recentNorm = 0
    spread = 0
    trusted = 0
    agreement = 0
  }

  /// Takes over a field of the place known from elsewhere: a model of the Earth's field, or the
  /// last run.
  mutating func assume(norm: Scalar, dip: Scalar) {
    self.norm = norm
    self.dip = dip
    isConfirmed = true
    agreement = 0
  }

  /// Forgets what was learned, which no longer holds: the device's own field is now known
  /// otherwise.
  mutating func forget() { self = FieldReference() }

  private mutating func steadiness(
    norm: Scalar, dip: Scalar, interval: Seconds, params: FusionEngine.Params
  ) -> Scalar {
    if recentNorm == 0 {
      recentNorm = norm
      recentDip = dip
    }
    let offNorm = norm / recentNorm - 1
    let offDip = dip - recentDip
    let follow = gain(Scalar(interval), tau: params.disturbanceTime)
    recentNorm += follow * (norm - recentNorm)
    recentDip += follow * offDip
    spread += follow * (offNorm * offNorm + offDip * offDip - spread)
    return params.spreadWeight * sqrt(spread)
  }

  private mutating func learn(
    norm: Scalar, dip: Scalar, interval: Seconds, isTurning: Bool, params: FusionEngine.Params
  ) {
    func isNear(_ otherNorm: Scalar, _ otherDip: Scalar) -> Bool {
      fabs(norm - otherNorm) < params.fieldTolerance * otherNorm
        && fabs(dip - otherDip) < params.fieldTolerance
    }
    let follow = gain(Scalar(interval), tau: params.fieldReferenceTau)
    if isNear(self.norm, self.dip) {
      agreement += interval
      if Scalar(agreement) >= params.disturbanceTime {
        isDisturbed = false
        self.norm += follow * (norm - self.norm)
        self.dip += follow * (dip - self.dip)
      }
    } else {
      agreement = 0
      isDisturbed = true
    }
    guard isNear(candidateNorm, candidateDip) else {
      candidateNorm = norm
      candidateDip = dip
      candidateTime = 0
      return
    }
    // Nothing of a calibrated device that rests looks like the Earth's field but that and a magnet.
    let isProvisional =
      self.norm == 0 && params.isMagnetometerCalibrated && Self.isPlausible(norm)
    guard isTurning || isProvisional else { return }
    candidateTime += interval
    candidateNorm += follow * (norm - candidateNorm)
    candidateDip += follow * (dip - candidateDip)
    let needed = isConfirmed ? params.fieldNewTime : params.fieldFirstTime
    guard candidateTime >= needed else { return }
    if isDisturbed {
      self.norm = candidateNorm
      self.dip = candidateDip
      isDisturbed = false
      isConfirmed = !isProvisional
      if isProvisional { candidateTime = 0 }
      agreement = Seconds(params.disturbanceTime)
    } else {
      isConfirmed = true
    }
  }
}
