// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Tells from the acceleration alone which side of a device is up.
///
/// The acceleration is smoothed; while its magnitude is far from 1 g nothing is concluded from it;
/// one orientation gives way to another only beyond a threshold that lies well on the other's side;
/// and the other must hold for a moment. So neither a walk nor a shaking hand makes it flicker, and
/// a device that is held askew keeps the orientation it had. At rest the first sample already
/// answers.
///
/// Where no figure of UIKit's is public, those of Android's `WindowOrientationListener` are taken
/// (AOSP, `frameworks/base`, 2012), which serves the same purpose.
public struct OrientationRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// Time constant of the low-pass, s. Default 0.2, as Android's `FILTER_TIME_CONSTANT_MS`: 0.1
    /// is said to be too small there and 0.5 too large.
    public var smoothing = 0.2
    /// The largest difference of the smoothed magnitude from 1 g, g. Default 0.408: Android's
    /// `ACCELERATION_TOLERANCE` of 4 m/s2.
    public var magnitudeTolerance = 4 / 9.80665
    /// The difference of a first sample's magnitude from 1 g, g, up to which it is believed at
    /// once. Default 0.1: offsets of uncalibrated parts and the wobble of a hand at rest, and less
    /// than a step.
    public var restTolerance = 0.1
    /// The time for which a new orientation must hold, s. Default 0.2: longer than the 40 ms of
    /// Android's `PROPOSAL_SETTLE_TIME_NANOS`, whose listener asks other questions too, and longer
    /// than a swing of a shake at 3 Hz.
    public var settleTime = 0.2
    /// The time for which a device must lie flat before that counts, s. Default 1: Android's
    /// `FLAT_TIME_NANOS`. A person who walks and reads holds a phone near the threshold, and swings
    /// over it twice a second.
    public var flatTime = 1.0
    /// The longest time between two samples over which anything is remembered, s. Default 1:
    /// Android's `MAX_FILTER_DELTA_TIME_NANOS`.
    public var longestGap = 1.0
    /// Lies flat when its face is no further than this from the horizontal, degrees. Default 15:
    /// Android's `FLAT_ANGLE` of 75 degrees of tilt.
    public var flatAngle = 15.0
    /// Stands upright when its face is further than this from the horizontal, degrees. Default 25:
    /// the tilt of 65 degrees beyond which Android turns to no landscape.
    public var uprightAngle = 25.0
    /// The turn of an upright device about its z axis from one edge down that gives it the next
    /// one's orientation, degrees; 45 is halfway. Default 67.5: half of Android's
    /// `ADJACENT_ORIENTATION_ANGLE_GAP` of 45 beyond that.
    public var turnAngle = 67.5

    public init() {}
  }

  public let params: Params
  /// The newest; `unknown` until there is one.
  public private(set) var orientation = DeviceOrientation.unknown
  private var spacing: SampleSpacing
  private var smoother: LowPass
  /// The orientation that it may become, and since when.
  private var candidate = DeviceOrientation.unknown
  private var candidateSince = Timestamp.zero
  private let thresholds: Thresholds

  private struct Thresholds: Equatable, Sendable {
    /// Cosines of the angles to the vertical and to the edge that is down.
    var flat, upright, halfway, turn: Scalar
  }

  public init(_ params: Params = Params()) {
    self.params = params
    spacing = SampleSpacing(longestGap: params.longestGap)
    smoother = LowPass(.zero, tau: params.smoothing)
    thresholds = Thresholds(
      flat: Self.cosine(params.flatAngle), upright: Self.cosine(params.uprightAngle),
      halfway: Self.cosine((params.flatAngle + params.uprightAngle) / 2),
      turn: Self.cosine(params.turnAngle))
  }

  private static func cosine(_ degrees: Scalar) -> Scalar {
    cos(radians(fromDegrees: degrees))
  }

  /// Takes an acceleration in g, in device axes and Core Motion's sign: flat and face up at rest is
  /// (0, 0, -1). Returns the orientation when it has changed. Samples that are not finite or not
  /// later than the last are left out.
  public mutating func update(_ acceleration: Vector3, at time: Timestamp) -> DeviceOrientation? {
    guard acceleration.isFinite else { return nil }
    switch spacing.step(to: time) {
    case .isStale: return nil
    case .begins:
      smoother = LowPass(acceleration, tau: params.smoothing)
      candidate = orientation
      guard isNearOne(acceleration.norm, within: params.restTolerance) else { return nil }
      return become(next(acceleration))
    case .follows(let interval):
      smoother.add(acceleration, interval: interval)
    }
    let smoothed = smoother.value
    guard isNearOne(smoothed.norm, within: params.magnitudeTolerance) else {
      candidate = orientation
      return nil
    }
    let new = next(smoothed)
    if new != candidate {
      candidate = new
      candidateSince = time
    }
    let settleTime = candidate.isFlat ? params.flatTime : params.settleTime
    guard candidate != orientation, (time - candidateSince).seconds >= settleTime else {
      return nil
    }
    return become(candidate)
  }

  private mutating func become(_ new: DeviceOrientation) -> DeviceOrientation? {
    candidate = new
    guard new != orientation else { return nil }
    orientation = new
    return new
  }

  private func isNearOne(_ magnitude: Scalar, within tolerance: Scalar) -> Bool {
    magnitude >= 1 - tolerance && magnitude <= 1 + tolerance
  }

  /// Returns the orientation by `down`, given the present one.
  private func next(_ down: Vector3) -> DeviceOrientation {
    let length = down.norm
    guard length > 0 else { return orientation }
    let vertical = abs(down.z) / length
    let face = down.z < 0 ? DeviceOrientation.faceUp : .faceDown
    if orientation == .unknown {
      return vertical > thresholds.halfway ? face : Self.nearestEdge(down)
    }
    if orientation.isFlat {
      return vertical < thresholds.upright ? Self.nearestEdge(down) : face
    }
    if vertical > thresholds.flat { return face }
    // What lies this flat says little of the edges.
    guard vertical < thresholds.upright else { return orientation }
    let along = Self.edge(orientation).dot(down)
    let inFace = (down.x * down.x + down.y * down.y).squareRoot()
    return along >= thresholds.turn * inFace ? orientation : Self.nearestEdge(down)
  }

  private static func nearestEdge(_ down: Vector3) -> DeviceOrientation {
    if abs(down.y) >= abs(down.x) {
      return down.y < 0 ? .portrait : .portraitUpsideDown
    }
    return down.x < 0 ? .landscapeLeft : .landscapeRight
  }

  /// Returns the direction of the edge that is down.
  private static func edge(_ orientation: DeviceOrientation) -> Vector3 {
    switch orientation {
    case .portrait: Vector3(0, -1, 0)
    case .portraitUpsideDown: Vector3(0, 1, 0)
    case .landscapeLeft: Vector3(-1, 0, 0)
    case .landscapeRight: Vector3(1, 0, 0)
    case .unknown, .faceUp, .faceDown: Vector3.zero
    }
  }
}
