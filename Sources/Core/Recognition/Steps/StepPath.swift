// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The positions of the steps of a walk in a window: the sequence of cells with high values and a
/// regular period. It is found by dynamic programming over all sequences. A weak step between two
/// strong steps is kept, and the heel and toe of one step are not counted as two steps. (The method
/// is known from beat tracking in music: D. Ellis, 2007, doi:10.1080/09298210701653344.)
struct StepPath: Sendable {
  /// The penalty for a step that is early or late by the fraction `d` of a period, in units of d²
  /// times the strength of the signal.
  private static let stiffness = 20.0

  /// The indices of the steps in the window, oldest first. Only the last `count` are valid.
  private(set) var places = InlineArray<32, UInt8>(repeating: 0)
  private(set) var count = 0

  /// Creates the path of steps in a window. `anchor` is the step that was found before. If it is in
  /// the window, the path passes through it, and the new steps come after it.
  init(_ cells: Span<Float>, rhythm: StepRhythm, anchor: Int) {
    let period = rhythm.period
    let shortest = max(4, Int(0.55 * period))
    let longest = min(63, Int(1.7 * period) + 1)
    var penalty = InlineArray<64, Float>(repeating: 0)
    for lag in shortest...longest {
      let ratio = log(Scalar(lag) / period)
      penalty[lag] = Float(Self.stiffness * ratio * ratio)
    }
    var scores = StepWindow.Cells(repeating: 0)
    var score = scores.mutableSpan
    // The number of cells from a step back to the previous step; 0 for the first step.
    var back = InlineArray<160, UInt8>(repeating: 0)
    let gain = Float(1 / rhythm.strength)
    for i in 0..<StepWindow.length {
      var best: Float = 0
      var from = 0
      if i >= shortest {
        for lag in shortest...min(longest, i) {
          let value = score[i - lag] - penalty[lag]
          if value > best {
            best = value
            from = lag
          }
        }
      }
      score[i] = gain * max(-rhythm.limit, min(rhythm.limit, cells[i])) + best
      back[i] = UInt8(from)
      if i == anchor { score[i] += 3 }
      if anchor >= 0, i > anchor, i < anchor + shortest { score[i] = -1000 }
    }
    var at = StepWindow.length - 1
    for i in (StepWindow.length - Int(period) - 1)..<StepWindow.length where score[i] > score[at] {
      at = i
    }
    while count < 32 {
      count += 1
      places[32 - count] = UInt8(at)
      guard back[at] > 0 else { break }
      at -= Int(back[at])
    }
  }
}
