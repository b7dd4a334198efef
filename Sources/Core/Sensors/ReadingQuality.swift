// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Counts of readings in which the chip could not measure the quantity.
package struct ReadingQuality: Sendable, BitwiseCopyable {
  /// The number of all readings of the quantity.
  package private(set) var count: UInt64 = 0
  /// The number of readings that have no value because the chip reported that the quantity exceeded
  /// the chip's range.
  package private(set) var empty: UInt64 = 0
  /// The number of consecutive readings without a value of the quantity.
  package private(set) var emptyRow: UInt64 = 0
  /// The readings at the end of the chip's range, counted for each axis.
  package private(set) var pinned: PinnedAxes
  /// The number of readings with raw values that are not valid measurements, and the newest such
  /// reading. Overflows are counted in `empty`, unlike in `Health.invalid`.
  package private(set) var invalid: UInt64 = 0
  package private(set) var newestInvalid = ChipReading()
  /// The channels of all readings with raw values that are not valid measurements.
  package private(set) var invalidChannels: ChannelSet = []
  /// The runs of readings that are identical to the previous reading in every bit.
  package private(set) var repeats = RepeatedReadings()

  /// Creates empty counts. If the sizes of the chip's counts are unknown, an axis is considered to
  /// be at the end of its range while it stays at its largest value.
  package init(_ sizes: CountSizes = CountSizes()) { pinned = PinnedAxes(sizes) }

  /// Adds a reading in the chip's axes, before calibration.
  package mutating func add(_ reading: ChipReading) {
    count &+= 1
    if let fault = reading.fault, fault != .overflow {
      invalid &+= 1
      invalidChannels.formUnion(reading.invalid)
      newestInvalid = reading
      if reading.channels.isEmpty { return }
    }
    if reading.channels.isEmpty {
      empty &+= 1
      emptyRow &+= 1
      return
    }
    emptyRow = 0
    repeats.add(reading)
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

/// The longest run of readings of each channel that are identical in every bit. Temperature,
/// illuminance and proximity are left out, because these quantities may stay constant for a long
/// time.
package struct RepeatedReadings: Sendable, BitwiseCopyable {
  private var last = ChipReading()
  private var runs = InlineArray<8, UInt32>(repeating: 0)
  private var longest = InlineArray<8, UInt32>(repeating: 0)

  package init() {}

  /// The number of repetitions of a reading in the longest run of `channel`.
  package subscript(_ channel: Channel) -> Int { Int(clamping: longest[Int(channel.rawValue)]) }

  /// The number of repetitions of a reading in the longest run of any channel.
  package private(set) var most = 0

  package mutating func add(_ reading: ChipReading) {
    if reading.channels.contains(.acceleration) {
      note(.acceleration, isRepeat: reading.specificForce == last.specificForce)
      last.specificForce = reading.specificForce
    }
    if reading.channels.contains(.rotationRate) {
      note(.rotationRate, isRepeat: reading.rotationRate == last.rotationRate)
      last.rotationRate = reading.rotationRate
    }
    if reading.channels.contains(.magneticField) {
      note(.magneticField, isRepeat: reading.magneticField == last.magneticField)
      last.magneticField = reading.magneticField
    }
    if reading.channels.contains(.pressure) {
      note(.pressure, isRepeat: reading.pressure == last.pressure)
      last.pressure = reading.pressure
    }
    if reading.channels.contains(.humidity) {
      note(.humidity, isRepeat: reading.humidity == last.humidity)
      last.humidity = reading.humidity
    }
  }

  private mutating func note(_ channel: Channel, isRepeat: Bool) {
    let place = Int(channel.rawValue)
    runs[place] = isRepeat ? runs[place] &+ 1 : 0
    guard runs[place] > longest[place] else { return }
    longest[place] = runs[place]
    most = max(most, Int(clamping: runs[place]))
  }
}
