// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

extension FusionEngine {
  /// No place on Earth and no magnet that leaves a sensor alive has more. Microtesla
  static var largestField: Double { 1e5 }

  /// Takes a magnetic field in microtesla, device axes. Before the first acceleration there is no horizontal to project
  /// it on, and it is only noted. Returns false, and changes nothing, for a value that is not finite or a time before
  /// the last.
  @discardableResult
  public mutating func update(magneticField: Vector3, at time: Timestamp) -> Bool {
    let norm = magneticField.norm
    guard magneticField.isFinite, norm > 0, norm < Self.largestField else { return false }
    if let last = learned.magneticTime, time < last { return false }
    let last = learned.magneticTime
    learned.magneticTime = time
    guard learned.hasAcceleration else { return true }
    let interval = last.map { (time - $0).seconds } ?? 0
    if last != nil {
      guard interval > 0 else { return true }
      if interval > params.gap {
        learned.initialGain = max(learned.initialGain, 0.2)
      } else {
        learned.magneticInterval.observe(interval)
      }
    }
    let field = attitude6.rotate(magneticField)
    let step = min(interval, params.gap)
    judge(field, norm: norm, interval: step)
    correctHeading(field, interval: step)
    learned.hasField = true
    return true
  }

  /// Compares norm and dip with the reference, and lets a field that holds while the device moves become the reference.
  private mutating func judge(_ field: Vector3, norm: Double, interval: Double) {
    let typical = learned.magneticInterval.typical
    let filter = coefficients.field(time: params.fieldFilterTime, interval: max(typical, 1e-4))
    learned.fieldNorm.update(norm, filter, time: params.fieldFilterTime)
    // Positive below the horizon, as on the northern half of the Earth.
    learned.fieldDip.update(
      -asin(min(max(field.z / norm, -1), 1)), filter, time: params.fieldFilterTime)
    let presentNorm = learned.fieldNorm.value
    let presentDip = learned.fieldDip.value

    if isAlike(presentNorm, presentDip, learned.referenceNorm, learned.referenceDip) {
      learned.undisturbedTime = min(learned.undisturbedTime + interval, 1e6)
      if learned.undisturbedTime >= params.fieldRecoveryTime {
        learned.isDisturbed = false
        let gain = Self.gain(params.fieldReferenceTime, interval)
        learned.referenceNorm += gain * (presentNorm - learned.referenceNorm)
        learned.referenceDip += gain * (presentDip - learned.referenceDip)
      }
    } else {
      learned.undisturbedTime = 0
      learned.isDisturbed = true
    }

    if isAlike(presentNorm, presentDip, learned.candidateNorm, learned.candidateDip) {
      // Only a device that turns tells its own magnets, which turn with it, from the surroundings.
      if learned.restRate.value.norm >= params.fieldAdoptionRotationRate {
        learned.candidateTime += interval
      }
      let gain = Self.gain(params.fieldReferenceTime, interval)
      learned.candidateNorm += gain * (presentNorm - learned.candidateNorm)
      learned.candidateDip += gain * (presentDip - learned.candidateDip)
      let isFirst = learned.referenceNorm == 0
      if learned.isDisturbed,
        learned.candidateTime >= params.fieldAdoptionTime
          || isFirst && learned.candidateTime >= params.fieldFirstAdoptionTime
      {
        learned.referenceNorm = learned.candidateNorm
        learned.referenceDip = learned.candidateDip
        learned.isDisturbed = false
        learned.undisturbedTime = params.fieldRecoveryTime
      }
    } else {
      learned.candidateTime = 0
      learned.candidateNorm = presentNorm
      learned.candidateDip = presentDip
    }
  }

  private func isAlike(_ norm: Double, _ dip: Double, _ otherNorm: Double, _ otherDip: Double)
    -> Bool
  {
    otherNorm > 0 && abs(norm - otherNorm) < params.fieldNormTolerance * otherNorm
      && abs(dip - otherDip) < params.fieldDipTolerance
  }

  private mutating func correctHeading(_ field: Vector3, interval: Double) {
    // Over a pole, or a magnet, there is no horizontal part to point anywhere.
    let horizontal = field.x * field.x + field.y * field.y
    guard horizontal > 1e-12 else { return }
    let target = -atan2(field.y, field.x)
    let disagreement = Self.wrapped(target - learned.heading)
    var gain = Self.gain(params.magneticTime, interval)
    if learned.isDisturbed {
      if learned.rejectionTime <= params.magneticRejectionTime {
        learned.rejectionTime += interval
        gain = 0
      } else {
        gain /= params.magneticRejectionFactor
      }
    } else {
      learned.rejectionTime = max(
        learned.rejectionTime - params.magneticRejectionFactor * interval, 0)
    }
    let isStarting = learned.initialGain > 0
    if isStarting {
      gain = max(gain, learned.initialGain)
      learned.initialGain = learned.initialGain / (learned.initialGain + 1)
      if learned.initialGain * params.magneticTime < interval { learned.initialGain = 0 }
    }
    learned.heading = Self.wrapped(learned.heading + gain * disagreement)
    if isStarting, !learned.hasField {
      learned.headingAnchor = learned.heading
      learned.correctedHeading = 0
    }
    let wanted = learned.heading - learned.headingAnchor
    learned.correctedHeading = Self.wrapped(
      learned.correctedHeading
        + Self.gain(params.correctedHeadingTime, interval)
        * Self.wrapped(wanted - learned.correctedHeading))
  }

  /// The gain of a first-order filter of time constant `time` over `interval`.
  static func gain(_ time: Double, _ interval: Double) -> Double {
    time > 0 ? 1 - exp(-interval / time) : 1
  }

  /// An angle between -pi and pi.
  static func wrapped(_ angle: Double) -> Double {
    angle - 2 * Double.pi * (angle / (2 * Double.pi)).rounded()
  }
}

/// Heading in degrees, 0 up to 360, clockwise from north, of an attitude in a north frame (x north, y west, z up): where
/// the top edge (+y) points. (270 - yaw) mod 360; the convention is Core Motion's as far as it is known.
public func heading(of attitude: Quaternion) -> Double {
  let yaw = degrees(fromRadians: EulerAngles(attitude).yaw)
  let heading = 270 - yaw
  let turned = heading - 360 * (heading / 360).rounded(.down)
  return turned >= 360 ? 0 : turned
}
