// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The newest six seconds of the filtered magnitude in g, oldest first, in the cells of a
/// `MagnitudeGrid`.
struct StepWindow: Equatable, Sendable {
  static let length = 160
  /// The number of cells that are used to find the rhythm: the newest four seconds, which contain
  /// three steps of the slowest walk.
  static let judged = 100
  static let blockLength = 5
  typealias Cells = InlineArray<160, Float>
  /// A block of five cells. The last three elements of the vector are unused.
  typealias Block = SIMD8<Float>

  private(set) var cells = Cells(repeating: 0)

  /// Removes the oldest block of five cells and appends the newest block.
  mutating func append(_ newest: Block) {
    let kept = Self.length - Self.blockLength
    for i in 0..<kept { cells[i] = cells[i + Self.blockLength] }
    for i in 0..<Self.blockLength { cells[kept + i] = newest[i] }
  }

  /// Writes to `freed` the part of the signal that repeats with each step of this period. Each
  /// value is averaged with the values one step before and one step after it. This removes the part
  /// that repeats only with each stride.
  mutating func free(_ freed: inout Cells, ofStridesOf period: Scalar) {
    let lag = Int(period.rounded())
    for i in 0..<Self.length {
      let before = i >= lag ? cells[i - lag] : cells[i + lag]
      let after = i + lag < Self.length ? cells[i + lag] : cells[i - lag]
      freed[i] = 0.5 * cells[i] + 0.25 * (before + after)
    }
  }

  static func == (a: Self, b: Self) -> Bool {
    for i in 0..<length where a.cells[i] != b.cells[i] { return false }
    return true
  }
}

// Functions for any cells. They take spans, because passing an array would copy it.
extension StepWindow {
  /// Returns the range of the values in the cells from `first` to `last` that are within the
  /// window.
  static func range(_ cells: Span<Float>, from first: Int, to last: Int) -> Float {
    guard max(first, 0) < min(last, length) else { return 0 }
    var lowest = cells[max(first, 0)]
    var highest = lowest
    for i in max(first, 0)..<min(last, length) {
      lowest = min(lowest, cells[i])
      highest = max(highest, cells[i])
    }
    return highest - lowest
  }

  /// Returns the size of the wave that has its peak at `index`: its rise on the lower side, and its
  /// rise on the higher side. The values are clipped to plus and minus `limit`.
  static func wave(
    _ cells: Span<Float>, at index: Int, period: Scalar, limit: Float
  ) -> (prominence: Float, swing: Float) {
    let reach = Int(0.7 * period)
    let near = max(1, Int(0.2 * period))
    let first = max(0, index - reach)
    let last = min(length - 1, index + reach)
    var peak = cells[index]
    for i in max(0, index - near)...min(length - 1, index + near) {
      peak = max(peak, cells[i])
    }
    peak = min(peak, limit)
    var before = peak
    var after = peak
    for i in first...index { before = min(before, cells[i]) }
    for i in index...last { after = min(after, cells[i]) }
    before = max(before, -limit)
    after = max(after, -limit)
    return (min(peak - before, peak - after), peak - min(before, after))
  }
}
