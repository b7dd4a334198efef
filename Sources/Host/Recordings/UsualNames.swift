// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Guesses at the contents of columns that have other programs' names, in order to suggest an
/// option that reads these columns.
enum UsualNames {
  /// The usual beginnings of the names of vectors, in lower case.
  private static let beginnings = [
    ("linear_acceleration", "acceleration"), ("linear.acceleration", "acceleration"),
    // Names in a ROS 1 message as `rostopic echo -p` writes it, and in EuRoC's data sets.
    ("field.linear_acceleration", "acceleration"), ("field.angular_velocity", "rotationRate"),
    ("a_rs_s", "acceleration"), ("w_rs_s", "rotationRate"),
    ("acc", "acceleration"), ("raw_acc", "acceleration"), ("gyr", "rotationRate"),
    ("rot", "rotationRate"), ("omega", "rotationRate"), ("angular", "rotationRate"),
    ("ang_vel", "rotationRate"), ("mag", "magneticField"),
  ]
  /// Names of vectors that consist of a single letter.
  private static let letters = [
    "a": "acceleration", "g": "rotationRate", "w": "rotationRate", "m": "magneticField",
    "b": "magneticField",
  ]
  private static let scalars = [
    ("pres", "pressure"), ("baro", "pressure"), ("temp", "temperature"),
  ]
  private static let times = [
    "timestamp", "time", "t", "ts", "seconds", "seconds_elapsed", "elapsed", "millis", "micros",
    "nanos", "ms", "us", "ns", "epoch", "sampletimefine",
  ]
  /// Spellings of units in lower case, without spaces, carets and degree signs.
  private static let units = [
    "m/s2": "m/s2", "m/s/s": "m/s2", "mg": "mg", "g": "g", "deg/s": "deg/s", "dps": "deg/s",
    "degrees/s": "deg/s", "deg/sec": "deg/s", "rad/s": "rad/s", "ms-2": "m/s2", "rads-1": "rad/s",
    "ut": "uT", "mt": "mT",
    "gauss": "gauss", "nt": "nT", "hpa": "hPa", "mbar": "hPa", "pa": "Pa", "kpa": "kPa",
  ]
  private static let timeUnits = [
    "ms": TimeUnit.ms, "millis": .ms, "milliseconds": .ms, "us": .us, "micros": .us,
    "microseconds": .us, "sampletimefine": .us, "ns": .ns, "nanos": .ns, "nanoseconds": .ns,
    "s": .s, "sec": .s,
  ]

  /// Returns the name, and the unit in brackets after the name: `X` and `m/s^2` for `X (m/s^2)`.
  static func split(_ name: String) -> (name: String, unit: String?) {
    for (open, close) in [("(", ")"), ("[", "]")] where name.hasSuffix(close) {
      guard let start = name.lastIndex(of: Character(open)) else { continue }
      let unit = String(name[name.index(after: start)...].dropLast())
      let rest = ColumnName.trimmed(String(name[..<start]))
      if !rest.isEmpty { return (rest, unit) }
    }
    return (name, nil)
  }

  /// Returns the unit in the spelling of `--units`, if it is a unit of `channel`.
  static func unit(_ text: String?, of channel: String) -> String? {
    guard let text else { return nil }
    var plain = text.lowercased().replacing("\u{B2}", with: "2").replacing("^", with: "")
    plain = plain.replacing("\u{B5}", with: "u").replacing("\u{3BC}", with: "u")
    plain = plain.replacing("\u{B0}", with: "deg").replacing(" ", with: "")
    guard let name = units[plain], let unit = MeasuredUnit.named(name),
      "\(unit.channel.row.name)" == channel
    else { return nil }
    return name
  }

  /// Returns options such as `--columns acceleration=a,rotationRate=g --units deg/s`; `nil` if no
  /// name is known. `has` contains the slots that are already read.
  static func options(_ names: [String], has: Set<Int>) -> String? {
    var columns: [String] = []
    var given: [String] = []
    var timeUnit: TimeUnit?
    if !has.contains(0), let name = names.first(where: isTime) {
      columns.append("timestamp=\(name)")
      timeUnit = unitOfTime(name)
    }
    var taken = has
    for name in names {
      guard let vector = vector(name, names), let slots = slots(vector.ours),
        slots.allSatisfy({ !taken.contains($0) })
      else { continue }
      taken.formUnion(slots)
      columns.append("\(vector.ours)=\(vector.stem)")
      if let unit = vector.unit, MeasuredUnit.named(unit)?.factor != 1 { given.append(unit) }
    }
    for name in names {
      let lowered = name.lowercased()
      guard let ours = scalars.first(where: { lowered.hasPrefix($0.0) })?.1,
        let slots = slots(ours),
        slots.allSatisfy({ !taken.contains($0) })
      else { continue }
      taken.formUnion(slots)
      columns.append("\(ours)=\(name)")
      if let unit = unit(split(name).unit, of: ours), MeasuredUnit.named(unit)?.factor != 1 {
        given.append(unit)
      }
    }
    columns.removeAll { $0.contains(",") }
    guard !columns.isEmpty else { return nil }
    var text = "--columns " + quoted(columns.joined(separator: ","))
    if !given.isEmpty { text += " --units " + given.joined(separator: ",") }
    if let timeUnit, timeUnit != .s { text += " --time-unit \(timeUnit.rawValue)" }
    return text
  }

  private static func slots(_ ours: String) -> ClosedRange<Int>? {
    RecordingColumns.channels.first { "\($0.channel.row.name)" == ours }?.slots
  }

  /// Returns the vector whose x axis is `name`, if `names` contains all three axes.
  private static func vector(_ name: String, _ names: [String]) -> (
    ours: String, stem: String, unit: String?
  )? {
    let (whole, unit) = split(name)
    guard whole.lowercased().hasSuffix("x") else { return nil }
    var stem = String(whole.dropLast())
    while let last = stem.last, "._- ".contains(last) { stem.removeLast() }
    let plain = names.map { split($0).name }
    let isThere = ["x", "y", "z"].allSatisfy { axis in
      RecordingColumns.names(of: stem, axis: axis).contains { plain.contains($0) }
    }
    guard isThere, !stem.isEmpty else { return nil }
    let lowered = stem.lowercased()
    guard
      let ours = letters[lowered] ?? beginnings.first(where: { lowered.hasPrefix($0.0) })?.1
    else { return nil }
    return (ours, stem, Self.unit(unit, of: ours))
  }

  private static func isTime(_ name: String) -> Bool {
    // A header can begin like a comment: `#timestamp [ns]`, `%time`.
    let plain = String(split(name).name.lowercased().drop { "#% ".contains($0) })
    return times.contains(plain) || plain.hasPrefix("time ") || plain.hasPrefix("time_")
      || plain.hasPrefix("timestamp")
  }

  private static func unitOfTime(_ name: String) -> TimeUnit? {
    let (plain, unit) = split(name)
    if let unit, !unit.isEmpty { return timeUnits[unit.lowercased()] }
    return plain.lowercased().split { "_ .".contains($0) }.last.flatMap { timeUnits[String($0)] }
  }

  /// Returns `text` quoted as one word of a shell command.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x61 && $0 <= 0x7A)
        || "=,._-/:".utf8.contains($0)
    }
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
