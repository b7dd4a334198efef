// SPDX-License-Identifier: Apache-2.0

/// A band-pass filter for cells that passes steps from slow walking to fast running. A Gaussian of
/// 60 ms removes the vibration after foot strikes. Subtracting a mean over half a second removes
/// gravity, whose measured value is not exactly 1 g because of bias, rounding and rotation.
struct StepFilter: Equatable, Sendable {
  /// The delay of the filter's output in seconds.
  static let delay = 4 * MagnitudeGrid.cell

  private var newest = SIMD16<Float>(repeating: 0)
  private var mean: Float = 0

  var newestInput: Float { newest[8] }

  mutating func begin(_ value: Float) {
    newest = SIMD16(repeating: value)
    mean = value
  }

  mutating func add(_ value: Float) -> Float {
    for i in 0..<8 { newest[i] = newest[i + 1] }
    newest[8] = value
    // The weights of the Gaussian are exp(-k² / 2 / 1.5²) for k = 0 ... 4, scaled to a sum of 1.
    let smooth =
      0.2662 * newest[4] + 0.2131 * (newest[3] + newest[5]) + 0.1094 * (newest[2] + newest[6])
      + 0.0360 * (newest[1] + newest[7]) + 0.0084 * (newest[0] + newest[8])
    // The weight of a new cell in the mean is 1 - exp(-0.04 / 0.5).
    mean += 0.0769 * (smooth - mean)
    return smooth - mean
  }
}
