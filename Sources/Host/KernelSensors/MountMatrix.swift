// SPDX-License-Identifier: Apache-2.0
package import Quantities

extension Matrix3 {
  /// Reads a matrix as the kernel and udev write it: nine numbers, rows separated by semicolons,
  /// such as `0, 1, 0; 1, 0, 0; 0, 0, -1`. Returns `nil` if the text has another form.
  package init?(kernel text: some StringProtocol) {
    let rows = text.split(separator: ";").map { row in
      row.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\n" }).compactMap { Double($0) }
    }
    guard rows.count == 3, rows.allSatisfy({ $0.count == 3 && $0.allSatisfy(\.isFinite) }) else {
      return nil
    }
    func row(_ index: Int) -> Vector3 {
      Vector3(Scalar(rows[index][0]), Scalar(rows[index][1]), Scalar(rows[index][2]))
    }
    self.init(rows: row(0), row(1), row(2))
  }

  /// True if the matrix is a rotation, within the digits that people write.
  package var isRotation: Bool {
    let square = self * transposed
    return abs(square.row1.x - 1) < 0.01 && abs(square.row2.y - 1) < 0.01
      && abs(square.row3.z - 1) < 0.01 && abs(square.row1.y) < 0.01 && abs(square.row1.z) < 0.01
      && abs(square.row2.z) < 0.01 && row1.cross(row2).dot(row3) > 0
  }
}
