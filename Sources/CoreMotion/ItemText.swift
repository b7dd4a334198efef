// SPDX-License-Identifier: Apache-2.0
internal import Otolith

// What `print` shows of an item: rows as iPhone logs have them.

/// Returns the number with six decimals.
func text(_ value: Double) -> String { String(format: "%.6f", value) }

func text(_ x: Double, _ y: Double, _ z: Double) -> String {
  "x \(text(x)) y \(text(y)) z \(text(z))"
}

func text(_ v: Vector3) -> String { text(v.x, v.y, v.z) }
