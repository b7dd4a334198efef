// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The offsets that InvenSense's parts add to their measurements, from their offset registers.
enum UserOffsets {
  /// The accelerometer's offsets as the factory sets them. These are typical values from
  /// i2cdevlib's example. The offsets correct the errors of the individual sensor.
  static let factory: [Int16] = [-76, -2359, 1688]

  /// Returns in g how much the accelerometer's offset words for x, y and z exceed the factory's
  /// words. The words have 2048 counts per g; bit 0 is not part of the number.
  static func force(_ word: (Int) -> Int16) -> Vector3 {
    func axis(_ index: Int) -> Double {
      Double((Int(word(index)) & ~1) - (Int(factory[index]) & ~1)) / 2048
    }
    return Vector3(axis(0), axis(1), axis(2))
  }

  /// Returns the offsets in rad/s for the gyroscope's offset words of x, y and z, which have 32.8
  /// counts per degree per second.
  static func turn(_ word: (Int) -> Int16) -> Vector3 {
    Vector3(Double(word(0)), Double(word(1)), Double(word(2))) * (radians(fromDegrees: 1) / 32.8)
  }
}
