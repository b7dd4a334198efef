// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The accumulated evidence for walking. A second of clear walking adds 1 to 3. A second of any
/// other movement subtracts at most 0.5, because a walk outlasts a few seconds of other arm
/// movements.
struct StepEvidence: Equatable, Sendable {
  /// The evidence below which no step is detected, even during a walk.
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

  /// Adds evidence, five times a second. `nil` means that the movement has no rhythm. A walk is
  /// confirmed once the sum reaches `confirmation`.
  mutating func add(_ value: Scalar?, confirmation: Scalar) {
    let held = max(Self.range.lowerBound, min(Self.range.upperBound, value ?? -1))
    level = max(0, min(max(Self.most, confirmation), level + Self.interval * held))
    if level == 0 { isWalking = false }
    if level >= confirmation { isWalking = true }
  }

  /// Returns the evidence from a rhythm and a shape. Steps resemble one another, are neither faint
  /// nor slow, stand out, and have similar swings. The weights are rounded results of a logistic
  /// fit and a search, on recordings of people who walk, run, cycle, drive, sit, dress and work at
  /// a desk.
  static func value(_ rhythm: StepRhythm, _ shape: StepShape) -> Scalar {
    // The acceleration of a foot strike rises sharply and decays slowly. The acceleration of a leg
    // on a pedal does the opposite.
    guard rhythm.skewness > -0.5 else { return range.lowerBound }
    let slowness = max(0, log(rhythm.period * MagnitudeGrid.cell / 0.6))
    // Slow steps are soft, so strong slow movement comes from pedalling or dressing.
    let strength = max(-1.1, min(0.9 - slowness, log(rhythm.strength / 0.06)))
    return 4 * (rhythm.regularity - 0.5) + 4 * (shape.salience - 1.2) + 1.5 * strength
      - 1.4 * slowness - 0.9 * (min(shape.variation, 1.5) - 0.35) + 0.2
      - objection(rhythm)
  }

  /// Returns the evidence against steps.
  private static func objection(_ rhythm: StepRhythm) -> Scalar {
    var sum = 0.0
    // In slow steps the body hardly rises, whereas the knee of a pedalling leg does.
    if isSlow(rhythm), !rhythm.isOfStrides { sum += 10 * max(0, log(rhythm.rise / 0.037)) }
    // Quick steps are running steps, which have a flight phase. Trembling, by contrast, hardly
    // raises the device.
    if rhythm.period < quickest { sum += 2 * max(0, log(0.01 / rhythm.rise)) }
    // A leg on a pedal makes one strong movement per turn, which is sharper downwards than upwards.
    return sum + 20 * max(0, rhythm.strideShare - 0.5) * max(0, 0.1 - rhythm.skewness)
  }

  /// Returns the additional evidence against steps while the person cycles. Pedalling is slower
  /// than walking steps; the response of the body, twice per turn, is quicker.
  static func objectionOfCycling(_ rhythm: StepRhythm) -> Scalar {
    isSlow(rhythm) || rhythm.period < quickest ? 1.5 : 0.5
  }

  /// The period of 2.4 steps per second in cells; the period in `isSlow` is the period of 1.6 steps
  /// per second.
  private static var quickest: Scalar { 10.5 }

  private static func isSlow(_ rhythm: StepRhythm) -> Bool { rhythm.period > 15.5 }

  /// Returns the fraction of correct steps among those detected with this amount of evidence.
  static func confidence(_ value: Scalar) -> Scalar { 1 / (1 + exp(-value)) }
}
