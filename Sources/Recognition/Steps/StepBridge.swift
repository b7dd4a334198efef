// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The number of steps of a walk that are hidden between two that were found.
///
/// A person who looks at a watch or opens a door walks on, but for a second or two the arm does
/// something else; and a wrist may show every other step for a while. When the steps before kept to
/// a period, and the device did not come to rest in between, as many steps are assumed as that
/// period has room for.
package struct StepBridge: Equatable, Sendable {
  /// Seconds; who pauses for longer may well have stood.
  private static let longest = 3.0
  /// Of the period: a step that is later than this leaves room for another.
  private static let late = 1.5
  /// The period is known after so many steps, and kept to when they differ from it by no more than
  /// this part in the mean.
  private static let leastRow = 6
  private static let mostSpread = 0.15
  /// A device that rests shows less than this part of a step's swing.
  private static let leastMotion = 0.5
  /// A third of all steps may be hidden for long, and some more for a short while.
  private static let mostDebt = 12
  private static let weight = 0.2

  /// Of the latest steps of a row: seconds from one to the next, by what part that differs from one
  /// to the next, and the swing in g.
  package private(set) var period = 0.0
  private var spread = 0.0
  private var swing = 0.0
  private var row = 0
  private var debt = 0

  /// The mean swing, g; 0 before a row is long enough to have one.
  var steadySwing: Scalar { row >= Self.leastRow ? swing : 0 }

  package init() {}

  /// Takes a step that comes `interval` seconds after the last; `motion` is from the lowest to the
  /// highest value between them in g, and so is the step's `swing`. Returns how many are hidden
  /// between the two.
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
      // The first few are needed to know the period at all.
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
