// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Counts of readings that do not hold the measured quantity.
package struct ReadingQuality: Sendable, BitwiseCopyable {
  /// All readings.
  package private(set) var count: UInt64 = 0
  /// Readings without a value: the chip reported that the quantity exceeded its range.
  package private(set) var empty: UInt64 = 0
  /// Consecutive readings without a value.
  package private(set) var emptyRow: UInt64 = 0
  /// Readings at the end of the range.
  package private(set) var pinned = PinnedAxes()

  package init() {}

  /// Adds a reading in the chip's axes, without calibration.
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

  /// True if the last eight readings or more had no value.
  package var isWithoutValue: Bool { emptyRow >= 8 }
}
