// SPDX-License-Identifier: Apache-2.0
internal import Otolith

// The descriptions of items, in the format of iPhone logs.

/// Returns the number with six decimals.
func text(_ value: Double) -> String { String(format: "%.6f", value) }

func text(_ x: Double, _ y: Double, _ z: Double) -> String {
  "x \(text(x)) y \(text(y)) z \(text(z))"
}

func text(_ v: Vector3) -> String { text(v.x, v.y, v.z) }

/// Returns the class name with a list of named values, in the format of Apple's pedometer.
func text(_ name: String, _ values: KeyValuePairs<String, String>) -> String {
  "\(name),<\(values.map { "\($0) \($1)" }.joined(separator: ", "))>"
}

/// Returns the number as text, or Apple's text for a missing number.
func text(_ value: Double?) -> String { value.map { text($0) } ?? "(null)" }
