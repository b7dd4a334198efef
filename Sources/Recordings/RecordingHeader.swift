// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The first row of a recording: which column holds what.
struct RecordingHeader {
  let scanner: CellScanner
  private(set) var slots: [Int] = []
  private(set) var channels: ChannelSet = []
  /// The place at which the rows begin.
  private(set) var end: Int

  init(_ scanner: CellScanner, origin: Int, file: String) throws(RecordingError) {
    self.scanner = scanner
    var names: Set<String> = []
    var likely: (stranger: String, name: String, start: Int)?
    end = scanner.afterEmptyLines(origin)
    var isLast = false

    func error(_ offset: Int, _ found: String, _ expected: String, _ hint: String? = nil)
      -> RecordingError
    {
      let place = scanner.place(of: offset, after: origin)
      return RecordingError(
        .malformed, file: file, line: place.line, column: place.column, found: found,
        expected: expected, hint: hint)
    }

    let start = end
    while !isLast {
      guard let cell = scanner.cell(at: end) else {
        throw error(end, "a column name in quotes is not closed", "a closing quote")
      }
      let name = String(decoding: scanner.bytes[cell.content], as: UTF8.self)
      // Tables often come with a nameless column of row numbers, or several.
      guard name.isEmpty || names.insert(name).inserted else {
        throw error(cell.start, "a second column \(Quoted.text(name))", "each name once")
      }
      let slot = RecordingColumns.names.firstIndex(of: name)
      if slot == nil, likely == nil, let meant = RecordingColumns.likely(name) {
        likely = (name, meant, cell.start)
      }
      slots.append(slot ?? RecordingColumns.ignored)
      end = cell.next
      isLast = cell.endsRow
    }

    func hint(_ name: String) -> String? {
      guard let likely, likely.name == name else { return nil }
      return "rename \(Quoted.text(likely.stranger))"
    }

    let timestamp = RecordingColumns.names[0]
    guard slots.contains(0) else {
      let place = likely?.name == timestamp ? likely?.start : nil
      throw error(
        place ?? start, "no column 'timestamp'", "a header row with 'timestamp'", hint(timestamp))
    }
    for (channel, needed) in RecordingColumns.channels {
      let lacking = needed.first { !slots.contains($0) }
      if let lacking, needed.contains(where: { slots.contains($0) }) {
        let name = RecordingColumns.names[lacking]
        throw error(start, "no column '\(name)'", "all three of .x .y .z, or none", hint(name))
      }
      if lacking == nil { channels.insert(ChannelSet(channel)) }
    }
    guard !channels.isEmpty else {
      throw error(
        start, "no column of a sensor", "acceleration.x .y .z, rotationRate.x .y .z or others",
        likely.map { "rename \(Quoted.text($0.stranger)) to '\($0.name)'" })
    }
  }
}
