// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The properties that the steps of a path have in common.
struct StepShape: Equatable, Sendable {
  /// The smallest rise of a step relative to the rise of its neighbouring steps.
  static let leastProminence: Float = 0.25

  /// The mean prominence of the steps' peaks in g.
  var prominence: Float
  /// The mean prominence of the peaks relative to the root mean square of the signal.
  var salience: Scalar
  /// The standard deviation of the steps' swings relative to their mean.
  var variation: Scalar

  /// Creates the shape from the steps in the evaluated part of the window; `nil` if there are fewer
  /// than two steps.
  init?(_ cells: Span<Float>, rhythm: StepRhythm, path: Span<UInt8>) {
    var count = 0.0
    var rise: Float = 0
    var peaks: Float = 0
    var sum = 0.0
    var squares = 0.0
    for step in 0..<path.count {
      let place = Int(path[step])
      guard place >= StepWindow.length - StepWindow.judged else { continue }
      let wave = StepWindow.wave(cells, at: place, period: rhythm.period, limit: rhythm.limit)
      let swing = Scalar(wave.swing)
      rise += wave.prominence
      peaks += max(-rhythm.limit, min(rhythm.limit, cells[place]))
      sum += swing
      squares += swing * swing
      count += 1
    }
    guard count > 1, sum > 0 else { return nil }
    let mean = sum / count
    prominence = rise / Float(count)
    salience = Scalar(peaks) / count / rhythm.strength
    variation = sqrt(max(0, squares / count - mean * mean)) / mean
  }
}
