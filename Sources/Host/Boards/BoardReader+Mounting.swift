// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

extension BoardReader {
  mutating func mounting(_ chip: Fields, _ key: String = "mounting") -> Mounting {
    guard let field = chip[key] else { return Mounting() }
    guard case .sequence(let items) = field.value.content, items.count == 3 else {
      var found = field.value.shown
      if case .sequence(let items) = field.value.content { found = "a list of \(items.count)" }
      let text = field.value.text ?? ""
      report(
        field.position, "'\(field.key.name)' is \(found)", expected: field.key.noun,
        hint: text.contains(",") ? "put it in brackets: [\(text)]" : nil)
      return Mounting()
    }
    let isMatrix = items.contains { if case .sequence = $0.content { true } else { false } }
    let matrix = isMatrix ? matrix(field) : axes(field, items)
    return matrix.map(Mounting.init) ?? Mounting()
  }

  // MARK: - Three axes

  private struct Axis: Equatable {
    var index: Int
    var sign: Double

    static let letters = ["x", "y", "z"]

    init(index: Int, sign: Double) {
      self.index = index
      self.sign = sign
    }

    init?(_ text: String) {
      let word = text.lowercased()
      let letter = word.drop { $0 == "-" || $0 == "+" }
      guard word.count - letter.count <= 1, let index = Self.letters.firstIndex(of: String(letter))
      else { return nil }
      self.init(index: index, sign: word.hasPrefix("-") ? -1 : 1)
    }

    var name: String { (sign < 0 ? "-" : "") + Self.letters[index] }

    var vector: Vector3 {
      switch index {
      case 0: Vector3(sign, 0, 0)
      case 1: Vector3(0, sign, 0)
      default: Vector3(0, 0, sign)
      }
    }
  }

  private mutating func axes(_ field: Field, _ items: [YAMLTree]) -> Matrix3? {
    var axes: [Axis] = []
    for item in items {
      guard let axis = item.text.flatMap(Axis.init) else {
        report(
          item.position, "an axis of '\(field.key.name)' is \(item.shown)",
          expected: "x, y or z, with a '-' before it where it points the other way")
        continue
      }
      if axes.contains(where: { $0.index == axis.index }) {
        report(
          item.position, "axis '\(Axis.letters[axis.index])' is in '\(field.key.name)' twice",
          expected: "each of x, y and z once")
        return nil
      }
      axes.append(axis)
    }
    guard axes.count == 3 else { return nil }
    let matrix = Matrix3(rows: axes[0].vector, axes[1].vector, axes[2].vector)
    guard matrix.determinant > 0 else {
      let third = Axis(index: axes[2].index, sign: -axes[2].sign)
      let written = axes.map { $0.name }.joined(separator: ", ")
      report(
        field.position, "'\(field.key.name)' [\(written)] is a mirror image (left-handed)",
        expected: "a rotation",
        hint: "with \(axes[0].name) and \(axes[1].name) first, the third is \(third.name)")
      return nil
    }
    return matrix
  }

  // MARK: - A matrix

  /// The largest deviation of a matrix from a rotation. The error from rounding to four digits
  /// stays below this limit.
  private static let tolerance = 1e-3

  private mutating func matrix(_ field: Field) -> Matrix3? {
    guard let numbers = rows(field.value, of: field.key) else { return nil }
    let rows = numbers.map { Vector3($0[0], $0[1], $0[2]) }
    for (index, row) in rows.enumerated() where abs(row.norm - 1) > Self.tolerance {
      report(
        field.position, "row \(index + 1) of '\(field.key.name)' has length \(row.norm.short)",
        expected: "length 1", hint: "its rows are the device's axes as seen by the chip")
      return nil
    }
    for (a, b) in [(0, 1), (0, 2), (1, 2)] where abs(rows[a].dot(rows[b])) > Self.tolerance {
      report(
        field.position, "rows \(a + 1) and \(b + 1) of '\(field.key.name)' are not at right angles",
        expected: "a rotation")
      return nil
    }
    let matrix = Matrix3(rows: rows[0], rows[1], rows[2])
    guard matrix.determinant > 0 else {
      report(
        field.position, "'\(field.key.name)' is a mirror image (its determinant is -1)",
        expected: "a rotation", hint: "negate one row; the third if the first two are right")
      return nil
    }
    return Self.orthonormal(matrix)
  }

  /// Returns the rotation nearest to `matrix`. The matrix is close to a rotation, so its transpose
  /// is close to its inverse.
  private static func orthonormal(_ matrix: Matrix3) -> Matrix3 {
    var x = Vector3(matrix.m11, matrix.m12, matrix.m13)
    var y = Vector3(matrix.m21, matrix.m22, matrix.m23)
    // Half of the component that the first two rows have in common is subtracted from each of these
    // rows. The third row follows from the first two.
    let lean = x.dot(y) / 2
    (x, y) = (x - lean * y, y - lean * x)
    y -= x.dot(y) / x.dot(x) * x
    guard let first = x.normalized, let second = y.normalized else { return matrix }
    return Matrix3(rows: first, second, first.cross(second))
  }
}
