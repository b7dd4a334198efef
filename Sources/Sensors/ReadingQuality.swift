// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Counts of readings that do not hold what was there to be measured.
package struct ReadingQuality: Sendable, BitwiseCopyable {
  /// Readings of any kind.
  package private(set) var count: UInt64 = 0
  /// Readings without a value: what was measured ran over the chip's range, which it said.
  package private(set) var empty: UInt64 = 0
  /// Readings without a value since the last one that had one.
  package private(set) var emptyRow: UInt64 = 0
  /// Readings at the end of a range.
  package private(set) var pinned = PinnedAxes()

  package init() {}

  /// Takes a reading in the chip's own axes, without calibration.
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

  /// True where nothing has been measured for eight readings or more.
  package var isWithoutValue: Bool { emptyRow >= 8 }
}
