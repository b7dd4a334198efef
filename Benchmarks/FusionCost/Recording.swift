// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// One sample of all three sensors.
struct MotionInput {
  var time: Timestamp
  var rotationRate: Vector3
  var acceleration: Vector3
  var magneticField: Vector3
}

/// Samples from a file of rows of ten little-endian doubles. An incomplete last row is left out.
struct Recording {
  private(set) var samples: [MotionInput] = []

  init(contentsOf url: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: url))
    func number(_ index: Int) -> Double {
      var bits: UInt64 = 0
      for byte in 0..<8 { bits |= UInt64(bytes[8 * index + byte]) << UInt64(8 * byte) }
      return Double(bitPattern: bits)
    }
    func vector(_ index: Int) -> Vector3 {
      Vector3(number(index), number(index + 1), number(index + 2))
    }
    let columns = 10
    samples.reserveCapacity(bytes.count / (8 * columns))
    for row in 0..<(bytes.count / (8 * columns)) {
      let first = row * columns
      samples.append(
        MotionInput(
          time: Timestamp(seconds: number(first)), rotationRate: vector(first + 1),
          acceleration: vector(first + 4), magneticField: vector(first + 7)))
    }
  }
}
