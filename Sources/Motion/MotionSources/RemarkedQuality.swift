// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import ChipCatalog
package import Quantities
internal import Recordings
internal import Runtime
internal import Sensors

/// The parts of a chip's reading quality that need a remark: it changes when another axis reaches
/// the end of its range, and when values become missing or available again.
struct RemarkedQuality: Equatable, Sendable {
  /// One bit for each place in `PinnedAxes`.
  private var places: UInt32 = 0
  private(set) var ends: [PinnedAxes.End] = []
  private(set) var isWithoutValue = false

  /// Updates from the counts of `chip`; returns true if there is something new to report.
  mutating func take(_ quality: ReadingQuality, of chip: ChipPlacement) -> Bool {
    var found: UInt32 = 0
    for place in 0..<PinnedAxes.places where quality.pinned.end(at: place, range: chip.range) != nil
    { found |= 1 << UInt32(place) }
    // Axes already reported stay reported.
    found |= places
    guard found != places || quality.isWithoutValue != isWithoutValue else { return false }
    places = found
    isWithoutValue = quality.isWithoutValue
    ends = quality.pinned.ends(of: chip)
    return true
  }
}

extension PinnedAxes {
  /// Returns the ends of ranges at which axes of `chip` are pinned.
  package func ends(of chip: ChipPlacement) -> [End] {
    (0..<Self.places).compactMap { end(at: $0, range: chip.range) }
  }
}

extension PinnedAxes {
  /// Returns a text for each axis at the end of its `range`, with the number of samples.
  package func words(range: (Channel) -> Scalar?) -> [String] {
    (0..<Self.places).compactMap { end(at: $0, range: range) }
      .map { PinnedSamples.words($0, range: range($0.channel)) }
  }
}

extension ChipPlacement {
  /// Returns the chip's full scale for `channel` in the channel's unit: the narrowest range that
  /// contains the board file's; `nil` if the range is fixed.
  package func range(of channel: Channel) -> Scalar? {
    let row = ChipCatalog.entry(named: chip)?.description.channels(of: settings)
      .first { $0.channel == channel }
    guard let asked = settings[range: channel], let ranges = row?.ranges, !ranges.isEmpty else {
      return nil
    }
    return ranges.first { $0 >= asked * 0.999 } ?? ranges.last
  }

  package var range: (Channel) -> Scalar? { { range(of: $0) } }

  /// Returns the losses: readings without a value, and readings at the end of a range.
  func losses(_ quality: ReadingQuality) -> ReadingLosses {
    ReadingLosses(
      empty: quality.empty, isWithoutValue: quality.isWithoutValue,
      clipped: quality.pinned.ends(of: self).map {
        ReadingLosses.Clipped($0, range: range(of: $0.channel))
      })
  }

  /// Returns the remark about readings at the end of the chip's range, with the remedy; `nil` if
  /// there are none.
  func remark(on quality: RemarkedQuality) -> String? {
    var parts: [String] = []
    if quality.isWithoutValue { parts.append(Self.withoutValue) }
    if !quality.ends.isEmpty {
      let words = quality.ends.map {
        PinnedSamples.words($0, counted: false, range: range(of: $0.channel))
      }
      let keys = Set(quality.ends.map(\.channel)).compactMap(Self.rangeKey).sorted()
      parts.append(
        words.joined(separator: ", ") + ": what is beyond is lost; set a wider "
          + keys.map { "'\($0)'" }.joined(separator: " and ")
          + " in the board file, where the chip has one")
    }
    return parts.isEmpty ? nil : "\(name): " + parts.joined(separator: "; ")
  }

  /// The text for a chip that samples but reports each time that the value exceeds its range.
  package static let withoutValue =
    "it samples, but reports each time that the value is beyond its range, so that there is no "
    + "value: move magnets, steel and currents away, or set a wider 'magnetic-field-range-ut'"

  private static func rangeKey(_ channel: Channel) -> String? {
    switch channel {
    case .acceleration: "acceleration-range-g"
    case .rotationRate: "rotation-rate-range-dps"
    case .magneticField: "magnetic-field-range-ut"
    default: nil
    }
  }
}
