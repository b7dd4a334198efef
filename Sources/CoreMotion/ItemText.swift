// SPDX-License-Identifier: Apache-2.0
internal import Otolith

// What `print` shows of an item: rows as iPhone logs have them.

/// Returns the number with six decimals.
func text(_ value: Double) -> String { String(format: "%.6f", value) }

func text(_ x: Double, _ y: Double, _ z: Double) -> String {
  "x \(text(x)) y \(text(y)) z \(text(z))"
}

func text(_ v: Vector3) -> String { text(v.x, v.y, v.z) }

/// Returns a list of named values behind the name of their class, as Apple's pedometer prints them.
func text(_ name: String, _ values: KeyValuePairs<String, String>) -> String {
  "\(name),<\(values.map { "\($0) \($1)" }.joined(separator: ", "))>"
}

/// Returns the number, or what Apple's classes print for a missing one.
func text(_ value: Double?) -> String { value.map { text($0) } ?? "(null)" }
