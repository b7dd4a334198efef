// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// The length of one step, from the frequency of steps and their strength.
///
/// A person who walks faster takes more steps a second and longer ones, in a fixed proportion over
/// all comfortable speeds: the walk ratio (Sekiya and Nagasaki, Gait and Posture 7, 1998, 225-227),
/// and a taller person's are longer (Grieve and Gear, Ergonomics 9, 1966, 379-399). Stronger steps
/// of the same cadence are longer by a small power of their swing (Weinberg, Analog Devices AN-602,
/// 2002, has the fourth root). People differ by 15 % and more from any such model: a known distance
/// walked once is worth more than all of it (`scale`).
public struct StepLengthModel: Equatable, Sendable {
  /// Metres, of the person.
  public var height = 1.7
  /// Metres walked for each metre counted, of a distance walked for calibration.
  public var scale = 1.0

  public init(height: Scalar = 1.7, scale: Scalar = 1) {
    self.height = height
    self.scale = scale
  }

  /// A step of ordinary cadence and swing is so long, in heights. Walkways in laboratories give
  /// 0.41; people at home and on the street go slower.
  private static var length: Scalar { 0.3 }
  /// Steps a second.
  private static var cadence: Scalar { 1.75 }
  /// g.
  private static var swing: Scalar { 0.65 }
  private static var power: Scalar { 0.2 }

  /// Returns the length in metres of a step that took `interval` seconds; `swing` in g as `Step`
  /// has it.
  public func length(interval: Scalar, swing: Scalar) -> Scalar {
    guard interval > 0, interval.isFinite else { return 0 }
    // From a shuffle to a sprint.
    let cadence = min(max(1 / interval, 0.7), 3.5) / Self.cadence
    let ratio = swing > 0 && swing.isFinite ? min(max(swing / Self.swing, 0.2), 8) : 1
    return scale * height * Self.length * cadence * exp(Self.power * log(ratio))
  }
}
