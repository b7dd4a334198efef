// SPDX-License-Identifier: Apache-2.0
import Text
import CommandOutput
import ArgumentParser
import BusTraces
import Boards
import ChipCatalog
import Foundation
import Otolith
import Registers
import Sensors

struct ShowTrace: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print a trace in readable form, with registers and fields by "
      + "name.",
    discussion: """
      Each line has the time in seconds since the start, the duration, the chip, and the bytes \
      read (r) or written (w). Drivers' calls and clock readings are omitted unless --all is given.
      """)

  @OptionGroup var argument: TraceArgument

  @Option(
    help: "Show only this chip, by its name in the board file or its kind.", completion: .chips)
  var chip: String?

  @Option(help: "Show only this register, by its name or address: whoAmI, 0x75.")
  var register: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The start of the range, in seconds since the "
        + "trace began.", valueName: "seconds"),
    transform: NumberForm.seconds(0...1e9))
  var from: Double?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The end of the range.", valueName: "seconds"),
    transform: NumberForm.seconds(0...1e9))
  var to: Double?

  @Flag(help: "Show only errors.")
  var errors = false

  @Flag(help: "Show drivers' calls and clock readings too.")
  var all = false

  @Flag(help: "Print counts, rates, bus load, longest gaps and errors instead of the lines.")
  var summary = false

  @Flag(help: "Print the summary as one JSON object.")
  var json = false

  func run() throws {
    let (board, trace) = try argument.load()
    let chip = try self.chip.map { name throws(Failure) in try board.chip(named: name).name }
    var maps: [String: [RegisterRow]] = [:]
    var places: [String: RegisterPlaces] = [:]
    for placement in board.chips where chip == nil || placement.name == chip {
      let entry = ChipCatalog.entry(named: placement.chip)
      maps[placement.name] = entry?.registers() ?? []
      places[placement.name] = entry?.places
    }
    let wanted = try register.map { try Self.register($0, maps) }
    var shown = trace
    let begin = trace.header.origin
    let keep = zip(trace.events, trace.lines).filter { event, _ in
      let time = (event.time - begin).seconds
      return (chip == nil || event.chip == chip) && time >= from ?? -.infinity
        && time <= to ?? .infinity
    }
    shown.events = keep.map(\.0)
    shown.lines = keep.map(\.1)
    if summary || json {
      let summary = TraceSummary(shown)
      if json {
        Terminal.say(try summary.json())
      } else {
        for line in summary.lines(from: begin) { Terminal.say(line) }
      }
      return
    }
    var text = ""
    var table = TraceTable(maps, places, begin: begin)
    for event in shown.events {
      // Events that are not shown must be processed too, because they may select a register bank.
      defer { table.pass(event) }
      guard isWanted(event, wanted, table), let line = table.line(event) else { continue }
      text += TerminalText.shown(line) + "\n"
      if text.utf8.count > 1 << 16 {
        Terminal.write(text, to: 1)
        text = ""
      }
    }
    Terminal.write(text, to: 1)
  }

  private func isWanted(
    _ event: TraceEvent, _ wanted: FlatAddress?, _ table: TraceTable
  ) -> Bool {
    switch event.kind {
    case .transaction(let transaction):
      if errors, transaction.error == nil { return false }
      return wanted.map { table.isTouched($0, by: transaction) } ?? true
    case .stepped, .clock: return all && !errors && wanted == nil
    case .hole: return true
    default: return !errors && wanted == nil
    }
  }

  /// Returns the address of the register called `name` on one of the shown chips.
  private static func register(_ name: String, _ maps: [String: [RegisterRow]]) throws(Failure)
    -> FlatAddress
  {
    let rows = maps.values.flatMap { $0 }
    let isNumber = name.hasPrefix("0x") || name.contains(":")
    if isNumber, let query = try? RegisterQuery(name, among: rows) { return query.row.place }
    let found = Set(rows.filter { $0.name.lowercased() == name.lowercased() }.map(\.place))
    guard found.count == 1, let address = found.first else {
      throw Failure(
        found.isEmpty
          ? "--register \(name): no such register; otolith registers dump shows their names"
          : "--register \(name): the chips have it at different addresses; say which with --chip",
        Failure.usage)
    }
    return address
  }
}

/// A formatter for the lines of a trace that users read.
private struct TraceTable {
  private let rows: [String: [FlatAddress: RegisterRow]]
  /// The selected register bank of each chip.
  private var places: [String: RegisterPlaces]
  private let begin: Timestamp
  private let chipWidth: Int
  private let nameWidth: Int

  init(
    _ maps: [String: [RegisterRow]], _ places: [String: RegisterPlaces], begin: Timestamp
  ) {
    self.places = places
    rows = maps.mapValues { rows in
      Dictionary(rows.map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first })
    }
    self.begin = begin
    chipWidth = maps.keys.map(\.count).max() ?? 0
    nameWidth = maps.values.flatMap { $0 }.map(\.name.count).max() ?? 0
  }

  /// Updates the selected banks after `event`.
  mutating func pass(_ event: TraceEvent) {
    guard case .transaction(let transaction) = event.kind else { return }
    switch (transaction.request, transaction.outcome) {
    case (.write(let register, let bytes), .bytes):
      places[event.chip]?.note(bytes, writtenTo: register)
    case (.read(let register, _), .bytes(let bytes)):
      places[event.chip]?.note(bytes, readFrom: register)
    case (_, .failure): break
    }
  }

  /// Returns true if `transaction` accesses the register at `wanted`.
  func isTouched(_ wanted: FlatAddress, by transaction: TraceTransaction) -> Bool {
    let places = places[transaction.chip] ?? RegisterPlaces()
    let first = places.place(of: transaction.request.register)
    let count =
      switch transaction.request {
      case .read(_, let count): count
      case .write(_, let bytes): bytes.count
      }
    if first == wanted || rows[transaction.chip]?[first]?.effect == .popsQueue {
      return first == wanted
    }
    let last = Int(first.register) + (places.countsWords ? (count - 1) / 2 : count - 1)
    return (Int(first.register)...max(Int(first.register), last)).contains(Int(wanted.register))
      && places.place(of: wanted.register) == wanted
  }

  func line(_ event: TraceEvent) -> String? {
    var duration = ""
    let what: String
    switch event.kind {
    case .transaction(let transaction):
      duration = "\((transaction.duration.seconds * 1e6).rounded() / 1e3) ms"
      what = text(transaction)
    case .opened(let chip):
      what =
        "opened: \(chip.chip) over \(chip.wire.rawValue), identity "
        + (chip.identity.map { TraceFormat.hexadecimal($0) } ?? "not answered")
    case .started: what = "driver starts"
    case .stopped: what = "driver stops"
    case .selfTestStarted: what = "driver starts the self-test"
    case .stepped(let isEdge): what = isEdge ? "driver called for an edge" : "driver called"
    case .clock: what = "driver reads the clock"
    case .edges(let count, let newest):
      what =
        "\(count) edge\(count == 1 ? "" : "s"), newest at "
        + TraceFormat.seconds(newest - begin)
    case .health(let health, _):
      what =
        "driver's count: \(health.received) received, \(health.missing) missing, "
        + "\(health.busErrors) bus errors"
    case .hole(let events): what = "HERE \(events) EVENTS ARE MISSING"
    case .ended: what = "end of the recording"
    }
    let time = TraceFormat.seconds(event.time - begin).leftPadded(to: 14)
    return "\(time)  \(duration.leftPadded(to: 9))  \(event.chip.padded(to: chipWidth))  \(what)"
  }

  private func text(_ transaction: TraceTransaction) -> String {
    let places = places[transaction.chip] ?? RegisterPlaces()
    let register = transaction.request.register
    let row = rows[transaction.chip]?[places.place(of: register)]
    let size = row?.size ?? 1
    func head(_ verb: String, _ count: Int) -> String {
      let name = row?.name ?? "?"
      let whole = count > size ? "\(name) +\(count - size)" : name
      let label = row?.label ?? TraceFormat.hexadecimal(register)
      return "\(verb) \(label) \(whole.padded(to: nameWidth + 4))"
    }
    func contents(_ bytes: [UInt8]) -> String {
      guard bytes.count == size, let first = bytes.first else {
        return bytes.map { String(TraceFormat.hexadecimal($0).dropFirst(2)) }
          .joined(separator: " ")
      }
      guard let row else { return TraceFormat.hexadecimal(first) }
      let value = row.order?.word(first, bytes[1]) ?? UInt16(first)
      let fields = row.fieldText(of: value)
      return row.text(value) + (fields.isEmpty ? "" : "  " + fields)
    }
    let failure = transaction.error.map { "FAILED: \(TraceFormat.word($0))" }
    switch transaction.request {
    case .write(_, let bytes):
      return head("w", bytes.count) + contents(bytes) + (failure.map { "  " + $0 } ?? "")
    case .read(_, let count):
      guard case .bytes(let bytes) = transaction.outcome else {
        return head("r", count) + (failure ?? "")
      }
      return head("r", count) + contents(bytes)
    }
  }
}

extension TraceSummary {
  fileprivate func lines(from begin: Timestamp) -> [String] {
    var lines = ["\(TraceFormat.seconds(length)) s"]
    for chip in chips {
      let seconds = max(length.seconds, 1e-9)
      let count = chip.reads + chip.writes
      lines.append(
        "\(chip.name): \(chip.opened?.chip ?? "") \(chip.reads) reads, \(chip.writes) writes, "
          + "\(chip.bytes) bytes")
      lines.append(
        "  \(tenths(Double(count) / seconds)) transactions/s, \(tenths(Double(chip.bytes) / seconds)) bytes/s, "
          + "bus busy \(tenths(chip.busTime.seconds / seconds * 100)) %, "
          + "\(chip.edges) edges, driver called \(chip.steps) times")
      lines.append(
        "  longest gap \(tenths(chip.longestGap.seconds * 1e3)) ms, from "
          + "\(TraceFormat.seconds(chip.gapBegin - begin)) s")
      lines.append(
        "  errors: "
          + (chip.errors.isEmpty
            ? "none" : chip.errors.map { "\($0.word) \($0.count)" }.joined(separator: ", ")))
    }
    return lines
  }

  private func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  fileprivate func json() throws -> String {
    struct Row: Encodable {
      var reads, writes, bytes, steps, edges: Int
      var busSeconds, longestGapSeconds: Double
      var errors: [String: Int]
    }
    struct Whole: Encodable {
      var lengthSeconds: Double
      var isCutOff: Bool
      var missingEvents: Int
      var chips: [String: Row]
    }
    var rows: [String: Row] = [:]
    for chip in chips {
      rows[chip.name] = Row(
        reads: chip.reads, writes: chip.writes, bytes: chip.bytes, steps: chip.steps,
        edges: chip.edges, busSeconds: chip.busTime.seconds,
        longestGapSeconds: chip.longestGap.seconds,
        errors: Dictionary(chip.errors.map { ($0.word, $0.count) }, uniquingKeysWith: +))
    }
    let whole = Whole(
      lengthSeconds: length.seconds, isCutOff: isCutOff, missingEvents: missing, chips: rows)
    return try whole.jsonText()
  }
}
