// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension SensorGroup {
  /// Returns the time over which the integrals of members are compared, s.
  mutating func blockLength() -> Scalar {
    var longest = 0.0
    for k in 0..<count where members[k].isUsed && members[k].hasSample {
      longest = max(longest, members[k].interval)
    }
    return max(GroupParams.block, GroupParams.blockSamples * longest)
  }

  mutating func startBlock(at moment: Int64) {
    blockStart = moment
    blockEnd = moment &+ TimeSpan(seconds: blockLength()).nanoseconds
  }

  /// Compares the integrals of all members since the last call with the integral of the member that
  /// leads. Then corrects the calibration maps of the members, and reviews which members are used
  /// and which one leads.
  mutating func settle(at moment: Int64, _ value: Vector3) {
    let seconds = Scalar(moment &- blockStart) * 1e-9
    startBlock(at: moment)
    var differences = Differences()
    differences.isInstant = false
    differences.isValid[lead] = members[lead].isUsed
    var drifts = differences
    let leadNoise = noiseOfBlock(lead, seconds)
    let leadSteady = members[lead].unsteadiness
    members[lead].drift.add(
      .zero, lead: .zero, slope: .zero, white: leadNoise.white, steady: leadSteady,
      passing: leadNoise.passing)
    differences.variances[lead] = leadNoise.white + leadNoise.passing + leadSteady
    drifts.variances[lead] = members[lead].drift.variance
    var isInDoubt = false
    for k in 0..<count where k != lead && members[k].block.seconds >= 0.5 * seconds {
      let difference = meanDifference(k)
      members[k].drift.add(
        difference.value, lead: difference.lead, slope: difference.slope,
        white: difference.white, steady: difference.steady, passing: difference.passing)
      differences.values[k] = difference.value
      differences.variances[k] = difference.white + difference.passing + difference.steady
      drifts.values[k] = members[k].drift.value
      drifts.variances[k] = members[k].drift.variance
      if differences.differ(k, lead) || drifts.differ(k, lead) { isInDoubt = true }
    }
    var isFailing = false
    var isDrifting = false
    for k in 0..<count where k != lead && members[k].block.seconds >= 0.5 * seconds {
      let difference = meanDifference(k)
      // The uncertainty of the calibration map takes long to compute, and is not needed if noise
      // explains all differences.
      if isInDoubt {
        differences.variances[k] +=
          members[k].calibration.exactVariance(at: difference.lead, slope: difference.slope)
        drifts.variances[k] += members[k].calibration.exactVariance(
          at: members[k].drift.lead, slope: members[k].drift.slope)
      }
      let isOff = isInDoubt && differences.differ(k, lead)
      let isDrifted = isInDoubt && drifts.differ(k, lead)
      if members[k].isUsed {
        differences.isValid[k] = true
        drifts.isValid[k] = true
        if isOff { isFailing = true }
        if isDrifted { isDrifting = true }
      } else if isOff || isDrifted {
        members[k].agreed = 0
        // The mean without the blocks of the fault shows whether the member is well again.
        if isOff { members[k].drift = DriftMean() }
      } else if difference.lead.norm >= 0.25 * members[k].faultNorm {
        members[k].agreed += seconds
      }
    }
    var isOpen = false
    if isFailing {
      isOpen = !decide(differences, at: moment)
    } else if isDrifting {
      isOpen = !decide(drifts, at: moment)
    }
    setDispute(isOpen ? isFailing ? differences : drifts : nil)
    if disputedBlocks == 1, isFailing, channel == .rotationRate {
      // Fusion decides by the mean difference since the fault. Means of unlike times cannot be
      // compared, so those of all members begin again.
      for k in 0..<count { members[k].drift = DriftMean() }
    }
    for k in 0..<count {
      if differences.isValid[k], members[k].isUsed, k != lead, !differences.differ(k, lead),
        !drifts.differ(k, lead)
      {
        learn(k, differences.values[k])
      }
      members[k].block = DifferenceBlock()
      if k != lead {
        members[k].calibration.walk(
          offset: 2 * params.offsetWalk * params.offsetWalk * seconds,
          matrix: members[k].traits.scaleSigma > 0
            ? 2 * ChannelParams.matrixWalk * ChannelParams.matrixWalk * seconds : 0, advance: 0)
        members[k].calibration.summarize(at: value, slope: .zero)
      }
      reviewHealth(k, seconds)
    }
    if channel == .magneticField { followNorms(seconds) }
    setWeights()
    chooseLead()
  }

  /// The mean difference of a member from the leading member over a block.
  private struct MeanDifference {
    var value, lead, slope: Vector3
    var white, passing, steady: Scalar
  }

  private mutating func meanDifference(_ k: Int) -> MeanDifference {
    let perSecond = 1 / members[k].block.seconds
    let slope = members[k].block.change * perSecond
    let noise = noiseOfBlock(k, members[k].block.seconds)
    let late = GroupParams.advanceSigma * GroupParams.advanceSigma * slope.dot(slope)
    return MeanDifference(
      value: members[k].block.sum * perSecond, lead: members[k].block.lead * perSecond,
      slope: slope, white: noise.white, passing: noise.passing + late,
      steady: members[k].block.steady * perSecond)
  }

  /// Returns the variance that a member's own white noise and vibration cause in its mean value
  /// over a block, and the variance that motion causes between its samples.
  private mutating func noiseOfBlock(_ k: Int, _ seconds: Scalar) -> (
    white: Scalar, passing: Scalar
  ) {
    let interval = members[k].interval
    let block = members[k].block
    let shaking = block.seconds > 0 ? 2 * block.shaking / block.seconds * interval : 0
    let white = members[k].whiteNoise
    return (
      (white * interval + shaking) / seconds, (members[k].noise - white) * interval / seconds
    )
  }

  /// Corrects the calibration map of a member by its mean difference from the leading member, and
  /// moves the axes of the virtual sensor by the member's share of the correction.
  private mutating func learn(_ k: Int, _ difference: Vector3) {
    let block = members[k].block
    let (own, other) = (noiseOfBlock(k, block.seconds), noiseOfBlock(lead, block.seconds))
    let noise =
      own.white + own.passing + other.white + other.passing + block.steady / block.seconds
      + members[lead].unsteadiness
    let change = members[k].calibration.correct(
      difference: difference, noise: noise, at: block.lead / block.seconds,
      slope: block.change / block.seconds)
    members[k].remap(change)
    members[k].drift.remap(change)
    let shares = members[k].shares
    datumOffset += change.offset * shares.offset
    // The antisymmetric part of a small matrix is a rotation.
    datumMatrix.add(change.matrix, times: 0.5 * (shares.shape + shares.rotation))
    datumMatrix.add(change.matrix.transposed, times: 0.5 * (shares.shape - shares.rotation))
  }

  /// Marks the leading member and the members that differ from it as disagreeing, if `differences`
  /// shows such members; ends the dispute otherwise.
  private mutating func setDispute(_ differences: Differences?) {
    var isOpen = false
    if let differences {
      for k in 0..<count where k != lead && differences.isValid[k] && differences.differ(k, lead) {
        isOpen = true
        let off = differences.values[k]
        opponent = k
        // Fusion expects the error from now on, so a change of the lead must not take it back.
        members[k].owed = .zero
        let share = members[k].weight * (1 - members[k].weight)
        disputed = Vector3(off.x * off.x, off.y * off.y, off.z * off.z) * share
        note(.disagreeing, of: k, in: AxisSet(x: true, y: axes > 1, z: axes > 1))
        note(.disagreeing, of: lead, in: AxisSet(x: true, y: axes > 1, z: axes > 1))
      }
    }
    isDisputed = isOpen
    disputedBlocks = isOpen ? disputedBlocks &+ 1 : 0
  }

  /// Reviews the health of a member by its own samples. A member that was left out is used again
  /// after it has agreed with the leading member for long enough.
  private mutating func reviewHealth(_ k: Int, _ seconds: Scalar) {
    guard members[k].hasSample else { return }
    let all = AxisSet(x: true, y: axes > 1, z: axes > 1)
    let age = (newestStamp - members[k].stamp).seconds
    let isSilent =
      age > GroupParams.silentIntervals * members[k].interval + 2 * members[k].lateness
    members[k].glitches *= 1 - min(seconds / GroupParams.memory, 1)
    if isSilent {
      if members[k].isUsed, k != lead { leaveOut(k, .zero, as: .silent, at: members[k].time) }
      return
    }
    if members[k].isUsed {
      if members[k].isStuck(axes: axes), hasLivelyMember(but: k) {
        leaveOut(k, stuckAxes(k), as: .frozen, at: members[k].time)
      } else if isNoisy(k) {
        leaveOut(k, .zero, as: .noisy, at: members[k].time)
      }
    }
    if !members[k].isUsed, members[k].allRepeats >= GroupParams.repeats {
      note(.frozen, of: k, in: all)
    } else if members[k].condition.worst == .biased, !members[k].isUsed, isNoisy(k) {
      // A member whose noise has just grown differs before the mean of its noise shows why.
      note(.noisy, of: k, in: all)
    }
    let worst = members[k].condition.worst
    let clipped = members[k].clippedInBlock
    members[k].clippedInBlock = AxisSet()
    if members[k].isUsed {
      if !clipped.isEmpty {
        note(.clipping, of: k, in: clipped)
      } else if members[k].isSlow {
        note(.slow, of: k, in: all)
      } else if worst == .clipping || worst == .slow || (worst == .disagreeing && !isDisputed)
        || (worst == .glitching && members[k].glitches < 0.5)
      {
        note(.good, of: k, in: all)
      }
    } else if members[k].agreed >= (worst == .silent ? 0 : members[k].pause),
      !members[k].isStuck(axes: axes), !isNoisy(k), members[k].agreed > 0,
      members[k].suspicions == 0
    {
      members[k].condition.isUsed = true
      note(.good, of: k, in: all)
    }
    let share = seconds / GroupParams.usualTime
    members[k].usualLateness += min(share, 1) * (members[k].lateness - members[k].usualLateness)
  }

  /// True if the values of another used member change. Simulated sensors without noise all repeat
  /// their values at rest, and one of them is the first to have repeated them for long enough.
  private mutating func hasLivelyMember(but k: Int) -> Bool {
    for other in 0..<count where other != k && members[other].isUsed {
      if members[other].allRepeats < GroupParams.repeatsInDispute { return true }
    }
    return false
  }

  private mutating func stuckAxes(_ k: Int) -> Vector3 {
    let most = GroupParams.repeats
    return Vector3(
      members[k].repeats[0] >= most ? 1 : 0,
      axes > 1 && members[k].repeats[1] >= most ? 1 : 0,
      axes > 1 && members[k].repeats[2] >= most ? 1 : 0)
  }

  private mutating func followNorms(_ seconds: Scalar) {
    for k in 0..<count where members[k].hasSample {
      members[k].norm.add(members[k].value.norm, share: seconds / GroupParams.normTime)
    }
  }

  /// Makes the member lead whose samples arrive soonest. Of members whose samples arrive about
  /// equally soon, the one with the highest rate leads.
  private mutating func chooseLead() {
    var best = lead
    for k in 0..<count where k != lead && members[k].isUsed && members[k].hasSample {
      let age = (newestStamp - members[k].stamp).seconds
      if age < 2 * members[k].wait, shouldLead(k, insteadOf: best) { best = k }
    }
    if best != lead { handOver(to: best) }
  }

  private mutating func shouldLead(_ k: Int, insteadOf other: Int) -> Bool {
    guard members[other].isUsed else { return true }
    var margin = other == lead ? GroupParams.hysteresis : 1
    let ratio = members[k].interval / members[other].interval
    if ratio < GroupParams.moreOften {
      margin = 1 / GroupParams.hysteresis
    } else if ratio * GroupParams.moreOften > 1 {
      margin *= GroupParams.hysteresis
    }
    return members[k].wait < margin * members[other].wait
  }
}
