// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

extension Mounting {
  /// The mounting in the notation of board files: `[y, "-x", z]`, or three rows of numbers if the
  /// axes are not aligned.
  public var boardText: String {
    let rows = [
      [matrix.m11, matrix.m12, matrix.m13], [matrix.m21, matrix.m22, matrix.m23],
      [matrix.m31, matrix.m32, matrix.m33],
    ]
    let axes = rows.compactMap { row in
      row.firstIndex { abs($0) == 1 }.map { index in
        let letter = ["x", "y", "z"][index]
        return row[index] < 0 ? "\"-\(letter)\"" : letter
      }
    }
    return axes.count == 3 ? "[\(axes.joined(separator: ", "))]" : YAMLText.matrix(matrix)
  }
}
