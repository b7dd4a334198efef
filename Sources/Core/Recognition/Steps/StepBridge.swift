// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Estimates the number of steps in a walk that were missed between two detected ones.
///
/// A person who looks at a watch or opens a door keeps walking, but for a second or two the arm
/// moves differently; and a wrist may show only every other step for a while. If the previous steps
/// had a regular period, and the device did not come to rest in between, the number of steps that
/// fit into the interval is assumed.
package struct StepBridge: Equatable, Sendable {
  /// The longest interval in seconds; in a longer one the person may have stood.
  private static let longest = 3.0
  /// The multiple of the period from which a step is late enough for another one in between.
  private static let late = 1.5
  /// The period is known after this many steps, and regular if their mean deviation is at most this
  /// fraction.
  private static let leastRow = 6
  private static let mostSpread = 0.15
  /// A device at rest shows less than this fraction of a step's swing.
  private static let leastMotion = 0.5
  /// A third of all steps may be missed permanently, and some more for a short time.
  private static let mostDebt = 12
  private static let weight = 0.2

  /// Averages over the latest steps of a sequence: seconds between steps, their relative variation,
  /// and the swing in g.
  package private(set) var period = 0.0
  private var spread = 0.0
  private var swing = 0.0
  private var row = 0
  private var debt = 0

  /// The mean swing, g; 0 before a sequence is long enough.
  var steadySwing: Scalar { row >= Self.leastRow ? swing : 0 }

  package init() {}

  /// Adds a step `interval` seconds after the last; `motion` is the range of values between them in
  /// g, and `swing` that of the step. Returns the number of missed steps between the two.
  package mutating func add(interval: Scalar, swing newest: Scalar, motion: Scalar) -> Int {
    guard interval <= Self.longest else {
      row = 0
      return 0
    }
    guard row > 0 else {
      self = StepBridge()
      period = interval
      swing = newest
      row = 1
      return 0
    }
    let ratio = interval / period
    if ratio < Self.late {
      let weight = max(Self.weight, 1 / Scalar(row + 1))
      // The first few steps only determine the period.
      spread = row > 4 ? spread + Self.weight * (abs(ratio - 1) - spread) : Self.weight
      period += weight * (interval - period)
      swing += weight * (newest - swing)
      row = min(row + 1, Self.leastRow)
      debt = max(0, debt - 1)
      return 0
    }
    guard row >= Self.leastRow, spread < Self.mostSpread, debt < Self.mostDebt,
      motion > Self.leastMotion * swing
    else {
      row = 0
      return 0
    }
    let hidden = Int(ratio.rounded()) - 1
    debt += 2 * hidden
    return hidden
  }
}
