// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Tells from the acceleration alone that the bearer of a device fell, and whether they rose again.
///
/// A fall is an impact after which the device lies turned and still. Jumps, runs and stairs are as
/// hard and go on; people who sit down turn, and land softly; a device that is dropped falls freely
/// for longer than a body, which its legs hold. Needs 25 samples a second or more.
///
/// The limits were chosen on falls that were played by 24 people with a telephone in a trouser
/// pocket (MobiFall 2), and tried on those of 24 others with a sensor at the waist (SisFall):
/// docs/movement.md has the errors of both.
public struct FallRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The hardest impact of a fall is at least this, g. Default 2.
    public var impact = 2.0
    /// The angle by which a fall turns the device, radians. Default 0.785 (45 degrees).
    public var turn = 0.785
    /// The acceleration of one who lies varies by less than this, g (RMS). Default 0.2.
    public var stillness = 0.2
    /// Below this, g, a device falls freely. Default 0.35.
    public var weightless = 0.35
    /// A device that falls freely for so long was dropped, s. Default 0.2 (20 cm).
    public var longestDrop = 0.2
    /// The time for which the bearer is watched afterwards, s. Default 60.
    public var aftermath = 60.0

    public init() {}
  }

  /// An impact, until it is judged.
  private struct Impact: Equatable, Sendable, BitwiseCopyable {
    var fall: Fall
    /// Gravity before it.
    var before: Vector3
    var begin: Timestamp
    /// The last acceleration that was as hard.
    var last: Timestamp
    /// Sums over the time in which the bearer is to lie.
    var count = 0
    var sum = Vector3.zero
    var squares = 0.0
  }

  /// A fall whose aftermath is watched.
  private struct Lying: Equatable, Sendable, BitwiseCopyable {
    var fall: Fall
    var down: Vector3
    var since: Timestamp
    /// Blocks in a row in which gravity points elsewhere.
    var turned = 0
  }

  public let params: Params
  private var spacing = SampleSpacing(longestGap: 0.5)
  private var smoothed = Vector3.zero
  /// Means of the last quarters of a second.
  private var blocks = Latest<10, Vector3>(placeholder: .zero)
  private var blockSum = Vector3.zero
  private var blockCount = 0
  private var blockBegin = Timestamp.zero
  /// Since when the device has fallen freely, and until when it last did for too long.
  private var dropBegin: Timestamp?
  private var dropped: Timestamp?
  private var impact: Impact?
  private var lying: Lying?

  /// Blows of this part of `Params.impact` count to an impact.
  private static let hardness = 0.9
  /// An impact is over when there was no blow for so long, s, and is judged by what follows.
  private static let settling = 1.0
  private static let judged = 2.0
  /// Blows that go on for longer than this, s, are no fall.
  private static let longest = 5.0
  /// Seconds of a block.
  private static let block = 0.25

  public init(_ params: Params = Params()) { self.params = params }

  /// Takes an acceleration in g with gravity, in any axes and of either sign. Returns a fall three
  /// seconds after its last blow, and again when its aftermath is known. Samples that are not
  /// finite or not later than the last are left out.
  public mutating func update(_ acceleration: Vector3, at time: Timestamp) -> Fall? {
    guard acceleration.isFinite else { return nil }
    switch spacing.step(to: time) {
    case .isStale: return nil
    case .begins:
      defer { begin(acceleration, at: time) }
      return interrupt()
    case .follows(let interval):
      // A hundredth of a second: the ringing of a case is faster than a body.
      smoothed.approach(acceleration, interval: interval, tau: 0.01)
    }
    let strength = smoothed.norm
    watchDrop(strength, at: time)
    let blockEnded = addToBlock(acceleration, at: time)
    if let fall = followImpact(strength, acceleration, at: time) { return fall }
    return blockEnded ? followAftermath(at: time) : nil
  }

  /// Forgets what is under way: samples will not come for a while. Returns a fall whose aftermath
  /// will not be known.
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

  /// Returns true where a block has ended.
  private mutating func addToBlock(_ acceleration: Vector3, at time: Timestamp) -> Bool {
    blockSum += acceleration
    blockCount += 1
    guard (time - blockBegin).seconds >= Self.block else { return false }
    blocks.append(blockSum / Scalar(blockCount))
    (blockSum, blockCount, blockBegin) = (.zero, 0, time)
    return true
  }

  /// Returns gravity before an impact that begins now: from 2.5 to 1 s before it, or what there is
  /// of that.
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
      // What fell freely until just now was dropped, or thrown.
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

  /// Returns the watched fall when a block shows how it went on.
  private mutating func followAftermath(at time: Timestamp) -> Fall? {
    guard var watched = lying, let newest = blocks.last else { return nil }
    watched.turned = newest.angle(to: watched.down) >= params.turn ? watched.turned + 1 : 0
    // Two seconds: who turns over in bed stays less.
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
  /// Returns the angle to another direction, radians.
  fileprivate func angle(to other: Vector3) -> Scalar { atan2(cross(other).norm, dot(other)) }
}
