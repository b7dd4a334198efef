// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The places of a walk's steps: the row of cells that is high at its steps and keeps to a period,
/// found by dynamic programming over all rows. A step that is weak between two strong ones keeps
/// its place, and the heel and the toe of one step do not become two. (The idea is that of beat
/// tracking in music: D. Ellis, 2007, doi:10.1080/09298210701653344.)
struct StepPath: Sendable {
  /// The loss of a step that comes by a part `d` too early or late, in units of d² and of the
  /// signal's strength.
  private static let stiffness = 20.0

  /// Newest first.
  private var indices = InlineArray<32, Int>(repeating: 0)
  private(set) var count = 0

  /// Indices into the window, oldest first.
  subscript(i: Int) -> Int { indices[count - 1 - i] }

  /// Creates the path through `anchor`, which was found before, if that is in the window; then the
  /// next is after it.
  init(_ window: borrowing StepWindow, rhythm: StepRhythm, anchor: Int) {
    let period = rhythm.period
    let shortest = max(4, Int(0.55 * period))
    let longest = min(63, Int(1.7 * period) + 1)
    var penalty = InlineArray<64, Float>(repeating: 0)
    for lag in shortest...longest {
      let ratio = log(Scalar(lag) / period)
      penalty[lag] = Float(Self.stiffness * ratio * ratio)
    }
    let cells = window.cells.span
    var scores = StepWindow.Cells(repeating: 0)
    var score = scores.mutableSpan
    var previous = InlineArray<160, Int16>(repeating: -1)
    let gain = Float(1 / rhythm.strength)
    for i in 0..<StepWindow.length {
      var best: Float = 0
      var from: Int16 = -1
      if i >= shortest {
        for lag in shortest...min(longest, i) {
          let value = score[i - lag] - penalty[lag]
          if value > best {
            best = value
            from = Int16(i - lag)
          }
        }
      }
      score[i] = gain * max(-rhythm.limit, min(rhythm.limit, cells[i])) + best
      previous[i] = from
      if i == anchor { score[i] += 3 }
      if anchor >= 0, i > anchor, i < anchor + shortest { score[i] = -1000 }
    }
    var at = StepWindow.length - 1
    for i in (StepWindow.length - Int(period) - 1)..<StepWindow.length where score[i] > score[at] {
      at = i
    }
    while at >= 0, count < 32 {
      indices[count] = at
      count += 1
      at = Int(previous[at])
    }
  }
}
