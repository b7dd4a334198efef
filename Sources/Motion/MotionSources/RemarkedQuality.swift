// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import ChipCatalog
package import Quantities
internal import Recordings
internal import Runtime
internal import Sensors

/// The part of a chip's reading quality that remarks are about. This part changes if another axis
/// reaches the end of its range, and if values become missing or available again.
struct RemarkedQuality: Equatable, Sendable {
  /// The ends of axes in `PinnedAxes` that readings have reached, one bit each.
  private var places: UInt32 = 0
  private(set) var ends: [PinnedAxes.End] = []
  private(set) var isWithoutValue = false
  /// The channels with readings whose raw values are not valid measurements, and the message about
  /// the first of these channels.
  private var invalid: ChannelSet = []
  private(set) var invalidRemark: String?
  private(set) var stuck: [Channel] = []

  /// The smallest number of readings that are invalid, or at the end of a range, for which the chip
  /// gets a remark.
  private static let fewest = 3

  /// Updates this state with the counts of `chip`. Returns true if a new remark is needed.
  mutating func take(
    _ quality: ReadingQuality, of chip: ChipPlacement, isNoisy: Bool = true
  ) -> Bool {
    var found: UInt32 = 0
    for place in 0..<PinnedAxes.places {
      guard let end = quality.pinned.end(at: place, range: chip.range), end.count >= Self.fewest
      else { continue }
      found |= 1 << UInt32(place)
    }
    // An axis that has been reported stays in the report.
    found |= places
    // Fewer invalid readings get no remark and appear only in the counts, because a transfer may
    // fail occasionally.
    let isInvalid = quality.invalid >= UInt64(Self.fewest) && quality.invalidChannels != invalid
    let stuck = isNoisy ? chip.stuckChannels(quality) : []
    guard
      found != places || quality.isWithoutValue != isWithoutValue || isInvalid
        || stuck != self.stuck
    else { return false }
    places = found
    isWithoutValue = quality.isWithoutValue
    ends = quality.pinned.ends(of: chip).filter { $0.count >= Self.fewest }
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
  /// Returns a message for each axis that has reached the end of its `range`, with the number of
  /// samples.
  package func words(range: (Channel) -> Scalar?) -> [String] {
    (0..<Self.places).compactMap { end(at: $0, range: range) }
      .map { PinnedSamples.words($0, range: range($0.channel)) }
  }
}

extension ChipPlacement {
  /// Returns the full scale of the chip for `channel` in the channel's unit: the narrowest of the
  /// chip's ranges that contains the range in the board file; `nil` if the chip's range cannot be
  /// set.
  package func range(of channel: Channel) -> Scalar? {
    let row = sheet?.channels(of: settings)
      .first { $0.channel == channel }
    guard let asked = settings[range: channel], let ranges = row?.ranges, !ranges.isEmpty else {
      return nil
    }
    return ranges.first { $0 >= asked * 0.999 } ?? ranges.last
  }

  package var range: (Channel) -> Scalar? { { range(of: $0) } }

  /// Returns how many readings have no value, and how many are at the end of a range.
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
    if let remark = clippedRemark(quality.ends) { parts.append(remark) }
    return parts.isEmpty ? nil : "\(name): " + parts.joined(separator: "; ")
  }

  /// Returns the remark about readings at these ends of the ranges, with the ranges to choose;
  /// `nil` if there are none.
  package func clippedRemark(_ ends: [PinnedAxes.End]) -> String? {
    guard !ends.isEmpty else { return nil }
    let words = ends.map {
      PinnedSamples.words($0, counted: false, range: range(of: $0.channel))
    }
    return words.joined(separator: ", ") + ": what is beyond is lost"
      + rangeRemedy(Set(ends.map(\.channel)))
  }

  /// The remark about a chip that samples, but reports for each sample that the value exceeds its
  /// range.
  package static let withoutValue =
    "it samples, but reports each time that the value is beyond its range, so that there is no "
    + "value: move magnets, steel and currents away, or set a wider 'magnetic-field-range-ut'"

  /// Returns the board file's keys for the next wider ranges for `channels`, or a message that says
  /// that the chip has no wider range.
  private func rangeRemedy(_ channels: Set<Channel>) -> String {
    let keys = channels.compactMap(widerRange).sorted()
    guard !keys.isEmpty else { return ", and the chip has no wider range" }
    return "; set " + keys.map { "'\($0)'" }.joined(separator: " and ") + " in the board file"
  }

  /// Returns the board file's key and value for the next wider range of `channel`, such as
  /// `acceleration-range-g: 4`; `nil` if the chip has no wider range.
  package func widerRange(of channel: Channel) -> String? {
    let row = sheet?.channels(of: settings)
      .first { $0.channel == channel }
    guard let now = range(of: channel), let wider = row?.ranges.first(where: { $0 > now * 1.001 })
    else { return nil }
    let key: (name: String, factor: Double)? =
      switch channel {
      case .acceleration: ("acceleration-range-g", 1)
      case .rotationRate: ("rotation-rate-range-dps", 180 / .pi)
      case .magneticField: ("magnetic-field-range-ut", 1)
      default: nil
      }
    return key.map { key in
      let value = (wider * key.factor * 1000).rounded() / 1000
      let isWhole = value == value.rounded()
      return "\(key.name): " + (isWhole ? "\(Int(saturating: value))" : "\(value)")
    }
  }
}
