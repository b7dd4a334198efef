// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// The learned norm and dip of the local magnetic field. Neither depends on the heading.
@usableFromInline struct FieldReference: Equatable, Sendable {
  /// Norm (microtesla) and dip (radians) of the learned field; the norm is 0 until a field is
  /// learned.
  @usableFromInline private(set) var norm = 0.0
  private(set) var dip = 0.0
  /// True if the field was known before the start, or stayed constant while the device turned. At
  /// rest, a nearby magnet cannot be distinguished from the local field.
  private(set) var isConfirmed = false
  @usableFromInline private(set) var isDisturbed = true
  /// The time for which the field has been undisturbed, s.
  @usableFromInline private(set) var trusted: Seconds = 0
  /// Norm, dip and duration of a steady field that may replace the learned field.
  private var candidateNorm = 0.0
  private var candidateDip = 0.0
  private var candidateTime: Seconds = 0
  /// The time for which field measurements have agreed with the learned field, s.
  private var agreement: Seconds = 0
  /// The recent mean norm and dip, and their averaging time, s. While no local field is learned,
  /// each new measurement is compared with these means.
  private var recentNorm = 0.0
  private var recentDip = 0.0
  private var recentTime: Seconds = 0
  /// Mean square of the relative deviation of the norm, or of the deviation of the dip in rad.
  private var deviation = 0.0

  /// Returns true if a field of this strength occurs somewhere at the Earth's surface (World
  /// Magnetic Model 2025: 22 to 67 microtesla), with a margin of 10 % for the sensor's scale.
  @inlinable @inline(__always)
  static func isPlausible(_ norm: Scalar) -> Bool { norm > weakest && norm < 73 }

  /// The weakest field of the Earth, and the weakest horizontal field while none is learned,
  /// microtesla.
  @inlinable @inline(__always)
  static var weakest: Scalar { 20 }

  /// Compares the mean field of `interval` seconds with the learned field, and learns from it.
  /// Returns the variance that disturbances add to the direction of the field, rad^2. A disturbance
  /// has no preferred direction, so it affects the heading as much as norm and dip.
  mutating func judge(
    norm: Scalar, dip: Scalar, interval: Seconds, isTurning: Bool, params: FusionEngine.Params
  ) -> Scalar {
    learn(norm: norm, dip: dip, interval: interval, isTurning: isTurning, params: params)
    trusted = isDisturbed ? 0 : trusted + interval
    if recentTime == 0 {
      recentNorm = norm
      recentDip = dip
    }
    let offNorm = norm / (self.norm > 0 ? self.norm : recentNorm) - 1
    let offDip = dip - (self.norm > 0 ? self.dip : recentDip)
    recentTime += interval
    let span = min(Scalar(recentTime), params.headingTime)
    recentNorm += gain(Scalar(interval), tau: span) * (norm - recentNorm)
    recentDip += gain(Scalar(interval), tau: span) * (dip - recentDip)
    let square = (offNorm * offNorm + offDip * offDip) / 2
    deviation += gain(Scalar(interval), tau: params.disturbanceTime) * (square - deviation)
    return Self.isPlausible(norm) ? deviation : unknownHeading
  }

  /// Restarts the comparison after a pause.
  mutating func restart() {
    restartRecent()
    deviation = 0
    trusted = 0
    agreement = 0
  }

  /// Restarts the mean of the recent field measurements, because later measurements are corrected
  /// by a changed calibration.
  mutating func restartRecent() { recentTime = 0 }

  /// Starts with a local field from another source: a model of the Earth's field, or the previous
  /// run.
  mutating func assume(norm: Scalar, dip: Scalar) {
    self.norm = norm
    self.dip = dip
    isConfirmed = true
    agreement = 0
  }

  /// Discards the learned field, because the device's own magnetism has changed.
  mutating func forget() { self = FieldReference() }

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
    // At rest, a calibrated magnetometer measures a field of plausible strength only if the field
    // comes from the Earth or from a magnet. Such a field is accepted provisionally.
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
