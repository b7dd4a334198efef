// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Combines all sensors of a board into one virtual IMU, with a group for each channel that several
/// chips sample. A channel that only one chip samples is passed on unchanged.
public struct SensorGroups: Sendable {
  /// The largest number of chips.
  public static var capacity: Int { SensorGroup.capacity }

  /// The channels that are combined if several chips sample them. Every other channel is taken from
  /// the first chip that samples it.
  public static var combined: ChannelSet {
    [.acceleration, .rotationRate, .magneticField, .pressure]
  }

  /// The number of chips.
  public private(set) var count = 0
  /// The number of changes of any condition so far. It is stored, because a computed property of so
  /// large a value is called with a copy of it.
  public private(set) var changes: UInt32 = 0
  /// The channels that at least two chips sample and that are therefore combined.
  public private(set) var shared = ChannelSet()
  private var channels = InlineArray<8, ChannelSet>(repeating: [])
  /// The channels of each chip that are passed on unchanged.
  private var sole = InlineArray<8, ChannelSet>(repeating: [])
  private var alignments = InlineArray<8, SensorAlignment>(repeating: .identity)
  /// The groups for acceleration, rotation rate, magnetic field and pressure, in this order.
  private var groups: InlineArray<4, SensorGroup> = [
    SensorGroup(.acceleration), SensorGroup(.rotationRate), SensorGroup(.magneticField),
    SensorGroup(.pressure),
  ]
  /// The member number of each chip in each group; -1 if the chip is not a member.
  private var members = InlineArray<4, InlineArray<8, Int>>(
    repeating: InlineArray<8, Int>(repeating: -1))
  /// The variance to add to the usual variance of the newest combined value, for each group.
  private var added = InlineArray<4, Vector3>(repeating: .zero)
  /// The value of `changes` when the groups last exchanged the conditions of their members.
  private var shownChanges: UInt32 = 0
  private var dispute = OffsetDispute()
  private var turning = Turning.none
  private var turningTime: Timestamp?

  /// Creates groups without chips.
  @inline(never)
  public init() {}

  /// Adds the next chip of the board, with the channels that it samples; `traits` is called
  /// once for each channel that is combined. Returns the chip's number, counted from zero; `nil`
  /// if there are too many chips.
  @discardableResult
  public mutating func add(
    chipWith channels: ChannelSet, alignment: SensorAlignment = .identity,
    traits: (Channel) -> SensorTraits
  ) -> Int? {
    guard count < Self.capacity else { return nil }
    let chip = count
    count += 1
    self.channels[chip] = channels
    alignments[chip] = alignment
    for kind in 0..<4 {
      let channel = groups[kind].channel
      guard channels.contains(channel), let member = groups[kind].add(traits(channel), alignment)
      else { continue }
      members[kind][chip] = member
      if member > 0 { shared.insert(ChannelSet(channel)) }
    }
    var taken = shared
    for other in 0..<count {
      sole[other] = self.channels[other].subtracting(taken)
      taken.formUnion(sole[other])
    }
    return chip
  }

  /// Returns the channels of a chip that are used, alone or combined with those of other chips.
  public func channelsUsed(ofChip chip: Int) -> ChannelSet {
    guard chip >= 0, chip < count else { return [] }
    return sole[chip].union(channels[chip].intersection(shared))
  }

  /// Adds a sample of a chip, in the device axes of the chip's mounting. Returns the sample of the
  /// virtual IMU that is due. It contains the channels that are taken from this chip alone, and the
  /// channels that were combined at this moment. Returns `nil` if there are none.
  public mutating func add(_ sample: Sample, from chip: Int) -> Sample? {
    guard chip >= 0, chip < count else { return nil }
    let rotation = alignments[chip].rotation
    let kept = sample.channels.intersection(sole[chip])
    let combined = sample.channels.intersection(shared)
    guard !combined.isEmpty || rotation != .identity else {
      guard !kept.isEmpty else { return nil }
      var result = sample
      result.channels = kept
      return result
    }
    // Add the rotation rate first, because accelerations are moved to a common point with it.
    let rate = combined.contains(.rotationRate) ? add(sample.rotationRate, 1, sample, chip) : nil
    if let rate {
      follow(rate, at: sample.timestamp)
    } else if kept.contains(.rotationRate) {
      follow(rotation.rotate(sample.rotationRate), at: sample.timestamp)
    }
    let force = combined.contains(.acceleration) ? add(sample.acceleration, 0, sample, chip) : nil
    let field = combined.contains(.magneticField) ? add(sample.magneticField, 2, sample, chip) : nil
    let pressure =
      combined.contains(.pressure) ? add(Vector3(sample.pressure, 0, 0), 3, sample, chip) : nil
    noteChanges()
    if changes != shownChanges { shareConditions() }
    // Most samples of a chip that does not lead give nothing, so none is copied for them.
    guard !kept.isEmpty || rate != nil || force != nil || field != nil || pressure != nil else {
      return nil
    }
    var result = sample
    result.channels = kept
    if rotation != .identity { turn(&result, by: rotation) }
    if let rate { result.set(rate, of: .rotationRate) }
    if let force { result.set(force, of: .acceleration) }
    if let field { result.set(field, of: .magneticField) }
    if let pressure { result.set(pressure, of: .pressure) }
    return result
  }

  /// Rotates the vectors of a sample.
  private func turn(_ sample: inout Sample, by rotation: Quaternion) {
    sample.rotationRate = rotation.rotate(sample.rotationRate)
    sample.acceleration = rotation.rotate(sample.acceleration)
    sample.magneticField = rotation.rotate(sample.magneticField)
  }

  /// Updates the rotation of the board, because accelerations at different places of a turning
  /// board differ.
  private mutating func follow(_ rate: Vector3, at time: Timestamp) {
    defer { turningTime = time }
    let seconds = turningTime.map { (time - $0).seconds } ?? 0
    if seconds > 0, seconds < Self.turningTau {
      let slope = (rate - turning.rate) / seconds
      turning.acceleration += (seconds / Self.turningTau) * (slope - turning.acceleration)
    } else {
      turning.acceleration = .zero
    }
    turning.rate = rate
  }

  /// The time over which the angular acceleration is averaged, s. Gyroscope noise of 0.1 degrees/s
  /// at 200 Hz then causes an error of 2.6 degrees/s^2 on each axis, or half a milligee at 0.1 m.
  /// The angular acceleration of a hand changes more slowly.
  private static var turningTau: Scalar { 0.04 }

  /// Marks the members of each group whose chip has another channel left out. In a dispute of two
  /// members, a marked one is taken to be wrong, because a chip that loses its supply loses the
  /// settings of all its sensors.
  private mutating func shareConditions() {
    shownChanges = changes
    for kind in 0..<4 {
      var hints: UInt8 = 0
      for chip in 0..<count where members[kind][chip] >= 0 {
        for other in 0..<4 where other != kind && members[other][chip] >= 0 {
          if !groups[other].condition(of: members[other][chip]).isUsed {
            hints |= 1 << UInt8(truncatingIfNeeded: members[kind][chip])
          }
        }
      }
      groups[kind].hints = hints
    }
  }

  /// Adds a chip's value to the group `kind`. Returns the value of the virtual sensor if one is
  /// due.
  private mutating func add(
    _ value: Vector3, _ kind: Int, _ sample: borrowing Sample, _ chip: Int
  ) -> Vector3? {
    guard
      let combined = groups[kind].add(
        value, at: sample.timestamp, from: members[kind][chip], turning: turning)
    else { return nil }
    added[kind] = combined.addedVariance
    return combined.value
  }

  private mutating func noteChanges() {
    changes = groups[0].changes &+ groups[1].changes &+ groups[2].changes &+ groups[3].changes
  }

  /// Returns the condition of a channel of a chip; `nil` if the channel is not combined, or if the
  /// chip does not sample it.
  public func condition(ofChip chip: Int, channel: Channel) -> SensorCondition? {
    guard chip >= 0, chip < count, shared.contains(channel), let kind = Self.kind(of: channel),
      members[kind][chip] >= 0
    else { return nil }
    return groups[kind].condition(of: members[kind][chip])
  }

  /// True while two sensors of a channel disagree and nothing shows which of them is wrong.
  public func isDisputed(_ channel: Channel) -> Bool {
    guard let kind = Self.kind(of: channel) else { return false }
    return groups[kind].isDisputed
  }

  /// Returns what fusion must know before it takes a combined sample with `channels`. While two
  /// gyroscopes disagree, `bias` is called for the bias of the virtual gyroscope that fusion has
  /// found, rad/s in device axes, and its covariance. The change of this bias shows which of them
  /// is wrong; that one is left out.
  public mutating func doubts(
    of channels: ChannelSet, bias: () -> (value: Vector3, covariance: Matrix3)
  ) -> SensorDoubts {
    var doubts = SensorDoubts()
    if channels.contains(.rotationRate) {
      doubts.bias = groups[1].settle(&dispute, by: bias)
      // The bias contains the offset of a gyroscope that is in doubt.
      if !dispute.isKnown { doubts.rotationRate = added[1] }
    }
    if channels.contains(.acceleration) { doubts.acceleration = added[0] }
    noteChanges()
    return doubts
  }

  /// Returns the index of a channel's group. This is a switch, because a loop over `groups` or a
  /// closure would copy all groups.
  private static func kind(of channel: Channel) -> Int? {
    switch channel {
    case .acceleration: 0
    case .rotationRate: 1
    case .magneticField: 2
    case .pressure: 3
    default: nil
    }
  }
}

extension Sample {
  @inline(__always)
  fileprivate mutating func set(_ value: Vector3, of channel: Channel) {
    channels.insert(ChannelSet(channel))
    self[channel] = value
  }
}
