// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The unit of a column that contains times.
package enum TimeUnit: String, CaseIterable, Sendable {
  case s, ms, us, ns

  /// The exponent n of the unit of time, which is 10^n nanoseconds.
  var power: Int {
    switch self {
    case .s: 9
    case .ms: 6
    case .us: 3
    case .ns: 0
    }
  }
}

/// A unit that other programs use for a quantity.
package struct MeasuredUnit: Equatable, Sendable {
  package let channel: Channel
  package let name: String
  /// The factor from this unit to the unit of `Sample`.
  let factor: Double
  /// The means that reveal this unit: if a column was read in the unit of `Sample` and its mean is
  /// in this range, its values probably have this unit. `nil` if a mean cannot reveal the unit.
  let typicalMean: ClosedRange<Double>?

  /// Standard gravity in m/s2, which is exact by definition.
  static let standardGravity = 9.80665

  package static let all: [MeasuredUnit] = [
    MeasuredUnit(.acceleration, "g", 1),
    MeasuredUnit(.acceleration, "m/s2", 1 / standardGravity, 5...30),
    MeasuredUnit(.acceleration, "mg", 1e-3, 300...5000),
    MeasuredUnit(.rotationRate, "rad/s", 1),
    MeasuredUnit(.rotationRate, "deg/s", .pi / 180),
    MeasuredUnit(.magneticField, "uT", 1),
    MeasuredUnit(.magneticField, "mT", 1e3, 0.02...0.07),
    MeasuredUnit(.magneticField, "gauss", 100, 0.2...0.7),
    MeasuredUnit(.magneticField, "nT", 1e-3, 20_000...70_000),
    MeasuredUnit(.pressure, "kPa", 1),
    MeasuredUnit(.pressure, "hPa", 0.1, 250...1150),
    MeasuredUnit(.pressure, "Pa", 1e-3, 25_000...115_000),
  ]

  private init(
    _ channel: Channel, _ name: String, _ factor: Double, _ typicalMean: ClosedRange<Double>? = nil
  ) {
    self.channel = channel
    self.name = name
    self.factor = factor
    self.typicalMean = typicalMean
  }

  package static func named(_ name: String) -> MeasuredUnit? { all.first { $0.name == name } }
}

/// A name of a column that the user gave: `rotationRate=gyro`, `acceleration.x=-ay`, or, for one of
/// several files, `Gyroscope.csv:rotationRate=gyro`.
package struct ColumnName: Equatable, Sendable {
  /// The name of a quantity of `Sample`, or of one of its axes.
  let ours: String
  /// The name of the column in the file, or the beginning that the names of the three axes have in
  /// common.
  let theirs: String
  let isNegative: Bool
  /// The file to which the name applies, as a path or its last component; `nil` for all files that
  /// have such a column.
  let file: String?

  /// Parses the name of a column that the user gave; `nil` if `text` has another form.
  package init?(_ text: String) {
    // The text is split at the last colon before the names, because paths may contain a colon but
    // otolith's names do not.
    var (file, rest): (String?, Substring) = (nil, text[...])
    let names = RecordingColumns.names + Channel.allCases.map { "\($0.row.name)" }
    for colon in text.indices where text[colon] == ":" {
      let after = text[text.index(after: colon)...]
      guard names.contains(where: { after.hasPrefix($0 + "=") }) else { continue }
      (file, rest) = (String(text[..<colon]), after)
      break
    }
    self.file = file
    let sides = rest.split(separator: "=", maxSplits: 1).map(String.init)
    guard sides.count == 2, file != "" else { return nil }
    ours = sides[0]
    isNegative = sides[1].hasPrefix("-")
    theirs = Self.trimmed(isNegative ? String(sides[1].dropFirst()) : sides[1])
    let vectors = Channel.allCases.filter(\.isVector).map { "\($0.row.name)" }
    guard !theirs.isEmpty, (RecordingColumns.names + vectors).contains(ours) else { return nil }
  }

  /// Returns true if the user's column name applies to the file at `path`.
  func concerns(_ path: String) -> Bool {
    guard let file else { return true }
    return file == path || file == path.split(separator: "/").last.map(String.init)
  }

  /// Returns `name` without spaces around it.
  static func trimmed(_ name: String) -> String {
    var name = Substring(name)
    while let last = name.last, last.isWhitespace { name.removeLast() }
    while let first = name.first, first.isWhitespace { name.removeFirst() }
    return String(name)
  }

  /// Returns `name` without a unit in brackets at its end: `X` for `X (m/s^2)`.
  static func withoutUnit(_ name: String) -> String { UsualNames.split(name).name }

  /// Returns the slots with the indices of their columns in `names`; `nil` if a column is missing.
  func places(among names: [String]) -> [(slot: Int, column: Int)]? {
    if let slot = RecordingColumns.names.firstIndex(of: ours) {
      let column =
        names.firstIndex(of: theirs) ?? names.firstIndex { Self.withoutUnit($0) == theirs }
      return column.map { [(slot, $0)] }
    }
    var places: [(slot: Int, column: Int)] = []
    for axis in ["x", "y", "z"] {
      let candidates = RecordingColumns.names(of: theirs, axis: axis)
      guard let slot = RecordingColumns.names.firstIndex(of: "\(ours).\(axis)"),
        let column = names.firstIndex(where: { candidates.contains($0) })
          ?? names.firstIndex(where: { candidates.contains(Self.withoutUnit($0)) })
      else { return nil }
      places.append((slot, column))
    }
    return places
  }
}

/// The names and units in a recording that differ from the names and units of `Sample`.
package struct RecordingConventions: Sendable {
  /// The unit of times; `nil` for seconds, or for the unit of an app that is recognised.
  package var timeUnit: TimeUnit?
  package var units: [MeasuredUnit]
  package var columns: [ColumnName]
  /// The chips whose own samples are read instead of the combined ones, by their names in the board
  /// file.
  package var chips: [String]
  /// True if the user's columns in `columns` may be in several files.
  var isOfSeveral = false

  package init(
    timeUnit: TimeUnit? = nil, units: [MeasuredUnit] = [], columns: [ColumnName] = [],
    chips: [String] = []
  ) {
    self.timeUnit = timeUnit
    self.units = units
    self.columns = columns
    self.chips = chips
  }

  /// Returns the error for a chip in `chips` without separate samples in the recording, in which
  /// the chips `others` have such samples.
  static func noSamples(of chip: String, among others: [String], file: String) -> RecordingError {
    RecordingError(
      .malformed, file: file, found: "no samples of \(Quoted.text(chip)) alone for --only",
      expected: others.isEmpty
        ? "a recording of several chips that measure the same, as otolith record writes it"
        : "one of the chips \(others.joined(separator: ", "))")
  }

  /// Returns the error for two chips in `chips` that have the same quantity.
  static func sameQuantity(_ channel: Channel, _ chip: String, file: String) -> RecordingError {
    RecordingError(
      .malformed, file: file,
      found: "\(Quoted.text(chip)) of --only has \(channel.row.words) as another chip of it has",
      expected: "one chip for each quantity",
      hint: "what chips give together depends on when their samples arrived, which no file has")
  }

  /// Returns the given columns that are missing in an MCAP file, which are all given columns
  /// because MCAP has no columns. Throws if columns were given for `file`, or if a unit of time was
  /// given.
  func absentColumns(ofMCAP file: String) throws(RecordingError) -> [ColumnName] {
    var option: String?
    if columns.contains(where: { $0.concerns(file) && (!isOfSeveral || $0.file != nil) }) {
      option = "--columns"
    } else if timeUnit != nil {
      option = "--time-unit"
    }
    guard let option else { return columns }
    throw RecordingError(
      .malformed, file: file, found: "an MCAP file has topics with types, and no columns",
      hint: "leave out \(option)")
  }
}
