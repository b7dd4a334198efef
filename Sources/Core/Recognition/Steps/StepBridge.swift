// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Estimates the number of steps in a walk that were missed between two detected steps.
///
/// A person who looks at a watch or opens a door keeps walking, but for a second or two the arm
/// moves differently. A wrist may also show only every second step for some time. If the previous
/// steps had a regular period, and the device did not come to rest in between, the number of steps
/// that fit into the interval is assumed.
package struct StepBridge: Equatable, Sendable {
  /// The longest interval between two steps, in seconds, in which missed steps are estimated; in a
  /// longer one the person may have stood.
  private static let longest = 3.0
  /// The interval between two steps, as a multiple of the period, from which a step was missed in
  /// between.
  private static let late = 1.5
  /// The number of steps after which the period is known, and the largest mean deviation, as a
  /// fraction of the period, at which the period counts as regular.
  private static let leastRow = 6
  private static let mostSpread = 0.15
  /// The fraction of a step's swing below which the device counts as at rest.
  private static let leastMotion = 0.5
  /// The limit of missed steps: permanently a third of all steps, and some more for a short time.
  private static let mostDebt = 12
  private static let weight = 0.2

  /// The averages over the latest steps of a sequence: the seconds between steps, their relative
  /// variation, and the swing in g.
  package private(set) var period = 0.0
  private var spread = 0.0
  private var swing = 0.0
  private var row = 0
  private var debt = 0

  /// The mean swing of the steps in g; 0 before the sequence of steps is long enough.
  var steadySwing: Scalar { row >= Self.leastRow ? swing : 0 }

  package init() {}

  /// Adds a step `interval` seconds after the last step. `motion` is the range in g of the values
  /// between the two steps, and `swing` that of the step. Returns the number of missed steps
  /// between the two steps.
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
      // The first four steps only determine the period between steps.
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
