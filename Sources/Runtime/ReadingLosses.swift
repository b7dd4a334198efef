// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The readings of a chip that do not hold what was there to be measured, since its source began.
package struct ReadingLosses: Equatable, Sendable {
  /// Readings of an axis at the end of the chip's range.
  package struct Clipped: Equatable, Sendable {
    package var end: PinnedAxes.End
    /// The full scale, in the channel's unit; `nil` where it is not known.
    package var range: Double?

    package init(_ end: PinnedAxes.End, range: Double?) {
      self.end = end
      self.range = range
    }

    /// Makes one by the axis's name; `nil` where no axis has that.
    package init?(axis: String, value: Double, range: Double?, count: UInt64) {
      let parts = axis.split(separator: ".")
      guard parts.count == 2, let place = ["x", "y", "z"].firstIndex(of: parts[1]),
        let channel = Channel.allCases.first(where: { $0.isVector && "\($0.row.name)" == parts[0] })
      else { return nil }
      self.init(
        PinnedAxes.End(
          channel: channel, axis: place, value: value, count: Int(clamping: count)),
        range: range)
    }

    fileprivate func isSame(as other: Clipped) -> Bool {
      axis == other.axis && end.value == other.end.value
    }

    /// Such as `acceleration.z`.
    package var axis: String {
      "\(end.channel.row.name).\(["x", "y", "z"][min(max(end.axis, 0), 2)])"
    }
  }

  /// Readings without a value: what was measured ran over the chip's range, which it said.
  package var empty: UInt64 = 0
  /// True where the newest readings are so.
  package var isWithoutValue = false
  package var clipped: [Clipped] = []

  package init() {}

  package init(empty: UInt64, isWithoutValue: Bool, clipped: [Clipped]) {
    self.empty = empty
    self.isWithoutValue = isWithoutValue
    self.clipped = clipped
  }

  /// Adds those of a later run of the chip, which began again at none.
  package mutating func add(_ later: ReadingLosses) {
    empty &+= later.empty
    isWithoutValue = later.isWithoutValue
    for new in later.clipped {
      guard let place = clipped.firstIndex(where: { $0.isSame(as: new) }) else {
        clipped.append(new)
        continue
      }
      clipped[place].end = clipped[place].end.adding(new.end.count)
    }
  }

  /// Returns what has come since `before`; all of it where a service has counted anew.
  package func since(_ before: ReadingLosses) -> ReadingLosses {
    var rest = self
    if empty >= before.empty { rest.empty -= before.empty }
    rest.clipped = clipped.compactMap { now in
      guard let old = before.clipped.first(where: { $0.isSame(as: now) }),
        old.end.count <= now.end.count
      else { return now }
      guard old.end.count < now.end.count else { return nil }
      return Clipped(now.end.adding(-old.end.count), range: now.range)
    }
    return rest
  }
}

extension PinnedAxes.End {
  /// Returns the same end with so many samples more.
  fileprivate func adding(_ count: Int) -> PinnedAxes.End {
    let (sum, overflow) = self.count.addingReportingOverflow(count)
    return PinnedAxes.End(
      channel: channel, axis: axis, value: value, count: overflow ? .max : sum)
  }
}
