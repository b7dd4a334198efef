// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The offsets that InvenSense's parts add to what they measure, from their offset registers.
enum UserOffsets {
  /// The accelerometer's offsets as the factory leaves them: typical ones, from i2cdevlib's
  /// example. They correct the sensor of this part.
  static let factory: [Int16] = [-76, -2359, 1688]

  /// Returns what the accelerometer's words for x, y and z add to the factory's, g: 2048 counts a
  /// g; bit 0 is not part of the number.
  static func force(_ word: (Int) -> Int16) -> Vector3 {
    func axis(_ index: Int) -> Double {
      Double((Int(word(index)) & ~1) - (Int(factory[index]) & ~1)) / 2048
    }
    return Vector3(axis(0), axis(1), axis(2))
  }

  /// Returns what the gyroscope's words for x, y and z add, rad/s: 32.8 counts a degree per second.
  static func turn(_ word: (Int) -> Int16) -> Vector3 {
    Vector3(Double(word(0)), Double(word(1)), Double(word(2))) * (radians(fromDegrees: 1) / 32.8)
  }
}
