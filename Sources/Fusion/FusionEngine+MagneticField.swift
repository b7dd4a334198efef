// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

extension FusionEngine {
  /// Takes a magnetic field in microtesla, device axes, as measured (the device's own field
  /// included). Returns false, and changes nothing, when it is not finite, beyond 1e6 microtesla,
  /// or older than the last. Before the first acceleration it is taken note of, not used.
  @discardableResult
  public mutating func update(magneticField: Vector3, at time: Timestamp) -> Bool {
    guard Self.isPlausible(magneticField, within: 1e6),
      let interval = Self.interval(from: state.magneticTime, to: time)
    else { return false }
    state.magneticTime = time
    guard state.hasAttitude else { return true }
    if interval > params.longestGap { state.field.current.restart() }
    let step = interval > params.longestGap ? 0 : interval
    let field = (state.inclination * strapdown(at: time)).normalized.rotate(magneticField)
    let norm = field.norm
    // No direction to be had from no field, nor from one that points straight down.
    guard norm > 0, field.x * field.x + field.y * field.y > 1e-12 * norm * norm else { return true }
    if params.rejectsDisturbances {
      judge(norm: norm, dip: -asin(field.z / norm), interval: step)
    } else {
      state.field.isDisturbed = false
    }
    followNorth(towards: -atan2(field.y, field.x), interval: step)
    followSlowly(interval: step)
    return true
  }

  /// Is this the field of the place? Norm and dip tell, neither of which depends on the heading.
  private mutating func judge(norm: Double, dip: Double, interval: Double) {
    state.decays.field.prepare(interval, tau: params.fieldTau)
    state.field.current.add(
      Vector3(norm, dip, 0), interval: interval, tau: params.fieldTau, decay: state.decays.field)
    let norm = state.field.current.value.x
    let dip = state.field.current.value.y
    let follow = state.decays.reference(interval, tau: params.fieldReferenceTau)

    if isNear(norm, dip, state.field.norm, state.field.dip) {
      state.field.agreement += interval
      if state.field.agreement >= params.fieldAgreementTime {
        state.field.isDisturbed = false
        state.field.norm += follow * (norm - state.field.norm)
        state.field.dip += follow * (dip - state.field.dip)
      }
    } else {
      state.field.agreement = 0
      state.field.isDisturbed = true
    }

    guard isNear(norm, dip, state.field.candidateNorm, state.field.candidateDip) else {
      state.field.candidateNorm = norm
      state.field.candidateDip = dip
      state.field.candidateTime = 0
      return
    }
    let turning = state.rate - state.bias.bias
    guard turning.norm >= params.fieldNewRotationRate else { return }
    state.field.candidateTime += interval
    state.field.candidateNorm += follow * (norm - state.field.candidateNorm)
    state.field.candidateDip += follow * (dip - state.field.candidateDip)
    let needed = state.field.norm == 0 ? params.fieldFirstTime : params.fieldNewTime
    if state.field.isDisturbed && state.field.candidateTime >= needed {
      state.field.norm = state.field.candidateNorm
      state.field.dip = state.field.candidateDip
      state.field.isDisturbed = false
      state.field.agreement = params.fieldAgreementTime
    }
  }

  private func isNear(_ norm: Double, _ dip: Double, _ otherNorm: Double, _ otherDip: Double)
    -> Bool
  {
    fabs(norm - otherNorm) < params.fieldNormTolerance * otherNorm
      && fabs(dip - otherDip) < params.fieldDipTolerance
  }

  /// Turns north towards where the field has it.
  private mutating func followNorth(towards north: Double, interval: Double) {
    var gain = state.decays.heading(interval, tau: params.magneticTau)
    let steady = gain
    if state.field.isDisturbed {
      state.field.trusted = 0
      if state.field.rejected < params.rejectionTime {
        state.field.rejected += interval
        gain = 0
      } else {
        gain /= params.rejectionFactor
      }
    } else {
      state.field.trusted += interval
      let earned = params.rejectionFactor * interval
      state.field.rejected = state.field.rejected > earned ? state.field.rejected - earned : 0
    }
    if state.field.startGain > 0 {
      if gain < state.field.startGain { gain = state.field.startGain }
      state.field.startGain = state.field.startGain / (state.field.startGain + 1)
      if state.field.startGain < steady { state.field.startGain = 0 }
    }
    state.northOffset = wrapped(
      state.northOffset + gain * wrapped(north - state.northOffset))
  }

  /// The corrected attitude follows the changes of north, once the first fields have settled where
  /// north is.
  private mutating func followSlowly(interval: Double) {
    if !state.corrected.isAnchored {
      guard state.field.startGain < 0.01 else { return }
      state.corrected.origin = state.northOffset - state.corrected.offset
      state.corrected.isAnchored = true
    }
    let target = wrapped(state.northOffset - state.corrected.origin - state.corrected.offset)
    let step = target * state.decays.corrected(interval, tau: params.correctedTau)
    let most = params.correctedRate * interval
    state.corrected.offset = wrapped(
      state.corrected.offset + (step > most ? most : step < -most ? -most : step))
  }
}
