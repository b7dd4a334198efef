// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Recognises from the acceleration alone which side of a device is up.
///
/// The acceleration is smoothed, and ignored while its magnitude is far from 1 g. A change of
/// orientation must exceed a threshold well beyond the midpoint, and must last for `settleTime`.
/// Walking or an unsteady hand therefore does not make the result flicker, and a device that is
/// held at an angle keeps its orientation. At rest, the first sample gives a result.
///
/// UIKit's limits are not public. These limits are from Android's `WindowOrientationListener`
/// (AOSP, `frameworks/base`, 2012), which has the same purpose.
public struct OrientationRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The time constant of the low-pass filter in seconds. Default 0.2, Android's
    /// `FILTER_TIME_CONSTANT_MS`, whose comments call 0.1 too small and 0.5 too large.
    public var smoothing = 0.2
    /// The largest deviation of the smoothed magnitude from 1 g, in g. Default 0.408, Android's
    /// `ACCELERATION_TOLERANCE` of 4 m/s2.
    public var magnitudeTolerance = 4 / 9.80665
    /// The largest deviation from 1 g, in g, at which the first sample gives a result immediately.
    /// Default 0.1, which is enough for the offsets of uncalibrated parts and for a hand at rest,
    /// and less than the acceleration of a step.
    public var restTolerance = 0.1
    /// The time in seconds for which a new orientation must last. Default 0.2. This is longer than
    /// Android's `PROPOSAL_SETTLE_TIME_NANOS` of 40 ms, because Android also checks further
    /// conditions before it rotates the screen. It is also longer than one swing of a shake at 3
    /// Hz.
    public var settleTime = 0.2
    /// The time in seconds for which a device must lie flat. Default 1, Android's
    /// `FLAT_TIME_NANOS`. It is this long because a person who reads while walking holds a phone
    /// near the threshold, and crosses it twice a second.
    public var flatTime = 1.0
    /// The longest gap between samples, in seconds, over which the state is kept. Default 1,
    /// Android's `MAX_FILTER_DELTA_TIME_NANOS`.
    public var longestGap = 1.0
    /// The largest angle in degrees between the face of a flat device and the horizontal. Default
    /// 15, which corresponds to Android's `FLAT_ANGLE` of 75 degrees of tilt.
    public var flatAngle = 15.0
    /// The smallest angle in degrees between the face of an upright device and the horizontal.
    /// Default 25, because Android does not turn to landscape beyond a tilt of 65 degrees.
    public var uprightAngle = 25.0
    /// The rotation in degrees of an upright device about its z axis, relative to one orientation,
    /// at which the orientation changes to the next; 45 is halfway. Default 67.5: 45 plus half of
    /// Android's `ADJACENT_ORIENTATION_ANGLE_GAP` of 45.
    public var turnAngle = 67.5

    public init() {}
  }

  public let params: Params
  /// The current orientation; `unknown` before the first result.
  public private(set) var orientation = DeviceOrientation.unknown
  private var spacing: SampleSpacing
  private var smoother: LowPass
  /// The orientation that may become the next result, and the time since which it has lasted.
  private var candidate = DeviceOrientation.unknown
  private var candidateSince = Timestamp.zero
  private let thresholds: Thresholds

  private struct Thresholds: Equatable, Sendable {
    /// The cosines of the threshold angles to the vertical and to the lower edge.
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

  /// Adds an acceleration in g, in device axes and with Core Motion's sign: a device that lies flat
  /// and face up at rest measures (0, 0, -1). Returns the orientation if it has changed. Ignores
  /// samples that are not finite or not later than the last sample.
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

  /// Returns the orientation for the direction `down`. The result also depends on the current
  /// orientation.
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
    // If the device lies almost flat, the directions of its edges are not reliable.
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

  /// Returns the direction of the edge that points down in `orientation`.
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
