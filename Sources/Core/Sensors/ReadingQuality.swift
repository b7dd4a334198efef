// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Counts of readings in which the chip could not measure the quantity.
package struct ReadingQuality: Sendable, BitwiseCopyable {
  /// The number of all readings.
  package private(set) var count: UInt64 = 0
  /// The number of readings without a value: the chip reported that the quantity exceeded its
  /// range.
  package private(set) var empty: UInt64 = 0
  /// The number of consecutive readings without a value.
  package private(set) var emptyRow: UInt64 = 0
  /// The readings at the end of the range, counted for each axis.
  package private(set) var pinned = PinnedAxes()

  package init() {}

  /// Adds a reading in the chip's axes, before calibration.
  package mutating func add(_ reading: ChipReading) {
    count &+= 1
    if reading.channels.isEmpty {
      empty &+= 1
      emptyRow &+= 1
      return
    }
    emptyRow = 0
    if reading.channels.contains(.acceleration) {
      pinned.add(reading.specificForce, of: .acceleration)
    }
    if reading.channels.contains(.rotationRate) {
      pinned.add(reading.rotationRate, of: .rotationRate)
    }
    if reading.channels.contains(.magneticField) {
      pinned.add(reading.magneticField, of: .magneticField)
    }
  }

  /// True if at least the last eight readings had no value.
  package var isWithoutValue: Bool { emptyRow >= 8 }
}
