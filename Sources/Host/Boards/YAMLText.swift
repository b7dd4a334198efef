// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Recordings

/// Functions that format values for a YAML file. A value that is read back is equal to the last
/// bit.
enum YAMLText {
  /// Returns the shortest decimal number that is read back as exactly this value.
  static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 && (value != 0 || value.sign == .plus)
      ? String(Int64(value)) : "\(value)"
  }

  static func vector(_ v: Vector3) -> String {
    "[\(number(v.x)), \(number(v.y)), \(number(v.z))]"
  }

  static func matrix(_ m: Matrix3) -> String {
    let rows = [
      Vector3(m.m11, m.m12, m.m13), Vector3(m.m21, m.m22, m.m23), Vector3(m.m31, m.m32, m.m33),
    ]
    return "[\(rows.map(vector).joined(separator: ", "))]"
  }

  /// Returns a string in double quotation marks, so that a reader does not take it for another
  /// type. Control characters, which a file may not contain, are replaced by visible characters.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case _ where ControlCharacters.isRefused(scalar):
        quoted += "\\" + ControlCharacters.escape(scalar)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
