// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import ChipCatalog
package import Quantities
internal import Recordings
internal import Runtime
internal import Sensors

/// The part of a chip's reading quality that remarks are about. It changes if another axis reaches
/// the end of its range, and if values become missing or available again.
struct RemarkedQuality: Equatable, Sendable {
  /// The ends of axes in `PinnedAxes` that readings have reached, one bit each.
  private var places: UInt32 = 0
  private(set) var ends: [PinnedAxes.End] = []
  private(set) var isWithoutValue = false
  /// The channels with readings whose codes are no measurement, and the sentence about the first of
  /// these channels.
  private var invalid: ChannelSet = []
  private(set) var invalidRemark: String?
  private(set) var stuck: [Channel] = []

  /// The number of readings that are no measurement from which on the chip gets a remark.
  private static let fewest: UInt64 = 3

  /// Updates from the counts of `chip`. Returns true if a new remark is needed.
  mutating func take(
    _ quality: ReadingQuality, of chip: ChipPlacement, isNoisy: Bool = true
  ) -> Bool {
    var found: UInt32 = 0
    for place in 0..<PinnedAxes.places where quality.pinned.end(at: place, range: chip.range) != nil
    { found |= 1 << UInt32(place) }
    // An axis that was reported once stays reported.
    found |= places
    // A smaller number appears only in the counts: a transfer may fail now and then.
    let isInvalid = quality.invalid >= Self.fewest && quality.invalidChannels != invalid
    let stuck = isNoisy ? chip.stuckChannels(quality) : []
    guard
      found != places || quality.isWithoutValue != isWithoutValue || isInvalid
        || stuck != self.stuck
    else { return false }
    places = found
    isWithoutValue = quality.isWithoutValue
    ends = quality.pinned.ends(of: chip)
    self.stuck = stuck
    if isInvalid {
      invalid = quality.invalidChannels
      invalidRemark = chip.invalidRemark(quality)
    }
    return true
  }
}

extension PinnedAxes {
  /// Returns the ends of ranges that axes of `chip` have reached.
  package func ends(of chip: ChipPlacement) -> [End] {
    (0..<Self.places).compactMap { end(at: $0, range: chip.range) }
  }
}

extension PinnedAxes {
  /// Returns a text for each axis that has reached the end of its `range`, with the number of
  /// samples.
  package func words(range: (Channel) -> Scalar?) -> [String] {
    (0..<Self.places).compactMap { end(at: $0, range: range) }
      .map { PinnedSamples.words($0, range: range($0.channel)) }
  }
}

extension ChipPlacement {
  /// Returns the full scale of the chip for `channel` in the channel's unit: the narrowest range
  /// that contains that of the board file; `nil` if the chip's range cannot be set.
  package func range(of channel: Channel) -> Scalar? {
    let row = ChipCatalog.entry(named: chip)?.description.channels(of: settings)
      .first { $0.channel == channel }
    guard let asked = settings[range: channel], let ranges = row?.ranges, !ranges.isEmpty else {
      return nil
    }
    return ranges.first { $0 >= asked * 0.999 } ?? ranges.last
  }

  package var range: (Channel) -> Scalar? { { range(of: $0) } }

  /// Returns the numbers of readings without a value and at the end of a range.
  func losses(_ quality: ReadingQuality) -> ReadingLosses {
    ReadingLosses(
      empty: quality.empty, invalid: quality.invalid, isWithoutValue: quality.isWithoutValue,
      clipped: quality.pinned.ends(of: self).map {
        ReadingLosses.Clipped($0, range: range(of: $0.channel))
      })
  }

  /// Returns the remark about readings at the end of the chip's range, with the remedy; `nil` if
  /// there are none.
  func remark(on quality: RemarkedQuality) -> String? {
    var parts: [String] = []
    if quality.isWithoutValue { parts.append(Self.withoutValue) }
    if let remark = quality.invalidRemark { parts.append(remark) }
    if let remark = stuckRemark(quality.stuck) { parts.append(remark) }
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

  /// The remark about a chip that samples, but reports each time that the value exceeds its range.
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
