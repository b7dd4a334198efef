// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The number of a chip's readings without a valid value since its source was started.
package struct ReadingLosses: Equatable, Sendable {
  /// The readings of one axis that are at the end of the chip's range.
  package struct Clipped: Equatable, Sendable {
    package var end: PinnedAxes.End
    /// The full scale in the unit of the channel; `nil` if unknown.
    package var range: Double?

    package init(_ end: PinnedAxes.End, range: Double?) {
      self.end = end
      self.range = range
    }

    /// Creates the losses of the axis called `axis`; `nil` if there is no such axis.
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

    /// The name of the axis, such as `acceleration.z`.
    package var axis: String {
      "\(end.channel.row.name).\(["x", "y", "z"][min(max(end.axis, 0), 2)])"
    }
  }

  /// The number of readings that have no value because the chip reported that its range was
  /// exceeded.
  package var empty: UInt64 = 0
  /// The number of readings with raw values that do not represent a measurement.
  package var invalid: UInt64 = 0
  /// True if the newest readings have no value.
  package var isWithoutValue = false
  package var clipped: [Clipped] = []

  /// The number of values at the end of the range, over all axes.
  package var clippedCount: UInt64 {
    clipped.reduce(0) { $0 &+ UInt64(clamping: $1.end.count) }
  }

  package init() {}

  package init(
    empty: UInt64, invalid: UInt64 = 0, isWithoutValue: Bool, clipped: [Clipped]
  ) {
    self.empty = empty
    self.invalid = invalid
    self.isWithoutValue = isWithoutValue
    self.clipped = clipped
  }

  /// Adds the losses of a later run of the chip, whose counts start at zero.
  package mutating func add(_ later: ReadingLosses) {
    empty &+= later.empty
    invalid &+= later.invalid
    isWithoutValue = later.isWithoutValue
    for new in later.clipped {
      guard let place = clipped.firstIndex(where: { $0.isSame(as: new) }) else {
        clipped.append(new)
        continue
      }
      clipped[place].end = clipped[place].end.adding(new.end.count)
    }
  }

  /// Returns the losses since `before`. If a service has restarted its counts, returns all losses.
  package func since(_ before: ReadingLosses) -> ReadingLosses {
    var rest = self
    if empty >= before.empty { rest.empty -= before.empty }
    if invalid >= before.invalid { rest.invalid -= before.invalid }
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
  /// Returns this end of a range with `count` more samples.
  fileprivate func adding(_ count: Int) -> PinnedAxes.End {
    let (sum, overflow) = self.count.addingReportingOverflow(count)
    return PinnedAxes.End(
      channel: channel, axis: axis, value: value, count: overflow ? .max : sum)
  }
}
