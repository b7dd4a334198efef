// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Estimates the length of a step from the frequency and the strength of steps.
///
/// A person who walks faster takes more and longer steps, in a fixed proportion at all comfortable
/// speeds: the walk ratio (Sekiya and Nagasaki, Gait and Posture 7, 1998, 225-227). The steps of a
/// taller person are longer (Grieve and Gear, Ergonomics 9, 1966, 379-399). At the same cadence,
/// steps with a larger swing are longer, by a small power of the swing (Weinberg, Analog Devices
/// AN-602, 2002, has the fourth root).
///
/// People deviate from any such model by 15 percent or more, so a calibration walk over a known
/// distance improves the estimate the most (`scale`).
public struct StepLengthModel: Equatable, Sendable {
  /// The person's height in metres.
  public var height = 1.7
  /// The ratio of the real distance to the estimated distance, from a calibration walk.
  public var scale = 1.0

  public init(height: Scalar = 1.7, scale: Scalar = 1) {
    self.height = height
    self.scale = scale
  }

  /// The step length at ordinary cadence and swing, as a fraction of the person's height.
  /// Measurements on laboratory walkways give 0.41, but people at home and on the street walk more
  /// slowly.
  private static var length: Scalar { 0.3 }
  /// The ordinary cadence in steps per second.
  private static var cadence: Scalar { 1.75 }
  /// The ordinary swing in g.
  private static var swing: Scalar { 0.65 }
  private static var power: Scalar { 0.2 }

  /// Returns the length in metres of a step that took `interval` seconds and had a `swing` in g
  /// (see `Step`).
  public func length(interval: Scalar, swing: Scalar) -> Scalar {
    guard interval > 0, interval.isFinite else { return 0 }
    // Limit the cadence to the range from a shuffle to a sprint.
    let cadence = min(max(1 / interval, 0.7), 3.5) / Self.cadence
    let ratio = swing > 0 && swing.isFinite ? min(max(swing / Self.swing, 0.2), 8) : 1
    return scale * height * Self.length * cadence * exp(Self.power * log(ratio))
  }
}
