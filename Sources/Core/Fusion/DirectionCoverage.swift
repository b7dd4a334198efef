// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The directions in device axes in which the field has been measured, as 24 cells: each face of a
/// cube is divided into four quarters.
struct DirectionCoverage: Equatable, Sendable {
  private var cells: UInt32 = 0
  private var earlier: UInt32 = 0
  private var seconds: Seconds = 0

  /// Adds the direction of a measured field. `passed` is the time in seconds for which the device
  /// has turned since the previous measurement. A cell expires after one to two times `memory`.
  mutating func add(_ field: Vector3, seconds passed: Seconds, memory: Seconds) {
    seconds += passed
    if seconds > memory {
      seconds = 0
      earlier = cells
      cells = 0
    }
    let (x, y, z) = (field.x.magnitude, field.y.magnitude, field.z.magnitude)
    let cell: UInt32
    if x >= y && x >= z {
      cell = Self.cell(0, field.x, field.y, field.z)
    } else if y >= z {
      cell = Self.cell(8, field.y, field.z, field.x)
    } else {
      cell = Self.cell(16, field.z, field.x, field.y)
    }
    cells |= 1 << cell
  }

  /// The share of the cells that have been covered, 0 ... 1.
  var share: Scalar { Scalar((cells | earlier).nonzeroBitCount) / 24 }

  private static func cell(_ face: UInt32, _ a: Scalar, _ b: Scalar, _ c: Scalar) -> UInt32 {
    face + (a < 0 ? 4 : 0) + (b < 0 ? 2 : 0) + (c < 0 ? 1 : 0)
  }
}
