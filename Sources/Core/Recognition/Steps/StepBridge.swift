// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Estimates the number of steps in a walk that were missed between two detected steps.
///
/// A person who looks at a watch or opens a door keeps walking, but moves the arm differently for a
/// second or two. A sensor on the wrist may also show only every second step for some time. If the
/// previous steps had a regular period, and the device did not come to rest in the meantime, the
/// missing steps are assumed: as many as fit into the interval.
package struct StepBridge: Equatable, Sendable {
  /// The longest interval between two steps, in seconds, for which missed steps are estimated. In a
  /// longer interval the person may have stood still.
  private static let longest = 3.0
  /// The smallest interval between two steps, as a multiple of the period, in which a step was
  /// missed.
  private static let late = 1.5
  /// The number of steps after which the period is known, and the largest mean deviation, as a
  /// fraction of the period, up to which the period counts as regular.
  private static let leastRow = 6
  private static let mostSpread = 0.15
  /// The fraction of the swing of a step below which the device counts as at rest.
  private static let leastMotion = 0.5
  /// The limit for missed steps: a third of all steps in the long term, and a few more for a short
  /// time.
  private static let mostDebt = 12
  private static let weight = 0.2

  /// Averages over the latest steps of a sequence: the time in seconds between steps, its relative
  /// variation, and the swing in g.
  package private(set) var period = 0.0
  private var spread = 0.0
  private var swing = 0.0
  private var row = 0
  private var debt = 0

  /// The mean swing of the steps in g; 0 until the sequence of steps is long enough.
  var steadySwing: Scalar { row >= Self.leastRow ? swing : 0 }

  package init() {}

  /// Adds a step `interval` seconds after the last step. `motion` is the range in g of the values
  /// between the two steps; `swing` is the swing of the new step. Returns the number of steps that
  /// were missed between the two.
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
      // The first four steps only determine the period.
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
