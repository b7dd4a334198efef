// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension SensorGroup {
  /// The differences of all members from the member that leads, at one time or as means over
  /// blocks.
  struct Differences {
    var values = InlineArray<8, Vector3>(repeating: .zero)
    /// The variances of the members' own errors. Those of the leading member cancel in the
    /// difference of two other members.
    var variances = InlineArray<8, Scalar>(repeating: 0)
    /// True for the used members whose differences count, including the leading member.
    var isValid = InlineArray<8, Bool>(repeating: false)
    /// True for differences of the newest samples, false for means over blocks.
    var isInstant = true

    /// Returns true if two members differ by more than noise and their known errors explain.
    func differ(_ a: Int, _ b: Int) -> Bool {
      let off = values[a] - values[b]
      return off.dot(off) > GroupParams.gate * (variances[a] + variances[b])
    }
  }

  /// Finds which sensor is wrong, after a member has differed from the leading member in two
  /// successive samples, or the leading member from all other members.
  mutating func judge(at moment: Int64) {
    hasSuspect = false
    guard lead >= 0, members[lead].isUsed else { return }
    var since = Int64.max
    for k in 0..<count
    where members[k].isUsed && members[k].suspicions >= GroupParams.suspicions {
      since = min(since, members[k].suspectTime)
    }
    guard since < .max else { return }
    var differences = Differences()
    differences.isValid[lead] = true
    if members[lead].suspicions > 0 { differences.values[lead] = members[lead].difference }
    for k in 0..<count where k != lead && members[k].isUsed {
      guard members[k].comparedTime >= since else {
        // If this member's next sample is due, wait for it, because a further member can show which
        // of the others is wrong.
        let age = Scalar(moment &- since) * 1e-9
        if age < 2.5 * members[k].interval + members[k].lateness {
          hasSuspect = true
          return
        }
        continue
      }
      differences.isValid[k] = true
      differences.values[k] = members[k].difference
      differences.variances[k] = members[k].differenceVariance
    }
    if !decide(differences, at: moment) { members[lead].suspicions = 0 }
  }

  /// Leaves out the sensors that are wrong: those that agree with fewer members, or, of two
  /// sensors, the one whose own samples show a fault. Returns false if nothing shows which are
  /// wrong.
  @discardableResult
  mutating func decide(_ differences: Differences, at moment: Int64) -> Bool {
    var agreements = InlineArray<8, Int>(repeating: 0)
    var number = 0
    for a in 0..<count where differences.isValid[a] {
      number += 1
      for b in 0..<a where differences.isValid[b] && !differences.differ(a, b) {
        agreements[a] += 1
        agreements[b] += 1
      }
    }
    var other = -1
    var (isLeadWrong, isLeadRight) = (false, false)
    for k in 0..<count where k != lead && differences.isValid[k] && differences.differ(k, lead) {
      other = k
      if agreements[k] > agreements[lead] { isLeadWrong = true }
      if agreements[k] < agreements[lead] { isLeadRight = true }
    }
    guard other >= 0 else { return false }
    if number == 2 {
      let wrong = wrongOfTwo(other, isInstant: differences.isInstant)
      guard wrong >= 0 else { return false }
      leaveOut(wrong, differences.values[other] - differences.values[lead], at: moment)
      return true
    }
    if isLeadWrong {
      // The member that agrees with the most others shows on which axes the leading member is
      // wrong.
      var best = -1
      for k in 0..<count where k != lead && differences.isValid[k] {
        if best < 0 || agreements[k] > agreements[best] { best = k }
      }
      leaveOut(lead, differences.values[best] - differences.values[lead], at: moment)
      return true
    }
    guard isLeadRight else { return false }
    for k in 0..<count
    where k != lead && differences.isValid[k] && agreements[k] < agreements[lead]
      && differences.differ(k, lead)
    {
      leaveOut(k, differences.values[k], at: moment)
    }
    return true
  }

  /// Settles a dispute of two members by the bias of the virtual sensor that fusion has found, and
  /// its covariance. If they show which member is wrong, it is left out. Returns what fusion must
  /// change in its bias.
  mutating func settle(
    _ dispute: inout OffsetDispute, by bias: () -> (value: Vector3, covariance: Matrix3)
  ) -> BiasCorrection {
    let other = opponent
    guard other >= 0, lead >= 0 else { return .none }
    guard isDisputed, other != lead, members[other].isUsed, members[lead].isUsed else {
      if other == lead || !members[other].isUsed || dispute.isOver(members[other].drift.value) {
        dispute.end()
        opponent = -1
      }
      return .none
    }
    // A mean over all its blocks may still show which member is wrong. A difference that changes
    // from block to block follows the motion, and is not due to an offset.
    let drift = members[other].drift
    guard Scalar(disputedBlocks) * GroupParams.driftShare >= 1,
      drift.value.dot(drift.value) > GroupParams.gate * drift.spread
    else { return .none }
    // The leading member can change, so the order is that of the numbers.
    let isInOrder = lead < other
    let difference = isInOrder ? drift.value : -drift.value
    let share = isInOrder ? members[other].weight : members[lead].weight
    let found = bias()
    var correction = BiasCorrection()
    correction.doubt = dispute.doubt(difference, share: share, bias: found.value)
    correction.seconds = Scalar(disputedBlocks) * blockLength()
    var number = 0
    for k in 0..<count where members[k].isUsed && members[k].hasSample { number += 1 }
    guard number == 2, correction.doubt == .zero else {
      return correction.doubt == .zero ? .none : correction
    }
    let verdict = dispute.verdict(
      difference, share: share, bias: found.value, covariance: found.covariance)
    guard verdict != .open else { return .none }
    let isSecond = verdict == .second
    let wrong = isSecond == isInOrder ? other : lead
    leaveOut(wrong, difference, as: .biased, at: members[wrong].time)
    dispute.end()
    opponent = -1
    correction.change = difference * (isSecond ? -share : 1 - share)
    return correction
  }

  /// Returns which of two sensors is wrong, the leading member or `other`: the one that shows a
  /// sign of a fault which the other does not show. Returns -1 if there is no such sign.
  private mutating func wrongOfTwo(_ other: Int, isInstant: Bool) -> Int {
    func only(_ isOther: Bool, _ isLead: Bool) -> Int? {
      isOther == isLead ? nil : isOther ? other : lead
    }
    func bit(_ member: Int) -> Bool { hints & (1 << UInt8(truncatingIfNeeded: member)) != 0 }
    let most = GroupParams.repeatsInDispute
    let (a, b) = (members[other].allRepeats >= most, members[lead].allRepeats >= most)
    if let wrong = only(a, b) { return wrong }
    if let wrong = only(members[other].isStuck(axes: axes), members[lead].isStuck(axes: axes)) {
      return wrong
    }
    if let wrong = only(bit(other), bit(lead)) { return wrong }
    if let wrong = only(
      isOffGravity(other, unlike: lead), isOffGravity(lead, unlike: other))
    {
      return wrong
    }
    if let wrong = only(isNoisy(other), isNoisy(lead)) { return wrong }
    // The sensor that has jumped is wrong if the other one was smooth. Means do not show jumps, and
    // a difference that has lasted is not due to a jump.
    let change = members[other].difference - members[other].drift.value
    guard isInstant,
      change.dot(change) > GroupParams.gate * members[other].differenceVariance
    else { return -1 }
    return only(hasJumped(other, unlike: lead), hasJumped(lead, unlike: other)) ?? -1
  }

  /// True if the newest values of `member` have jumped and those of `other` have not. If `other` is
  /// -1, only `member` is examined.
  private mutating func hasJumped(_ member: Int, unlike other: Int) -> Bool {
    let peak = members[member].peak
    let usual = members[member].meanBend
    guard other >= 0 else { return peak > GroupParams.jump * usual }
    // Motion changes the slope of a slower member more from sample to sample, but not far beyond
    // the usual change for that member.
    let isFarFromUsual = peak > GroupParams.gate * usual
    return peak > GroupParams.jump * usual
      && peak > GroupParams.jump * members[other].peak
        * (isFarFromUsual ? 1 : slowness(member, other))
  }

  /// Returns the ratio of squared changes of slope that the same motion causes in two members, if
  /// `member` is the slower one; otherwise 1. The changes grow with the square of the interval.
  private mutating func slowness(_ member: Int, _ other: Int) -> Scalar {
    let ratio = members[member].interval / members[other].interval
    return ratio > 1 ? ratio * ratio * ratio * ratio : 1
  }

  /// True if `other` measures about 1 g while `member` measures above 1.8 g or below 0.55 g. A chip
  /// that has lost its range setting does so, because a wrong range changes the value by a factor
  /// of at least two.
  private mutating func isOffGravity(_ member: Int, unlike other: Int) -> Bool {
    guard channel == .acceleration else { return false }
    let (own, rival) = (members[member].raw.norm, members[other].raw.norm)
    return (rival - 1).magnitude < 0.1 && (own > 1.8 || own < 0.55)
  }

  /// True if the noise in a member's differences from another member is far above the noise in its
  /// traits. The other member's own samples must be much quieter, because otherwise vibration can
  /// be the cause.
  mutating func isNoisy(_ member: Int) -> Bool {
    guard lead >= 0 else { return false }
    for k in 0..<count where k != lead && (member == lead ? members[k].isUsed : member == k) {
      let both = members[k].pairNoise.difference
      // The leading member's own samples show vibration. Its values at the times of a slower
      // member's samples also show motion.
      let other =
        member == lead
        ? members[k].roughness.bound : max(members[lead].roughness.bound, members[k].pairNoise.lead)
      if both > GroupParams.noisier * other,
        both - other > GroupParams.noisy * members[member].variance
      {
        return true
      }
    }
    return false
  }

  /// Sets the state of a member and stops using the member, unless no other one is in use. The
  /// largest components of `difference` show which axes are faulty.
  mutating func leaveOut(
    _ member: Int, _ difference: Vector3, as given: SensorCondition.State? = nil, at moment: Int64
  ) {
    let state = given ?? cause(member)
    note(state, of: member, in: axesOf(difference))
    var isOther = false
    for k in 0..<count where k != member && members[k].isUsed && members[k].hasSample {
      isOther = true
    }
    guard members[member].isUsed, isOther else { return }
    members[member].condition.isUsed = false
    members[member].weight = 0
    members[member].suspicions = 0
    members[member].agreed = 0
    let longer = 2 * members[member].pause
    members[member].pause =
      longer < GroupParams.firstPause
      ? GroupParams.firstPause
      : longer > GroupParams.longestPause ? GroupParams.longestPause : longer
    members[member].faultNorm = lead >= 0 ? members[lead].value.norm : 0
    isDisputed = false
    setWeights()
  }

  /// Returns the most likely fault of a member that differs from others.
  private mutating func cause(_ member: Int) -> SensorCondition.State {
    if members[member].allRepeats >= GroupParams.repeatsInDispute
      || members[member].isStuck(axes: axes)
    {
      return .frozen
    }
    for k in 0..<count where k != member && members[k].isUsed && isOffGravity(member, unlike: k) {
      return .implausible
    }
    return isNoisy(member) ? .noisy : .biased
  }

  /// Returns the axes whose component is at least half the largest; all axes if `difference` is
  /// zero.
  private mutating func axesOf(_ difference: Vector3) -> AxisSet {
    let (x, y, z) = (difference.x.magnitude, difference.y.magnitude, difference.z.magnitude)
    let largest = max(x, max(y, z))
    guard largest > 0 else { return AxisSet(x: true, y: axes > 1, z: axes > 1) }
    return AxisSet(x: x >= 0.5 * largest, y: y >= 0.5 * largest, z: z >= 0.5 * largest)
  }

  /// Sets the axes of a member in `set` to `state`, and its other axes to `good`.
  mutating func note(_ state: SensorCondition.State, of member: Int, in set: AxisSet) {
    var condition = members[member].condition
    let wasGood = condition.isGood
    condition.x = set.x ? state : .good
    condition.y = set.y ? state : .good
    condition.z = set.z ? state : .good
    guard condition != members[member].condition else { return }
    if wasGood { condition.count &+= 1 }
    condition.since = members[member].stamp
    members[member].condition = condition
    changes &+= 1
  }

  /// Ends the doubt about a member that agrees again. If only one sample was wrong, and it was a
  /// jump, it is counted as a glitch.
  mutating func endSuspicion(_ member: Int) {
    let rival = member == lead ? -1 : lead
    if members[member].suspicions == 1, members[member].isUsed, hasJumped(member, unlike: rival) {
      members[member].glitches += 1
      let set = axesOf(members[member].difference)
      if members[member].glitches > GroupParams.mostGlitches {
        leaveOut(member, members[member].difference, as: .glitching, at: members[member].time)
      } else {
        note(.glitching, of: member, in: set)
      }
    }
    members[member].suspicions = 0
  }

  /// Counts a value that the quantity cannot have, and leaves the member out if such values follow
  /// one another.
  mutating func noteImplausible(_ member: Int, at time: Timestamp) {
    members[member].agreed = 0
    if members[member].impossible < .max { members[member].impossible += 1 }
    guard members[member].impossible >= GroupParams.suspicions else { return }
    members[member].stamp = time
    leaveOut(member, .zero, as: .implausible, at: members[member].time)
  }
}
