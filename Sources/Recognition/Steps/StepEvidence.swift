// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The evidence for walking, added up over time: a second of clear walking counts about 1 to 3, and
/// one of anything else takes off up to a half: a walk outlasts a few seconds of other arm
/// movements.
struct StepEvidence: Equatable, Sendable {
  /// Below this value nothing is taken for a step, even in a walk.
  static let leastOfStep = 0.0
  private static let range = -0.5...3.0
  private static let most = 4.0
  private static let interval = Scalar(StepWindow.blockLength) * MagnitudeGrid.cell

  private(set) var level = 0.0
  private(set) var isWalking = false
  var confirmation: Scalar

  init(confirmation: Scalar) { self.confirmation = confirmation }

  mutating func clear() {
    level = 0
    isWalking = false
  }

  /// Adds what was found five times a second; `nil`: no rhythm.
  mutating func add(_ value: Scalar?) {
    let held = max(Self.range.lowerBound, min(Self.range.upperBound, value ?? -1))
    level = max(0, min(max(Self.most, confirmation), level + Self.interval * held))
    if level == 0 { isWalking = false }
    if level >= confirmation { isWalking = true }
  }

  /// Returns the evidence of a rhythm and a shape. The weights are rounded from a logistic fit and
  /// a search on recordings of people who walk, run, cycle, drive, sit, dress and work at a desk: a
  /// step is like the next, not faint, not slow, stands out, and measures what the others do.
  static func value(_ rhythm: StepRhythm, _ shape: StepShape) -> Scalar {
    // A foot that strikes pushes sharply up and lets go slowly. A leg on a pedal does the reverse.
    guard rhythm.skewness > -0.5 else { return range.lowerBound }
    let slowness = max(0, log(rhythm.period * MagnitudeGrid.cell / 0.6))
    // Slow steps are soft ones: strong and slow are pedals, and arms in sleeves.
    let strength = max(-1.1, min(0.9 - slowness, log(rhythm.strength / 0.06)))
    return 4 * (rhythm.regularity - 0.5) + 4 * (shape.salience - 1.2) + 1.5 * strength
      - 1.4 * slowness - 0.9 * (min(shape.variation, 1.5) - 0.35) + 0.2
  }

  /// Returns the share of the steps found at this value that is right.
  static func confidence(_ value: Scalar) -> Scalar { 1 / (1 + exp(-value)) }
}
