// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A comparison of acceleration with gravity. The acceleration should contain gravity, and in
/// device axes gravity should turn as the rotation rate says.
struct GravityCheck: Sendable {
  /// The length of a comparison in seconds. The comparison is longer than a vibration and shorter
  /// than most movements.
  private static let window = 0.5
  /// The longest interval in seconds between two samples over which a rate can be integrated.
  private static let longestInterval = 0.1
  private static let degree = Double.pi / 180

  /// The direction of gravity in device axes at the start of the window, and two predictions from
  /// it: one with the rotation rate in rad/s, and one with the rate as if it were in deg/s.
  private var start: (time: Timestamp, norm: Double)?
  private var radians = Vector3.zero
  private var degrees = Vector3.zero
  private var rateTime: Timestamp?
  private var turned = 0.0
  /// The sums over all windows of the squared angles between predicted and measured gravity, in
  /// rad^2.
  private var errorOfRadians = 0.0
  private var errorOfDegrees = 0.0
  private var turns = 0

  /// For one window: the sum of the acceleration vectors, the sum of their norms, and the number of
  /// vectors.
  private var sum = Vector3.zero
  private var sizes = 0.0
  private var constantShares = 0.0
  private var constants = 0
  private var norms = 0.0
  private var count = 0

  mutating func add(_ sample: Sample) {
    let time = sample.timestamp
    if sample.channels.contains(.rotationRate) { turn(by: sample.rotationRate, at: time) }
    if sample.channels.contains(.acceleration) { compare(sample.acceleration, at: time) }
  }

  private mutating func turn(by rate: Vector3, at time: Timestamp) {
    defer { rateTime = time }
    guard start != nil, let rateTime else { return }
    let interval = (time - rateTime).seconds
    let angle = rate.norm * interval
    // A turn of half a revolution or more between two samples is ambiguous.
    guard interval >= 0, interval < Self.longestInterval, angle < 3 else {
      start = nil
      return
    }
    turned += angle
    // A direction that is fixed in the world turns in the opposite sense in device axes.
    radians = Quaternion(rotationVector: rate * -interval).rotate(radians)
    degrees = Quaternion(rotationVector: rate * (-interval * Self.degree)).rotate(degrees)
  }

  private mutating func compare(_ acceleration: Vector3, at time: Timestamp) {
    let norm = acceleration.norm
    guard norm > 0, norm < 1e4 else { return }
    count += 1
    norms += norm
    sum += acceleration
    sizes += norm
    guard let start else { return begin(acceleration, norm, at: time) }
    let length = (time - start.time).seconds
    guard length >= Self.window else { return }
    if length < 2 * Self.window {
      // A turn within the window shortens the mean vector, so windows with turns are not used.
      if turned < 0.5 {
        constantShares += sum.norm / sizes
        constants += 1
      }
      let mean = norms / Double(count)
      let isGravity = { (norm: Double) in norm > 0.8 * mean && norm < 1.25 * mean }
      if isGravity(norm), isGravity(start.norm), rateTime != nil {
        let now = acceleration / norm
        errorOfRadians += (now - radians).dot(now - radians)
        errorOfDegrees += (now - degrees).dot(now - degrees)
        turns += 1
      }
    }
    begin(acceleration, norm, at: time)
  }

  private mutating func begin(_ acceleration: Vector3, _ norm: Double, at time: Timestamp) {
    start = (time, norm)
    radians = acceleration / norm
    degrees = radians
    turned = 0
    sum = .zero
    sizes = 0
  }

  /// True if the rotation rate agrees with the turn of gravity when the rate is read in deg/s but
  /// not in rad/s. A mean error above 0.1 rad in half a second cannot be caused by a bias.
  var turnsInDegrees: Bool {
    turns >= 4 && errorOfRadians > 0.01 * Double(turns) && errorOfRadians > 4 * errorOfDegrees
  }

  /// Returns a warning that acceleration lacks gravity; `nil` if acceleration contains it.
  /// `mean` is the mean magnitude of acceleration in g.
  func warning(mean: Double) -> String? {
    guard count >= 10 else { return nil }
    let isSmall = mean < 0.5
    let changes = constants >= 5 && constantShares < 0.4 * Double(constants)
    guard isSmall || changes else { return nil }
    let reason =
      isSmall ? "is \(RecordingPlausibility.short(mean)) g on the mean" : "has no constant part"
    return "acceleration \(reason), as if gravity had been removed; fusion needs it for the "
      + "horizon: record the acceleration with gravity"
  }
}
