// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// One sensor of a group: its traits, its newest sample, its health by its own samples, and its
/// difference from the member that leads.
struct SensorMember: Sendable {
  let traits: SensorTraits
  let leverArm: Vector3
  /// The variance of the lever arm, m^2.
  let leverArmVariance: Scalar
  /// The time to add to a time stamp to get the time of the motion that the sample shows, ns.
  let shift: Int64
  /// The variance of the white noise of one sample.
  let variance: Scalar
  /// The variance of slow errors that calibration cannot correct.
  let unsteadiness: Scalar
  var calibration: RelativeCalibration
  /// The variance of the rotation from the axes of the board.
  let rotationVariance: Scalar
  var shares = SensorShares()

  var condition = SensorCondition()
  /// The weight of the member in the virtual sensor; zero while it is not used.
  var weight = 0.0

  // MARK: The newest sample

  var hasSample = false
  /// The time of the motion that the newest sample shows, ns.
  var time: Int64 = 0
  /// The time stamp of the newest sample.
  var stamp = Timestamp.zero
  /// The newest value as measured.
  var raw = Vector3.zero
  /// The newest value on the axes of the group.
  var value = Vector3.zero
  /// The change from the previous value to the newest one; zero after a gap.
  var step = Vector3.zero
  /// True if there was no gap between the newest sample and the one before it, so that `step` is
  /// known.
  private var isStepKnown = false
  /// The value at which the next integral starts: the newest value, or the leading member's value
  /// if the newest value may be a glitch.
  var integrated = Vector3.zero
  /// The mean interval, s.
  var interval: Scalar
  /// The recent maximum of the time by which samples of this member arrive after newer ones of
  /// other members, s.
  var lateness = 0.0
  /// The mean of `lateness` over `GroupParams.usualTime`, s.
  var usualLateness = 0.0
  /// The longest time from a motion to the arrival of the sample that shows it, s. The whole batch
  /// interval always counts, because when two members are read in batches, only the phase of the
  /// batches decides which of them seems late.
  var wait: Scalar { interval + max(lateness, traits.batchInterval) }

  // MARK: Health by its own samples

  /// The number of times in succession that each axis has repeated its value.
  var repeats = InlineArray<3, UInt16>(repeating: 0)
  /// The number of times in succession that all axes together have repeated their values.
  var allRepeats: UInt16 = 0
  /// True if any axis repeated its value in the newest sample.
  private var hasRepeated = false
  /// The number of successive values that the quantity cannot have.
  var impossible: UInt8 = 0
  /// The number of recent glitches. It decays over `GroupParams.memory`.
  var glitches = 0.0
  /// The variance of the white noise that would change the slope as much as the newest samples do.
  var bend = 0.0
  /// The recent maximum of `bend`, which decays by a fifth with each sample.
  var peak = 0.0
  /// The mean of `bend`, in which large values are limited by `GroupParams.shock`.
  var meanBend: Scalar
  var roughness: Roughness
  /// The number of values of `bend` so far, up to the largest `UInt16`.
  private var number: UInt16 = 0
  /// True if an axis is at the end of the range in the newest sample or in the previous one.
  private(set) var isClipped = false
  /// The axes that are at the end of the range in the newest sample.
  var clipped = AxisSet()
  /// The axes that were at the end of the range in the previous sample.
  var clippedBefore = AxisSet()
  /// The axes that were at the end of the range at any time in the present block.
  var clippedInBlock = AxisSet()
  var norm = NormMean()

  // MARK: Difference from the lead

  /// The integral of the values from `from` to the pending sample.
  var integral = Vector3.zero
  /// The integral of the values from the pending sample to the newest one.
  var next = Vector3.zero
  /// The time from which the next comparison starts, ns.
  var from: Int64 = 0
  /// The leading member's value and integral at that time; `nil` if they are not known yet.
  var fromLead: LeadHistory.Point?
  /// True while a sample waits to be compared, until the leading member has a sample of that time
  /// or later.
  var isPending = false
  var pendingTime: Int64 = 0
  var pendingValue = Vector3.zero
  /// The newest value that was compared with the leading member.
  var compared = Vector3.zero
  /// The difference between `compared` and the leading member's value at that time, after
  /// correction.
  var difference = Vector3.zero
  /// The expected variance of `difference`, in each axis.
  var differenceVariance = 0.0
  /// The time of `compared`, ns; `Int64.min` before the first comparison.
  var comparedTime = Int64.min
  /// The number of successive samples that differ from the leading member by more than
  /// `GroupParams.gate` allows.
  var suspicions: UInt8 = 0
  /// The time of the first of the samples that `suspicions` counts, ns.
  var suspectTime: Int64 = 0
  /// The integral of the differences since the member and the leading member last agreed.
  var owed = Vector3.zero
  /// The sums of the member's differences from the leading member in the present block.
  var block = DifferenceBlock()
  var drift = DriftMean()
  var pairNoise: PairNoise

  // MARK: Return

  /// The time for which the member must agree with the leading member before it is used again, s.
  var pause = 0.0
  /// The time for which the member has agreed with the leading member, s.
  var agreed = 0.0
  /// The norm of the leading member's value when the member was left out. Agreement at much smaller
  /// values does not count, because the fault may not show there.
  var faultNorm = 0.0

  init(_ traits: SensorTraits, _ alignment: SensorAlignment) {
    self.traits = traits
    leverArm = alignment.leverArm
    rotationVariance = alignment.rotationSigma * alignment.rotationSigma
    leverArmVariance = alignment.leverArmSigma * alignment.leverArmSigma
    shift = TimeSpan(seconds: alignment.timeOffset - traits.delay).nanoseconds
    variance = traits.noise * traits.noise
    unsteadiness = traits.unsteadiness * traits.unsteadiness
    interval = traits.interval
    meanBend = variance
    roughness = Roughness(variance)
    pairNoise = PairNoise(member: variance, lead: variance)
    calibration = RelativeCalibration(
      rotation: alignment.rotation.rotationMatrix,
      offset: traits.offsetSigma * traits.offsetSigma,
      matrix: Self.matrixVariance(traits, alignment),
      advance: alignment.timeOffsetSigma * alignment.timeOffsetSigma)
  }

  static func matrixVariance(_ traits: SensorTraits, _ alignment: SensorAlignment) -> Scalar {
    // A scalar channel has no axes, so its map has no matrix to learn.
    guard traits.scaleSigma > 0 else { return 0 }
    return traits.scaleSigma * traits.scaleSigma + traits.crossAxisSigma * traits.crossAxisSigma
      + alignment.rotationSigma * alignment.rotationSigma
  }

  var isUsed: Bool { condition.isUsed }

  /// True if an axis repeats its value although the sensor's noise should change it.
  /// `axes` is the number of components of a value.
  func isStuck(axes: Scalar) -> Bool {
    guard hasRepeated, traits.step > 0, traits.noise >= 0.5 * traits.step else { return false }
    let most = GroupParams.repeats
    return repeats[0] >= most && !clipped.x
      || axes > 1 && (repeats[1] >= most && !clipped.y || repeats[2] >= most && !clipped.z)
  }

  /// True if samples arrive much less often or later than they should. A sample may wait in the
  /// chip for the batch interval.
  var isSlow: Bool {
    let usual = traits.batchInterval + 3 * usualLateness
    return interval > 1.5 * traits.interval
      || lateness > GroupParams.silentIntervals * traits.interval + usual
  }

  /// The result of taking a value as measured.
  enum Outcome {
    /// The value is not newer than the newest one.
    case outOfOrder
    /// The quantity cannot have this value.
    case implausible
    /// The value on the axes of the group.
    case taken(Vector3)
  }

  /// Checks a value as measured, and maps it to the axes of the group. `turning` is the rotation of
  /// the board if it changes the value at the place of the chip. `newest` is the newest time stamp
  /// of any member.
  @inline(__always)
  mutating func take(
    _ value: Vector3, at time: Timestamp, within limit: Scalar, turning: Turning,
    newest: inout Timestamp
  ) -> Outcome {
    guard !hasSample || time.nanoseconds &+ shift > self.time else { return .outOfOrder }
    guard examine(value, within: limit) else { return .implausible }
    noteLateness(at: time, newest: &newest)
    stamp = time
    guard leverArm != .zero else { return .taken(calibration.map(value)) }
    // Core Motion's acceleration has the opposite sign of the specific force, so adding the
    // specific force that the chip's place causes removes its effect.
    return .taken(calibration.map(value + turning.specificForce(at: leverArm)))
  }

  /// Updates the lateness: the time by which the time stamp of a sample is behind the newest time
  /// stamp of any member.
  @inline(__always)
  private mutating func noteLateness(at time: Timestamp, newest: inout Timestamp) {
    if time > newest {
      newest = time
      if lateness > 0 { lateness -= lateness * memoryShare(interval) }
      return
    }
    let faded = lateness * (1 - memoryShare(interval))
    let late = (newest - time).seconds
    lateness = late > faded ? late : faded
  }

  /// Checks a value as measured, and updates the counts of repeats and the clipped axes. Returns
  /// false if the quantity cannot have this value.
  @inline(__always)
  private mutating func examine(_ value: Vector3, within limit: Scalar) -> Bool {
    let largest = max(value.x.magnitude, max(value.y.magnitude, value.z.magnitude))
    guard largest <= limit, value.isFinite else { return false }
    if hasSample { noteRepeats(x: value.x == raw.x, y: value.y == raw.y, z: value.z == raw.z) }
    raw = value
    impossible = 0
    if let range = traits.range, isClipped || range.mayBeAtEnd(value) {
      noteClipping(of: value, range)
    }
    return true
  }

  private mutating func noteClipping(of value: Vector3, _ range: SensorRange) {
    clippedBefore = clipped
    let (x, y, z) = range.componentsAtEnd(value)
    clipped = AxisSet(x: x, y: y, z: z)
    clippedInBlock = clippedInBlock.union(clipped)
    isClipped = !clipped.isEmpty || !clippedBefore.isEmpty
  }

  @inline(__always)
  private mutating func noteRepeats(x: Bool, y: Bool, z: Bool) {
    // Most samples repeat nothing, and follow samples that repeated nothing.
    guard x || y || z || hasRepeated else { return }
    repeats[0] = x ? (repeats[0] &+ 1) : 0
    repeats[1] = y ? (repeats[1] &+ 1) : 0
    repeats[2] = z ? (repeats[2] &+ 1) : 0
    allRepeats = x && y && z ? (allRepeats &+ 1) : 0
    hasRepeated = x || y || z
  }

  /// Adds a value on the axes of the group, taken at `time` (ns), `seconds` after the previous one.
  /// The value then waits to be compared. If an earlier value is still waiting, only the integral
  /// is extended.
  mutating func advance(to value: Vector3, at time: Int64, after seconds: Scalar, axes: Scalar) {
    let isGap = seconds > 1.5 * interval
    let step = isGap ? .zero : value - self.value
    // Motion during a gap changes the value by an unknown amount, which is not noise.
    if isGap { roughness.interrupt() }
    roughness.add(value, after: seconds, axes: axes)
    if !isGap, isStepKnown { noteBend(step - self.step, after: seconds, axes: axes) }
    interval += 0.05 * ((seconds < 2 * interval ? seconds : 2 * interval) - interval)
    if isGap {
      // The motion during the gap is unknown, so its integral cannot be compared.
      restartComparison(at: time)
    } else {
      let part = (integrated + value) * (0.5 * seconds)
      if isPending {
        next += part
      } else {
        integral += part
        (pendingTime, pendingValue, isPending) = (time, value, true)
      }
    }
    (self.value, self.step, self.integrated, self.time) = (value, step, value, time)
    isStepKnown = !isGap
  }

  /// Updates `bend`, `peak` and `meanBend` by the change from one step to the next.
  @inline(__always)
  private mutating func noteBend(_ change: Vector3, after seconds: Scalar, axes: Scalar) {
    bend = change.dot(change) / (6 * axes)
    let fading = 0.8 * peak
    peak = bend > fading ? bend : fading
    number = number < .max ? number + 1 : number
    // The mean of all values so far, until they cover `GroupParams.memory`.
    let covered = Scalar(number) * seconds
    let share =
      covered < GroupParams.memory ? 1 / Scalar(number) : min(seconds / GroupParams.memory, 1)
    let most = GroupParams.shock * noise
    meanBend += share * ((bend < most ? bend : most) - meanBend)
  }

  /// Corrects stored values and integrals for a change of the calibration map, because they were
  /// mapped before.
  mutating func remap(_ change: RelativeCalibration.Change) {
    func corrected(_ v: Vector3, _ seconds: Scalar) -> Vector3 {
      v - change.matrix * v - change.offset * seconds
    }
    value = corrected(value, 1)
    integrated = corrected(integrated, 1)
    pendingValue = corrected(pendingValue, 1)
    compared = corrected(compared, 1)
    let pending = isPending ? pendingTime : time
    integral = corrected(integral, Scalar(pending &- from) * 1e-9)
    next = corrected(next, Scalar(time &- pending) * 1e-9)
  }

  /// Discards all integrals, and starts comparing at `time`, ns.
  mutating func restartComparison(at time: Int64) {
    (integral, next, owed, from, isPending) = (.zero, .zero, .zero, time, false)
    fromLead = nil
    pairNoise.interrupt()
  }

  /// Ends the comparison of the pending sample, at whose time the leading member was at `lead`. A
  /// newer sample becomes pending.
  @inline(__always)
  mutating func finishComparison(at lead: LeadHistory.Point?) {
    (from, fromLead, integral, next) = (pendingTime, lead, next, .zero)
    isPending = time > pendingTime
    (pendingTime, pendingValue) = (time, value)
  }

  /// The variance of the noise of a sample: that of the traits, or `meanBend` if it is larger.
  var noise: Scalar { variance > meanBend ? variance : meanBend }

  /// The part of `noise` that is not due to motion.
  var whiteNoise: Scalar { max(variance, min(meanBend, roughness.bound)) }
}

/// The shares of a member in the errors of the virtual sensor. When the member's calibration map is
/// corrected, the virtual sensor changes by these shares of the correction. They are the normalized
/// inverse variances of the errors that are expected before the first sample.
struct SensorShares: Sendable {
  private(set) var offset = 0.0
  /// The share in the scale and in the angles between the axes.
  private(set) var shape = 0.0
  /// The share in the rotation.
  private(set) var rotation = 0.0

  init() {}

  /// Creates shares that are not normalized. `typical` is a typical value of the channel at rest.
  init(_ traits: SensorTraits, rotation: Scalar, typical: Scalar) {
    let crossAxis = traits.crossAxisSigma * traits.crossAxisSigma
    let angle = traits.scaleSigma * traits.scaleSigma + crossAxis
    let slight = 1e-12
    offset =
      1 / (traits.offsetSigma * traits.offsetSigma + angle * typical * typical + slight)
    shape = 1 / (angle + slight)
    self.rotation = 1 / (crossAxis + rotation + slight)
  }

  mutating func add(_ other: SensorShares) {
    offset += other.offset
    shape += other.shape
    rotation += other.rotation
  }

  mutating func divide(by sums: SensorShares) {
    offset /= sums.offset
    shape /= sums.shape
    rotation /= sums.rotation
  }
}

/// A set of axes.
struct AxisSet: Equatable, Sendable, BitwiseCopyable {
  var x = false
  var y = false
  var z = false

  var isEmpty: Bool { !(x || y || z) }

  /// Returns `value` with zero in the axes of the set.
  func clearing(_ value: Vector3) -> Vector3 {
    Vector3(x ? 0 : value.x, y ? 0 : value.y, z ? 0 : value.z)
  }

  func union(_ other: AxisSet) -> AxisSet {
    AxisSet(x: x || other.x, y: y || other.y, z: z || other.z)
  }
}

/// The mean and the variance of a vector's norm over some seconds. The earth's magnetic field keeps
/// its norm when the device turns; the field of a motor does not.
struct NormMean: Sendable {
  private(set) var mean = 0.0
  private(set) var variance = 0.0
  private var count = 0.0

  mutating func add(_ norm: Scalar, share: Scalar) {
    count += 1
    let share = 1 / count > share ? 1 / count : share
    let stray = norm - mean
    mean += share * stray
    variance += share * (stray * stray - variance)
  }
}

/// The sums of a member's differences from the leading member over a block of time.
struct DifferenceBlock: Sendable {
  /// The integral of the differences between member and lead.
  private(set) var sum = Vector3.zero
  /// The integral of the leading member.
  private(set) var lead = Vector3.zero
  /// The time that the integrals cover, s.
  private(set) var seconds = 0.0
  /// The change of the leading member's value since the start of the block.
  private(set) var change = Vector3.zero
  /// The integral of the variance of slow errors, which averaging does not reduce.
  private(set) var steady = 0.0
  /// The integral of the variance that vibration causes.
  private(set) var shaking = 0.0

  @inline(__always)
  mutating func add(
    _ difference: Vector3, lead: Vector3, change: Vector3, seconds: Scalar, steady: Scalar,
    shaking: Scalar
  ) {
    sum += difference
    self.lead += lead
    self.change += change
    self.seconds += seconds
    self.steady += steady * seconds
    self.shaking += shaking * seconds
  }
}
