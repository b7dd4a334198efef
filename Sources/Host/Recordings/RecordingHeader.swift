// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The header row of a recording, with the meaning of each column.
struct RecordingHeader {
  let scanner: CellScanner
  private let file: String
  var separator: UInt8 { scanner.separator }
  private(set) var names: [String] = []
  /// The column names that the user gave and the file does not have.
  private(set) var absent: [ColumnName] = []
  private(set) var columns: [RecordingColumn] = []
  private(set) var channels: ChannelSet = []
  private(set) var timeUnit = TimeUnit.s
  /// The phone app that wrote the file; `nil` if the columns have otolith's names.
  private(set) var phone: PhoneRecording?
  /// The remarks to print before the recording's first row.
  private(set) var notes: [RecordingWarning] = []
  /// The index in the file at which the rows begin after the header.
  private(set) var end: Int

  /// True if the user has chosen chips.
  private let isOfChips: Bool

  /// The first column whose name is probably a misspelling of one of otolith's names.
  private var likely: (stranger: String, name: String, start: Int)?
  private var start: Int
  /// The columns that have the same name as an earlier column, with their indices.
  private var repeated: [(column: Int, start: Int)] = []

  init(
    _ whole: CellScanner, file: String,
    _ conventions: RecordingConventions = RecordingConventions()
  ) throws(RecordingError) {
    var scanner = whole
    // A file that has only a header need not end with a line end.
    scanner.end = scanner.bytes.count
    self.file = file
    isOfChips = !conventions.chips.isEmpty
    start = scanner.afterEmptyLines(scanner.origin)
    scanner.separator = Self.separator(scanner, start)
    self.scanner = scanner
    end = start
    try readNames()
    columns = names.map {
      RecordingColumn(slot: RecordingColumns.names.firstIndex(of: $0) ?? RecordingColumns.ignored)
    }
    try readChips(conventions.chips)
    let given = conventions.columns.filter { $0.concerns(file) }
    for name in given { try rename(name, isOfSeveral: conventions.isOfSeveral) }
    if !has(0) { try recogniseOthers(given) }
    timeUnit = conventions.timeUnit ?? phone?.timeUnit ?? .s
    for unit in conventions.units { measure(unit) }
    try findChannels(isRenamed: !conventions.columns.isEmpty || !conventions.chips.isEmpty)
    try refuseRepeated()
    describe()
  }

  /// Returns the character that separates cells. It is a semicolon or a tab, which some programs
  /// use, if the header has more of these characters than commas; otherwise a comma.
  private static func separator(_ scanner: CellScanner, _ start: Int) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in scanner.bytes[start...] {
      if byte == UInt8(ascii: "\n") { break }
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    let comma = UInt8(ascii: ",")
    let others = [UInt8(ascii: ";"), UInt8(ascii: "\t")]
    let most = others.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? comma
    return counts[most, default: 0] > counts[comma, default: 0] ? most : comma
  }

  private mutating func readNames() throws(RecordingError) {
    var said: Set<String> = []
    var isLast = false
    while !isLast {
      guard let cell = scanner.cell(at: end) else {
        throw error(end, "a column name in quotes is not closed", "a closing quote")
      }
      let name = ColumnName.trimmed(
        String(decoding: scanner.bytes[cell.content], as: UTF8.self))
      // Tables often have one or several columns of row numbers without a name.
      if !name.isEmpty, !said.insert(name).inserted { repeated.append((names.count, cell.start)) }
      if likely == nil, !RecordingColumns.names.contains(name),
        let meant = RecordingColumns.likely(name)
      {
        likely = (name, meant, cell.start)
      }
      names.append(name)
      end = cell.next
      isLast = cell.endsRow
    }
  }

  /// Throws if a column that is read has the same name as another column, because it is ambiguous
  /// which column to read.
  private func refuseRepeated() throws(RecordingError) {
    for (column, start) in repeated
    where columns.indices.contains(where: { names[$0] == names[column] && columns[$0].isRead }) {
      throw error(start, "a second column \(Quoted.text(names[column]))", "each name once")
    }
  }

  private func has(_ slot: Int) -> Bool { columns.contains { $0.slot == slot } }

  // MARK: - Others' columns

  /// Sets the slots of the columns to which the user's `name` refers.
  private mutating func rename(_ name: ColumnName, isOfSeveral: Bool) throws(RecordingError) {
    guard let places = name.places(among: names) else {
      if isOfSeveral, name.file == nil {
        absent.append(name)
        return
      }
      throw error(
        start, "no column \(Quoted.text(name.theirs)) for --columns", "one of the header's names")
    }
    for (slot, column) in places {
      for index in columns.indices where columns[index].slot == slot {
        columns[index] = RecordingColumn()
      }
      columns[column] = RecordingColumn(slot: slot, factor: name.isNegative ? -1 : 1)
    }
  }

  /// Assigns the columns of these chips to the slots of their quantities.
  private mutating func readChips(_ chips: [String]) throws(RecordingError) {
    guard !chips.isEmpty else { return }
    let own = names.compactMap(ChipColumns.quantity)
    var taken: ChannelSet = []
    for chip in chips {
      let channels = ChannelSet(own.filter { $0.chip == chip }.map(\.channel))
      guard !channels.isEmpty else {
        var others: [String] = []
        for name in own.map(\.chip) where !others.contains(name) { others.append(name) }
        throw RecordingConventions.noSamples(
          of: chip, among: others.map(ControlCharacters.visible), file: file)
      }
      for channel in Channel.allCases where channels.contains(channel) {
        guard !taken.contains(channel) else {
          throw RecordingConventions.sameQuantity(channel, chip, file: file)
        }
        let name = "\(channel.row.name)"
        guard let column = ColumnName("\(name)=\(chip).\(name)") else { continue }
        try rename(column, isOfSeveral: false)
      }
      taken.formUnion(channels)
    }
  }

  /// Recognises the columns of a file without the column `timestamp`. Such a file may come from a
  /// phone app, which has other names.
  private mutating func recogniseOthers(_ given: [ColumnName]) throws(RecordingError) {
    // If a vector has otolith's names, the file is a recording whose time column has another name.
    let isOurs = columns.contains { (1...9).contains($0.slot) }
    do throws(PhoneRecording.Refusal) {
      phone = isOurs ? nil : try PhoneRecording.recognised(names, file: file)
    } catch { throw self.error(start, error.found, error.expected, error.hint) }
    if let phone {
      columns = phone.columns
      for name in given { try rename(name, isOfSeveral: true) }
    }
    guard has(0) else {
      try refuseRepeated()
      let timestamp = RecordingColumns.names[0]
      let place = likely?.name == timestamp ? likely?.start : nil
      throw UnusualHeader(scanner, start, names, file: file)?.error
        ?? error(
          place ?? start, "no column 'timestamp'", "a header row with 'timestamp'", timeHint)
    }
  }

  /// The option that makes a file without `timestamp` readable.
  private var timeHint: String? {
    guard let suggestion else { return nil }
    guard !suggestion.contains("timestamp=") else { return "say \(suggestion)" }
    return "which column is the time? use "
      + suggestion.replacing("--columns ", with: "--columns timestamp=NAME,", maxReplacements: 1)
  }

  /// Sets the unit of a quantity's columns to `unit`. A changed sign is kept.
  private mutating func measure(_ unit: MeasuredUnit) {
    guard let slots = RecordingColumns.channels.first(where: { $0.channel == unit.channel })?.slots
    else { return }
    for index in columns.indices where slots.contains(columns[index].slot) {
      columns[index].factor = columns[index].factor < 0 ? -unit.factor : unit.factor
    }
    if unit.channel == .acceleration { phone?.mayBeGravities = false }
  }

  // MARK: - Ours

  private mutating func findChannels(isRenamed: Bool) throws(RecordingError) {
    if !isRenamed, Self.isMotion(names) { throw Self.motionFile(file, line: 1) }
    for (channel, needed) in RecordingColumns.channels {
      let lacking = needed.first { !has($0) }
      if let lacking, needed.contains(where: { has($0) }) {
        let name = RecordingColumns.names[lacking]
        throw error(
          start, "no column '\(name)'", "all three of .x .y .z, or none",
          hint(name))
      }
      if lacking == nil { channels.insert(ChannelSet(channel)) }
    }
    guard !channels.isEmpty else {
      throw error(
        start, "no column of a sensor", "acceleration.x .y .z, rotationRate.x .y .z or others",
        suggestion.map { "say \($0)" })
    }
  }

  /// Returns true for a file of motion. The values in such a file are the output of fusion and must
  /// not be its input.
  private static func isMotion(_ names: [String]) -> Bool {
    ["attitude.w", "gravity.x", "userAcceleration.x"].allSatisfy { names.contains($0) }
      && !names.contains("acceleration.x")
  }

  static func motionFile(_ file: String, line: Int?) -> RecordingError {
    RecordingError(
      .malformed, file: file, line: line, column: line,
      found: "a motion file, as otolith run and replay write it",
      expected: "what sensors measured",
      hint: "replay needs samples, as written by otolith record")
  }

  /// Adds remarks about the app that wrote the file, or about the columns that are not read.
  private mutating func describe() {
    if let phone {
      let there = Channel.allCases.filter { channels.contains($0) }.map { "\($0.row.name)" }
      let text = "\(file): recorded by \(phone.app): " + there.joined(separator: ", ")
      notes.append(RecordingWarning(text: ControlCharacters.visible(text)))
      return
    }
    let unread = zip(names, columns).filter {
      !$1.isRead && !$0.isEmpty && !$0.hasPrefix("truth.") && !LogFormat.isOfLog($0)
    }.map { $0.0 }
    if !isOfChips { noteChips(among: unread) }
    // A column with one of otolith's names is unread only if --columns reads another chip's column
    // instead.
    let strangers = unread.filter {
      ChipColumns.quantity($0) == nil && !RecordingColumns.names.contains($0)
    }
    guard !strangers.isEmpty else { return }
    let shown = strangers.prefix(6).map { Quoted.text($0) }.joined(separator: ", ")
    let rest = strangers.count > 6 ? " and \(strangers.count - 6) more" : ""
    notes.append(
      RecordingWarning(
        text: ControlCharacters.visible("\(file): not read: \(shown)\(rest)"),
        remedy: suggestion))
  }

  /// The options that would read the unread columns; `nil` if there are none.
  private var suggestion: String? {
    UsualNames.options(
      zip(names, columns).filter { !$1.isRead }.map(\.0), has: Set(columns.map(\.slot)))
  }

  /// Adds a remark about the columns of further chips, which are skipped, and about the option that
  /// reads these columns.
  private mutating func noteChips(among unread: [String]) {
    var quantities: [(chip: String, channel: Channel)] = []
    for name in unread {
      guard let (chip, channel) = ChipColumns.quantity(name),
        !quantities.contains(where: { $0 == (chip, channel) })
      else { continue }
      quantities.append((chip, channel))
    }
    guard let chip = quantities.first?.chip else { return }
    let names = quantities.map { "\($0.chip).\($0.channel.row.name)" }
    let columns = quantities.filter { $0.chip == chip }.map {
      "\($0.channel.row.name)=\(chip).\($0.channel.row.name)"
    }
    let text =
      "\(file): skipped, because another chip has the same quantity: "
      + "\(names.joined(separator: ", ")); to read those of \(chip) instead: --columns "
      + "\(columns.joined(separator: ","))"
    notes.append(RecordingWarning(text: ControlCharacters.visible(text)))
  }

  // MARK: - Errors

  private func hint(_ name: String) -> String? {
    guard let likely, likely.name == name else { return nil }
    return "rename \(Quoted.text(likely.stranger))"
  }

  private func error(
    _ offset: Int, _ found: String, _ expected: String, _ hint: String? = nil
  ) -> RecordingError {
    let place = scanner.place(of: offset)
    return RecordingError(
      .malformed, file: file, line: place.line, column: place.column, found: found,
      expected: expected, hint: hint)
  }
}
