// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Recognises from the acceleration alone that the person who carries the device fell, and whether
/// the person got up again.
///
/// A fall is an impact after which the device has another orientation and is still. Jumps, runs and
/// stairs cause similar impacts, but the movement continues. People who sit down also turn the
/// device, but land softly. A dropped device is in free fall for longer than a person, whose legs
/// slow the fall. At least 25 samples per second are needed.
///
/// The limits were chosen with simulated falls of 24 people who carried a phone in a trouser pocket
/// (MobiFall 2), and tested with the falls of 24 other people who wore a sensor at the waist
/// (SisFall). docs/movement.md gives the error rates for both.
public struct PersonFallRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The minimum peak acceleration of a fall in g. Default 2.
    public var impact = 2.0
    /// The minimum angle in radians by which a fall turns the device. Default 0.785 (45 degrees).
    public var turn = 0.785
    /// The largest variation of the acceleration (RMS) in g while the person lies. Default 0.2.
    public var stillness = 0.2
    /// The acceleration in g below which the device is in free fall. Default 0.35.
    public var weightless = 0.35
    /// The duration of free fall in seconds after which the device counts as dropped. Default 0.2,
    /// a fall of 20 cm.
    public var longestDrop = 0.2
    /// The time in seconds for which the person is observed after a fall. Default 60.
    public var aftermath = 60.0

    public init() {}
  }

  /// An impact that has not been classified yet.
  private struct Impact: Equatable, Sendable, BitwiseCopyable {
    var fall: Fall
    /// The direction of gravity before the impact.
    var before: Vector3
    var begin: Timestamp
    /// The time of the last acceleration that was about as strong as the peak of this impact.
    var last: Timestamp
    /// The number and the sums of the samples during the time in which the person should be lying.
    var count = 0
    var sum = Vector3.zero
    var squares = 0.0
  }

  /// A fall after which the person is being observed.
  private struct Lying: Equatable, Sendable, BitwiseCopyable {
    var fall: Fall
    var down: Vector3
    var since: Timestamp
    /// The number of consecutive blocks of samples in which gravity had another direction.
    var turned = 0
  }

  public let params: Params
  private var spacing = SampleSpacing(longestGap: 0.5)
  private var smoothed = Vector3.zero
  /// The mean acceleration in each of the latest blocks, each a quarter of a second long.
  private var blocks = Latest<10, Vector3>(placeholder: .zero)
  private var blockSum = Vector3.zero
  private var blockCount = 0
  private var blockBegin = Timestamp.zero
  /// The start of the current free fall, and the last time at which a free fall was too long for a
  /// person.
  private var dropBegin: Timestamp?
  private var dropped: Timestamp?
  private var impact: Impact?
  private var lying: Lying?

  /// The fraction of `Params.impact` above which a peak belongs to an impact.
  private static let hardness = 0.9
  /// The time in seconds without a peak after which an impact has ended. The samples after the
  /// impact then show whether it was a fall.
  private static let settling = 1.0
  private static let judged = 2.0
  /// The longest sequence of acceleration peaks, in seconds, that can be a fall.
  private static let longest = 5.0
  /// The length in seconds of the blocks over which the acceleration is averaged.
  private static let block = 0.25

  public init(_ params: Params = Params()) { self.params = params }

  /// Adds an acceleration in g, gravity included, in any axes and with either sign. Returns a fall
  /// three seconds after its last peak, and once more when the person's behaviour after it is
  /// known. Ignores samples that are not finite or not later than the last sample.
  public mutating func update(_ acceleration: Vector3, at time: Timestamp) -> Fall? {
    guard acceleration.isFinite else { return nil }
    switch spacing.step(to: time) {
    case .isStale: return nil
    case .begins:
      defer { begin(acceleration, at: time) }
      return interrupt()
    case .follows(let interval):
      // The time constant is one hundredth of a second, because the case of a device vibrates
      // faster than a body moves.
      smoothed.approach(acceleration, interval: interval, tau: 0.01)
    }
    let strength = smoothed.norm
    watchDrop(strength, at: time)
    let blockEnded = addToBlock(acceleration, at: time)
    if let fall = followImpact(strength, acceleration, at: time) { return fall }
    return blockEnded ? followAftermath(at: time) : nil
  }

  /// Discards an impact in progress, because samples will pause. If a fall is still being observed,
  /// returns that fall; its aftermath stays unknown.
  public mutating func interrupt() -> Fall? {
    impact = nil
    return lying.take()?.fall
  }

  private mutating func begin(_ acceleration: Vector3, at time: Timestamp) {
    smoothed = acceleration
    blocks.removeAll()
    (blockSum, blockCount, blockBegin) = (.zero, 0, time)
    (dropBegin, dropped) = (nil, nil)
  }

  private mutating func watchDrop(_ strength: Scalar, at time: Timestamp) {
    guard strength < params.weightless else {
      dropBegin = nil
      return
    }
    let begin = dropBegin ?? time
    dropBegin = begin
    if (time - begin).seconds >= params.longestDrop { dropped = time }
  }

  /// Adds an acceleration to the current block. Returns true if the block is complete.
  private mutating func addToBlock(_ acceleration: Vector3, at time: Timestamp) -> Bool {
    blockSum += acceleration
    blockCount += 1
    guard (time - blockBegin).seconds >= Self.block else { return false }
    blocks.append(blockSum / Scalar(blockCount))
    (blockSum, blockCount, blockBegin) = (.zero, 0, time)
    return true
  }

  /// Returns gravity before an impact that starts now: the mean from 2.5 to 1 s before the impact,
  /// or of the part for which there are samples.
  private mutating func before() -> Vector3? {
    guard blocks.count > 0 else { return nil }
    let taken = max(blocks.count - 4, 1)
    var sum = Vector3.zero
    for index in 0..<taken { sum += blocks[index] }
    return sum / Scalar(taken)
  }

  private mutating func followImpact(
    _ strength: Scalar, _ acceleration: Vector3, at time: Timestamp
  ) -> Fall? {
    let isHard = strength >= Self.hardness * params.impact
    guard var current = impact else {
      guard isHard, let before = before() else { return nil }
      // If a free fall came just before, the device was dropped or thrown, so this is not a fall by
      // the person.
      if let dropped, (time - dropped).seconds < 1 { return nil }
      let fall = Fall(timestamp: time, impact: strength, turn: 0)
      impact = Impact(fall: fall, before: before, begin: time, last: time)
      return nil
    }
    if isHard {
      current.last = time
      (current.count, current.sum, current.squares) = (0, .zero, 0)
      if strength > current.fall.impact {
        (current.fall.impact, current.fall.timestamp) = (strength, time)
      }
      impact = (time - current.begin).seconds < Self.longest ? current : nil
      return nil
    }
    let rest = (time - current.last).seconds
    if rest >= Self.settling {
      current.count += 1
      current.sum += acceleration
      current.squares += acceleration.dot(acceleration)
    }
    impact = current
    guard rest >= Self.settling + Self.judged else { return nil }
    impact = nil
    return judge(current, at: time)
  }

  private mutating func judge(_ impact: Impact, at time: Timestamp) -> Fall? {
    let mean = impact.sum / Scalar(impact.count)
    let variance = impact.squares / Scalar(impact.count) - mean.dot(mean)
    var fall = impact.fall
    fall.turn = impact.before.angle(to: mean)
    guard fall.impact >= params.impact, fall.turn >= params.turn,
      variance <= params.stillness * params.stillness
    else { return nil }
    lying = Lying(fall: fall, down: mean, since: time)
    return fall
  }

  /// Returns the observed fall if the newest block shows whether the person got up.
  private mutating func followAftermath(at time: Timestamp) -> Fall? {
    guard var watched = lying, let newest = blocks.last else { return nil }
    watched.turned = newest.angle(to: watched.down) >= params.turn ? watched.turned + 1 : 0
    // The new direction must last for two seconds. Turning over in bed takes less time.
    let hasRisen = Scalar(watched.turned) * Self.block >= 2
    let isOver = (time - watched.since).seconds >= params.aftermath
    guard hasRisen || isOver else {
      lying = watched
      return nil
    }
    lying = nil
    watched.fall.aftermath = hasRisen ? .roseAgain : .stayedDown
    return watched.fall
  }
}

extension Vector3 {
  /// Returns the angle to the vector `other` in radians.
  fileprivate func angle(to other: Vector3) -> Scalar { atan2(cross(other).norm, dot(other)) }
}
