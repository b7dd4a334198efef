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

  mutating func clear() {
    level = 0
    isWalking = false
  }

  /// Adds what was found five times a second; `nil`: no rhythm. So much is a walk.
  mutating func add(_ value: Scalar?, confirmation: Scalar) {
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
      - objection(rhythm)
  }

  /// Returns what speaks against feet.
  private static func objection(_ rhythm: StepRhythm) -> Scalar {
    var sum = 0.0
    // Who takes slow steps hardly rises; a leg on a pedal does, with its knee.
    if isSlow(rhythm), !rhythm.isOfStrides { sum += 10 * max(0, log(rhythm.rise / 0.037)) }
    // Who takes quick steps runs, and flies; what trembles is something else.
    if rhythm.period < quickest { sum += 2 * max(0, log(0.01 / rhythm.rise)) }
    // A leg on a pedal is loud once a turn, and goes down more sharply than up.
    return sum + 20 * max(0, rhythm.strideShare - 0.5) * max(0, 0.1 - rhythm.skewness)
  }

  /// Returns what speaks against feet of one who is known to cycle, beside that: pedals are slower
  /// than the steps of a walk, and what they make a body do half a turn later is quicker.
  static func objectionOfCycling(_ rhythm: StepRhythm) -> Scalar {
    isSlow(rhythm) || rhythm.period < quickest ? 1.5 : 0.5
  }

  /// Cells: 1.6 and 2.4 steps a second.
  private static var quickest: Scalar { 10.5 }

  private static func isSlow(_ rhythm: StepRhythm) -> Bool { rhythm.period > 15.5 }

  /// Returns the share of the steps found at this value that is right.
  static func confidence(_ value: Scalar) -> Scalar { 1 / (1 + exp(-value)) }
}
