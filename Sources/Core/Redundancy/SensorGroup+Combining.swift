// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension SensorGroup {
  /// Returns the value of the virtual sensor for a sample of the member that leads. `value` is that
  /// sample on the axes of the group.
  mutating func emit(_ value: Vector3, at moment: Int64) -> Combined {
    let interval = members[lead].interval
    let elapsed = lastTime > .min ? Scalar(moment &- lastTime) * 1e-9 : 0
    var change = Vector3.zero
    for k in 0..<count where k != lead && members[k].weight > 0 {
      guard let other = carried(k, to: moment) else { continue }
      change += members[k].clipped.clearing(other - value) * members[k].weight
    }
    change += backlog * (GroupParams.backlogShare / interval)
    // Over a gap, fusion does not integrate values by trapezoids, so at most two intervals count.
    backlog -= (change + correction) * (0.5 * (elapsed < 2 * interval ? elapsed : 2 * interval))
    correction = change
    let sum = value + change
    lastOnAxes = sum
    lastTime = moment
    var combined = Combined(
      value: sum + datumMatrix * sum + datumOffset, time: members[lead].stamp)
    if isDisputed { combined.addedVariance = disputed }
    if !members[lead].clipped.isEmpty { addClipping(to: &combined, at: moment) }
    return combined
  }

  /// Returns a member's value at the time `moment` (ns), extrapolated from its newest compared
  /// sample by the slope of the group. Returns `nil` if that sample is too old or in doubt. A
  /// member whose interval is at least 1.5 times the leading member's has a value only if `isSlow`
  /// is true.
  @inline(__always)
  mutating func carried(_ member: Int, to moment: Int64, isSlow: Bool = false) -> Vector3? {
    guard members[member].suspicions == 0, members[member].comparedTime > .min,
      isSlow || members[member].interval < 1.5 * members[lead].interval
    else { return nil }
    let age = Scalar(moment &- members[member].comparedTime) * 1e-9
    guard age.magnitude < 1.5 * members[member].interval else { return nil }
    return members[member].compared + slope * age
  }

  /// Sets the weights of all members to the normalized inverse variances of their integrals.
  mutating func setWeights() {
    guard lead >= 0 else { return }
    let value = members[lead].value
    var sum = 0.0
    for k in 0..<count {
      guard members[k].isUsed, members[k].hasSample else {
        members[k].weight = 0
        continue
      }
      // The calibration map's variance is added to the noise of one sample, so that an error of the
      // map below this noise hardly changes the weight.
      var variance = members[k].noise
      if k != lead { variance += members[k].calibration.variance(at: value, slope: .zero) }
      if channel == .magneticField { variance += members[k].norm.variance }
      let density = variance * members[k].interval
      let weight = density > 0 ? 1 / density : 0
      members[k].weight = weight
      sum += weight
    }
    guard sum > 0 else { return }
    for k in 0..<count { members[k].weight /= sum }
  }

  /// Compares a member's waiting samples with the leading member, up to the leading member's newest
  /// sample, and adds the differences of the integrals to the backlog and to the block.
  mutating func compare(_ k: Int, _ turning: Turning) {
    repeat {
      compareOnce(k, turning)
    } while members[k].isPending && members[k].pendingTime <= history.time
  }

  @inline(__always)
  private mutating func compareOnce(_ k: Int, _ turning: Turning) {
    let end = history.point(at: members[k].pendingTime)
    guard let end, let begin = members[k].fromLead ?? history.point(at: members[k].from) else {
      members[k].integral = .zero
      members[k].finishComparison(at: end)
      return
    }
    let seconds = Scalar(members[k].pendingTime &- members[k].from) * 1e-9
    let perSecond = 1 / seconds
    let leadIntegral = end.integral - begin.integral
    let change = end.value - begin.value
    let bend = change * perSecond
    let advance = members[k].calibration.advance
    let plain = members[k].pendingValue - end.value
    var difference =
      plain - Vector3(bend.x * advance.x, bend.y * advance.y, bend.z * advance.z)
    var integral =
      members[k].integral - leadIntegral
      - Vector3(change.x * advance.x, change.y * advance.y, change.z * advance.z)
    if !members[k].isClipped, !members[lead].isClipped {
      // Interpolation between two samples of the leading member is off by f (1 - f) / 2 of the
      // second difference, at a fraction f of the interval. The mean square of this factor is 1 /
      // 120, and `peak` is a sixth of the squared second difference.
      let blurred =
        members[lead].peak / 20
        + GroupParams.advanceSigma * GroupParams.advanceSigma * bend.dot(bend)
      members[k].pairNoise.add(
        plain, lead: end.value, after: seconds, axes: axes, known: blurred)
    } else {
      let isOwn = members[k].clipped.union(members[k].clippedBefore)
      let clipped = isOwn.union(members[lead].clipped).union(members[lead].clippedBefore)
      members[k].pairNoise.interrupt()
      // The leading member measures nothing on a clipped axis, so the other members share the whole
      // weight there.
      let others = 1 - members[lead].weight
      if others > 0, !isOwn.isEmpty || members[k].weight > 0 {
        let known = isOwn.clearing(integral)
        backlog += (known - clipped.clearing(known)) * (members[k].weight / others)
      }
      difference = clipped.clearing(difference)
      integral = clipped.clearing(integral)
    }
    let noise = members[k].noise + members[lead].noise
    // Vibration of the board shakes both members. If even the quieter one is far above the usual
    // noise of both, its recent changes of slope show how strong the vibration is.
    let least = members[k].peak < members[lead].peak ? members[k].peak : members[lead].peak
    let isShaken =
      least > GroupParams.jump * members[k].noise && least > GroupParams.jump * members[lead].noise
    let shaking = isShaken ? least : 0
    // Without the slow errors of the leading member, which are common to all differences.
    var steady = members[k].unsteadiness
    if channel == .acceleration { steady += leverVariance(k, turning) }
    let other =
      members[k].calibration.variance(at: end.value, slope: bend) + 2 * shaking + steady
      + members[lead].unsteadiness
      // The slope comes from two samples of the leading member, so the noise of both counts.
      + 2 * members[lead].noise * advance.dot(advance) * (perSecond * perSecond)
    let variance = noise + other
    let square = difference.dot(difference)
    members[k].difference = difference
    members[k].differenceVariance = variance
    members[k].comparedTime = members[k].pendingTime
    members[k].compared = members[k].pendingValue
    if square <= GroupParams.gate * variance {
      members[k].owed = .zero
      if members[k].suspicions > 0 { endSuspicion(k) }
      backlog += integral * members[k].weight
      members[k].block.add(
        integral, lead: leadIntegral, change: change, seconds: seconds, steady: steady,
        shaking: shaking)
    } else {
      doubt(k, integral, at: end.value)
      if members[k].suspicions > 1 {
        members[k].block.add(
          integral, lead: leadIntegral, change: change, seconds: seconds, steady: steady,
          shaking: shaking)
      }
    }
    members[k].finishComparison(at: end)
  }

  /// Handles a sample of a member that differs from the leading member, whose value was `lead`, by
  /// more than `GroupParams.gate` allows.
  private mutating func doubt(_ k: Int, _ integral: Vector3, at lead: Vector3) {
    members[k].agreed = 0
    members[k].owed += integral
    if members[k].suspicions == 0 { members[k].suspectTime = members[k].pendingTime }
    if members[k].suspicions < .max { members[k].suspicions += 1 }
    if members[k].suspicions == 1 {
      // Leave out the integral up to the first such sample, because it may be a glitch. The next
      // integral starts from the leading member's value.
      if members[k].time == members[k].pendingTime { members[k].integrated = lead }
      return
    }
    if members[k].isUsed { hasSuspect = true }
    // If nothing has shown which sensor is wrong after some samples, use both.
    if members[k].suspicions > GroupParams.openSuspicions {
      backlog += integral * members[k].weight
      members[k].owed -= integral * members[k].weight
    }
  }

  /// Returns the variance of the difference between two accelerations that comes from the uncertain
  /// places of the two chips on a turning board, g^2.
  private mutating func leverVariance(_ k: Int, _ turning: Turning) -> Scalar {
    let places = members[k].leverArmVariance + members[lead].leverArmVariance
    let rate = turning.rate.dot(turning.rate)
    return places * (rate * rate + turning.acceleration.dot(turning.acceleration))
      * (1 / (9.80665 * 9.80665))
  }

  /// Returns the value to use for a sample of the leading member. If the leading member alone has
  /// jumped, the weighted mean of the other members replaces its value. On an axis where the
  /// leading member is clipped, the mean of the members that are not clipped replaces it.
  mutating func checkedLead(_ value: Vector3, at moment: Int64, after seconds: Scalar) -> Vector3 {
    let clipped = members[lead].clipped
    let jump = value - members[lead].value - members[lead].step
    let square = jump.dot(jump) / (6 * axes)
    let isJump = square > GroupParams.gate * members[lead].meanBend
    guard isJump || members[lead].suspicions > 0 || !clipped.isEmpty else { return value }
    var (sum, weights, agreeing) = (Vector3.zero, 0.0, 0)
    for k in 0..<count where k != lead && members[k].weight > 0 && members[k].clipped.isEmpty {
      guard let other = carried(k, to: moment, isSlow: true) else { continue }
      sum += other * members[k].weight
      weights += members[k].weight
      let off = value - other
      // The slope may have changed since the member's compared sample. The difference between the
      // member's own slope and that of the group shows by how much.
      let age = Scalar(moment &- members[k].comparedTime) * 1e-9
      let bend = (members[k].step / members[k].interval - slope) * age
      let variance = members[k].differenceVariance + bend.dot(bend)
      if off.dot(off) <= GroupParams.gate * variance { agreeing += 1 }
    }
    guard weights > 0 else { return value }
    let mean = sum / weights
    if !clipped.isEmpty {
      return Vector3(
        clipped.x ? mean.x : value.x, clipped.y ? mean.y : value.y, clipped.z ? mean.z : value.z)
    }
    guard agreeing == 0 else {
      if members[lead].suspicions > 0 { endSuspicion(lead) }
      return value
    }
    guard members[lead].suspicions < GroupParams.heldSamples else { return value }
    if members[lead].suspicions == 0 { members[lead].suspectTime = moment }
    members[lead].suspicions += 1
    if members[lead].suspicions >= GroupParams.suspicions { hasSuspect = true }
    members[lead].difference = value - mean
    return mean
  }

  private mutating func addClipping(to combined: inout Combined, at moment: Int64) {
    let clipped = members[lead].clipped
    for k in 0..<count where k != lead && members[k].weight > 0 && members[k].clipped.isEmpty {
      if carried(k, to: moment, isSlow: true) != nil { return }
    }
    // The true value may exceed the range by half of the range. Fusion assumes this for a single
    // sensor too.
    let half = 0.5 * (members[lead].traits.range?.end ?? 0)
    let variance = half * half
    combined.addedVariance += Vector3(
      clipped.x ? variance : 0, clipped.y ? variance : 0, clipped.z ? variance : 0)
  }
}
