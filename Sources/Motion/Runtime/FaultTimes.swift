// SPDX-License-Identifier: Apache-2.0
package import Fusion
package import Quantities

/// The durations of each sensor fault, and of the times in which the accelerometer alone updated
/// the attitude, on the clock of the motions.
package struct FaultTimes: Sendable {
  /// The totals of one fault so far.
  package struct Record: Equatable, Sendable {
    /// The total duration in seconds.
    package var seconds: Double = 0
    /// The number of times that the fault has occurred.
    package var count: UInt64 = 0
    /// The duration of the fault, in seconds, since it was last absent for longer than `hold`.
    fileprivate var recent: Double = 0
    fileprivate var last = Timestamp.zero

    package init() {}

    package init(seconds: Double, count: UInt64) {
      self.seconds = seconds
      self.count = count
    }
  }

  // One record for each bit of `SensorFaults`.
  private var records = InlineArray<16, Record>(repeating: Record())
  /// The faults whose `recent` is not zero.
  private var recent: SensorFaults = []
  private var newest: Timestamp?
  /// The faults of the newest motion.
  package private(set) var present: SensorFaults = []
  package private(set) var isCoasting = false
  /// The time without rotation rates, in which the accelerometer alone updated the attitude.
  package private(set) var coasting = Record()
  /// The time in seconds that the motions cover. A pause counts as at most two seconds.
  package private(set) var total: Double = 0
  /// The faults to report to users. These faults lasted for at least 0.5 s and ended less than 10 s
  /// ago, so an intermittent fault is reported only once.
  package private(set) var noted: SensorFaults = []

  private static let least = 0.5
  private static let hold = TimeSpan.seconds(10)
  private static let longestPause = 2.0

  package init() {}

  /// Creates the times from values that another process has sent.
  package init(
    _ known: [(fault: SensorFaults, record: Record)], noted: SensorFaults, isCoasting: Bool,
    coasting: Record, total: Double
  ) {
    for (fault, record) in known {
      let place = fault.rawValue.trailingZeroBitCount
      if records.indices.contains(place) { records[place] = record }
    }
    self.noted = noted
    self.isCoasting = isCoasting
    self.coasting = coasting
    self.total = total
  }

  /// Adds the faults at the time of a motion. Returns true if the set of faults to report has
  /// changed.
  @inline(__always)
  package mutating func add(
    _ faults: SensorFaults, isCoasting now: Bool, at time: Timestamp
  ) -> Bool {
    var span = 0.0
    // If the clock was set back, continue from the new time.
    if let newest, newest <= time { span = min((time - newest).seconds, Self.longestPause) }
    newest = time
    total += span
    if faults.isEmpty, recent.isEmpty, !now, !isCoasting, present.isEmpty { return false }
    return note(faults, now, at: time, after: span)
  }

  @inline(never)
  private mutating func note(
    _ faults: SensorFaults, _ now: Bool, at time: Timestamp, after span: Double
  ) -> Bool {
    let before = noted
    if now {
      if !isCoasting { coasting.count += 1 }
      coasting.seconds += span
    }
    isCoasting = now
    for place in 0..<SensorFaults.RawValue.bitWidth where records.indices.contains(place) {
      let fault = SensorFaults(rawValue: 1 << SensorFaults.RawValue(place))
      if faults.contains(fault) {
        if !present.contains(fault) { records[place].count += 1 }
        records[place].seconds += span
        records[place].recent += span
        records[place].last = time
        recent.insert(fault)
        if records[place].recent >= Self.least { noted.insert(fault) }
      } else if recent.contains(fault), time - records[place].last > Self.hold {
        records[place].recent = 0
        recent.subtract(fault)
        noted.subtract(fault)
      }
    }
    present = faults
    return noted != before
  }

  /// Returns the record of a fault.
  package func record(of fault: SensorFaults) -> Record {
    let place = fault.rawValue.trailingZeroBitCount
    return records.indices.contains(place) ? records[place] : Record()
  }

  /// The faults that have occurred so far.
  package var occurred: SensorFaults {
    var faults: SensorFaults = []
    for place in 0..<SensorFaults.RawValue.bitWidth where records.indices.contains(place) {
      if records[place].count > 0 {
        faults.insert(SensorFaults(rawValue: 1 << SensorFaults.RawValue(place)))
      }
    }
    return faults
  }

  /// The messages for the end of a recording. Each describes a fault that occurred, with its
  /// duration, its cause and the remedy.
  package var sentences: [String] {
    var sentences = SensorFaultRow.rows(of: occurred).map { row in
      row.sentence(lasting: record(of: row.fault).seconds, of: total)
    }
    if coasting.count > 0 {
      sentences.append(Self.sentence(coasting: coasting.seconds, of: total))
    }
    return sentences
  }

  /// Returns the message that the accelerometer alone updated the attitude, and the consequences of
  /// this.
  package static func sentence(coasting seconds: Double, of total: Double) -> String {
    "the attitude came from the accelerometer alone for \(text(seconds, of: total)): turns about "
      + "the vertical are missed, and every acceleration tilts it"
  }

  /// Returns a string such as `3.2 s of 60 s`.
  package static func text(_ seconds: Double, of total: Double) -> String {
    "\(short(seconds)) s of \(short(total)) s"
  }

  package static func short(_ seconds: Double) -> String {
    // For NaN this comparison is false, so NaN is printed unchanged.
    guard seconds < 1e15, seconds >= 0 else { return "\(seconds)" }
    if seconds >= 10 { return "\(Int(saturating: seconds.rounded()))" }
    return seconds < 0.1 ? "less than 0.1" : "\((seconds * 10).rounded() / 10)"
  }
}
