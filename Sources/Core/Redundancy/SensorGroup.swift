// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Combines several sensors of one channel into one virtual sensor, and finds the condition of
/// each.
///
/// This is a value type that allocates no memory and reads no clock. One member leads: each of its
/// samples gives a value at once, without waiting for samples of other members. The integrals of
/// the other members correct the integral of the values, weighted by inverse variance, so that a
/// late or slow member costs no accuracy.
public struct SensorGroup: Sendable {
  /// The largest number of members.
  public static var capacity: Int { 8 }

  /// The channel that all members sample.
  public let channel: Channel
  /// The number of members.
  public internal(set) var count = 0
  /// The number of changes of a member's condition so far.
  public internal(set) var changes: UInt32 = 0
  /// True while two members differ and nothing shows which of them is wrong.
  public internal(set) var isDisputed = false

  let params: ChannelParams
  /// The number of components of a value.
  let axes: Scalar
  var members: InlineArray<8, SensorMember>
  /// The member that leads; -1 before the first sample.
  var lead = -1
  var history = LeadHistory()
  /// The mean slope of the leading member's values, per second.
  var slope = Vector3.zero
  /// The integral that is missing from the values so far. The next values make up for it.
  var backlog = Vector3.zero
  /// The difference between the newest value of the virtual sensor and that of the leading member,
  /// on the axes of the group.
  var correction = Vector3.zero
  /// The offset of the virtual sensor from the axes of the group. The group has the axes of the
  /// member that led first; the virtual sensor has the mean of all members, weighted by the inverse
  /// variances of their errors.
  var datumOffset = Vector3.zero
  /// The scale and the rotation that belong to `datumOffset`, as a difference from the identity
  /// matrix.
  var datumMatrix = Matrix3(rows: .zero, .zero, .zero)
  /// The time of the newest value of the virtual sensor, ns on the group's clock.
  var lastTime = Int64.min
  /// The newest time stamp of any member.
  var newestStamp = Timestamp.zero
  var blockStart: Int64 = 0
  /// The time at which the present block ends, ns.
  var blockEnd: Int64 = 0
  /// The variance to add to the values of the virtual sensor while members disagree.
  var disputed = Vector3.zero
  /// The member that differs from the leading one in a dispute; -1 outside a dispute.
  var opponent = -1
  /// The number of successive blocks in which members have been in dispute.
  var disputedBlocks = 0
  /// True if a member has differed often enough to be judged.
  var hasSuspect = false
  /// One bit for each member, set while another channel of the member's chip is left out.
  var hints: UInt8 = 0

  /// Creates a group without members.
  public init(_ channel: Channel) {
    self.channel = channel
    params = ChannelParams.params(of: channel)
    axes = Scalar(channel.width)
    members = InlineArray<8, SensorMember>(
      repeating: SensorMember(SensorTraits(channel, interval: 0.01), .identity))
  }

  /// Adds a sensor. The axes of the first one are those of the board, so that another one, which
  /// may be mounted less exactly, does not turn them. Returns the sensor's number, counted from
  /// zero; `nil` if the group is full.
  public mutating func add(_ traits: SensorTraits, _ alignment: SensorAlignment = .identity) -> Int?
  {
    guard count < Self.capacity else { return nil }
    var alignment = alignment
    if count == 0 { alignment.rotationSigma = 0 }
    members[count] = SensorMember(traits, alignment)
    count += 1
    var sums = SensorShares()
    for k in 0..<count {
      members[k].shares = SensorShares(
        members[k].traits, rotation: members[k].rotationVariance, typical: params.typical)
      sums.add(members[k].shares)
    }
    for k in 0..<count { members[k].shares.divide(by: sums) }
    return count - 1
  }

  /// Adds a value of a member as measured, in the device axes of the member's mounting and the
  /// channel's unit, with the time at which it was taken and the rotation of the board at that
  /// time. Returns the value of the virtual sensor if one is due.
  public mutating func add(
    _ value: Vector3, at time: Timestamp, from member: Int, turning: Turning = .none
  ) -> Combined? {
    guard member >= 0, member < count else { return nil }
    let mapped: Vector3
    switch members[member].take(
      value, at: time, within: params.limit,
      turning: channel == .acceleration ? turning : .none, newest: &newestStamp)
    {
    case .outOfOrder: return nil
    case .implausible:
      noteImplausible(member, at: time)
      return nil
    case .taken(let value): mapped = value
    }
    let moment = time.nanoseconds &+ members[member].shift
    guard members[member].hasSample else {
      begin(member, with: mapped, at: moment)
      return lead == member ? emit(mapped, at: moment) : nil
    }
    let seconds = Scalar(moment &- members[member].time) * 1e-9
    if member == lead {
      return lead(to: mapped, at: moment, after: seconds, turning)
    }
    members[member].advance(to: mapped, at: moment, after: seconds, axes: axes)
    if members[member].isPending, history.time >= members[member].pendingTime {
      compare(member, turning)
      if hasSuspect { judge(at: moment) }
    }
    guard members[member].isUsed, members[member].suspicions < GroupParams.suspicions,
      isLeadMissing(at: time)
    else {
      return nil
    }
    handOver(to: member)
    return moment > lastTime
      ? emit(members[member].value, at: moment) : nil
  }

  /// Returns the condition of a member; `good` for a number that no member has.
  public func condition(of member: Int) -> SensorCondition {
    member >= 0 && member < count ? members[member].condition : SensorCondition()
  }

  /// The delay from a motion to the time stamp of the virtual sensor's value that shows it, s.
  public var delay: Scalar { lead >= 0 ? members[lead].traits.delay : 0 }

  /// The member that leads, whose samples give the values now; `nil` before the first sample.
  public var leadingMember: Int? { lead >= 0 ? lead : nil }

  private mutating func begin(_ member: Int, with value: Vector3, at moment: Int64) {
    members[member].hasSample = true
    members[member].time = moment
    members[member].value = value
    members[member].integrated = value
    members[member].restartComparison(at: moment)
    guard lead < 0 else { return }
    lead = member
    let reference = members[member].calibration
    for k in 0..<count where k != member { members[k].calibration.add(reference) }
    members[member].calibration.becomeReference()
    history.append(value, at: moment, rate: 1 / members[member].interval)
    startBlock(at: moment)
    for k in 0..<count {
      members[k].pairNoise = PairNoise(
        member: members[k].variance, lead: members[member].variance)
    }
    setWeights()
  }

  /// True if the leading member's next sample is overdue at `time`, the time stamp of another
  /// member's sample. Also true if no leading member is in use.
  private mutating func isLeadMissing(at time: Timestamp) -> Bool {
    guard lead >= 0, members[lead].isUsed else { return true }
    let wait =
      members[lead].interval * (1 + GroupParams.jitter)
      + GroupParams.latenessMargin * members[lead].lateness
    return (time - members[lead].stamp).seconds > wait
  }

  /// Handles a sample of the member that leads. `mapped` is on the axes of the group.
  private mutating func lead(
    to mapped: Vector3, at moment: Int64, after seconds: Scalar, _ turning: Turning
  ) -> Combined? {
    let value = checkedLead(mapped, at: moment, after: seconds)
    members[lead].advance(to: mapped, at: moment, after: seconds, axes: axes)
    let rate = 1 / seconds
    slope += GroupParams.slopeShare * ((value - history.value) * rate - slope)
    history.append(value, at: moment, rate: rate)
    for k in 0..<count
    where k != lead && members[k].isPending && members[k].pendingTime <= moment {
      compare(k, turning)
    }
    if hasSuspect { judge(at: moment) }
    if moment >= blockEnd, members[lead].isUsed {
      settle(at: moment, value)
    }
    guard moment > lastTime, lead >= 0 else { return nil }
    guard members[lead].isUsed else {
      guard let other = freshest() else { return nil }
      handOver(to: other)
      return members[other].time > lastTime
        ? emit(members[other].value, at: members[other].time) : nil
    }
    // `settle` may have made another member the leading member.
    guard members[lead].time == moment else { return nil }
    return emit(value, at: moment)
  }

  /// Makes `member` the member that leads.
  mutating func handOver(to member: Int) {
    if lead >= 0, !members[lead].isUsed, members[member].suspicions > 0 {
      // The member that led before was wrong. Compensate for the error of its values since it last
      // agreed with this member.
      let since = Scalar(lastTime &- members[member].comparedTime) * 1e-9
      let tail = since > 0 && since < 2 * members[member].interval ? since : 0
      backlog += members[member].owed + (members[member].value - lastOnAxes) * tail
    }
    let reference = members[member].calibration
    for k in 0..<count { members[k].drift = DriftMean() }
    for k in 0..<count where k != member {
      members[k].calibration.refer(to: reference)
      members[k].restartComparison(at: members[k].time)
      members[k].block = DifferenceBlock()
      members[k].pairNoise = PairNoise(
        member: members[k].variance, lead: members[member].variance)
      members[k].suspicions = 0
    }
    members[member].calibration.becomeReference()
    let seconds = members[member].interval
    let before = members[member].value - members[member].step
    history.removeAll()
    let earlier = members[member].time &- TimeSpan(seconds: seconds).nanoseconds
    history.append(before, at: earlier, rate: 1 / seconds)
    history.append(members[member].value, at: members[member].time, rate: 1 / seconds)
    if lead >= 0, lastTime > .min {
      // The correction is the newest value given out minus this member's value at that time.
      let age = Scalar(members[member].time &- lastTime) * 1e-9 / seconds
      correction =
        age < 2 ? lastOnAxes - (members[member].value - members[member].step * age) : .zero
    }
    lead = member
    disputedBlocks = 0
    startBlock(at: members[member].time)
    hasSuspect = false
    setWeights()
  }

  /// The newest value given out, on the axes of the group.
  var lastOnAxes = Vector3.zero

  /// Returns the used member with the newest sample, except for the leading member.
  mutating func freshest() -> Int? {
    var best: Int?
    for k in 0..<count where k != lead && members[k].isUsed && members[k].hasSample {
      if let other = best, members[other].time >= members[k].time { continue }
      best = k
    }
    return best
  }
}
