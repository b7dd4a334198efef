// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusTraces
import Foundation
import Otolith
import RegisterTools

struct ShowTrace: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print a trace for people: registers and fields by name.",
    discussion: """
      Each line has the time in seconds from the begin, how long it took, the chip, and what was \
      read (r) or written (w). Calls of drivers and their looks at the clock are left out unless \
      --all is given.
      """)

  @OptionGroup var argument: TraceArgument

  @Option(help: "Only this chip, by its name in the board file.")
  var chip: String?

  @Option(help: "Only this register, by its name or address: whoAmI, 0x75.")
  var register: String?

  @Option(help: ArgumentHelp("Nothing before.", valueName: "seconds"))
  var from: Double?

  @Option(help: ArgumentHelp("Nothing after.", valueName: "seconds"))
  var to: Double?

  @Flag(help: "Only what failed.")
  var errors = false

  @Flag(help: "Calls of drivers and their looks at the clock too.")
  var all = false

  @Flag(help: "Counts, rates, bus load, longest gaps and errors in the place of the lines.")
  var summary = false

  @Flag(help: "Print the summary as one JSON object.")
  var json = false

  func run() throws {
    let (board, trace) = try argument.load()
    if let chip, !board.chips.contains(where: { $0.name == chip }) {
      let names = board.chips.map(\.name).joined(separator: ", ")
      throw Failure("--chip \(chip): no such chip; there is \(names)", Failure.usage)
    }
    var maps: [String: [RegisterRow]] = [:]
    for placement in board.chips where chip == nil || placement.name == chip {
      maps[placement.name] = ChipCatalog.entry(named: placement.chip)?.registers() ?? []
    }
    let address = try register.map { try Self.address($0, maps) }
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
    let table = TraceTable(maps, begin: begin)
    for event in shown.events where isWanted(event, address, maps) {
      guard let line = table.line(event) else { continue }
      text += line + "\n"
      if text.utf8.count > 1 << 16 {
        Terminal.write(text, to: 1)
        text = ""
      }
    }
    Terminal.write(text, to: 1)
  }

  private func isWanted(
    _ event: TraceEvent, _ address: UInt8?, _ maps: [String: [RegisterRow]]
  ) -> Bool {
    switch event.kind {
    case .transaction(let transaction):
      if errors, transaction.error == nil { return false }
      guard let address else { return true }
      switch transaction.request {
      case .write(let register, _): return register == address
      case .read(let register, let count):
        let isQueue =
          maps[event.chip]?.contains { $0.address == register && $0.effect == .popsQueue } ?? false
        return register == address
          || !isQueue && register < address && Int(address) < Int(register) + count
      }
    case .stepped, .clock: return all && !errors && address == nil
    case .hole: return true
    default: return !errors && address == nil
    }
  }

  /// The address of the register called `name` on one of the chips shown.
  private static func address(_ name: String, _ maps: [String: [RegisterRow]]) throws(Failure)
    -> UInt8
  {
    if name.hasPrefix("0x"), let address = UInt8(name.dropFirst(2), radix: 16) { return address }
    let rows = maps.values.flatMap { $0 }
    let found = Set(rows.filter { $0.name.lowercased() == name.lowercased() }.map(\.address))
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

/// The lines of a trace for people.
private struct TraceTable {
  private let rows: [String: [UInt8: RegisterRow]]
  private let begin: Timestamp
  private let chipWidth: Int
  private let nameWidth: Int

  init(_ maps: [String: [RegisterRow]], begin: Timestamp) {
    rows = maps.mapValues { rows in
      Dictionary(rows.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
    }
    self.begin = begin
    chipWidth = maps.keys.map(\.count).max() ?? 0
    nameWidth = maps.values.flatMap { $0 }.map(\.name.count).max() ?? 0
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
    case .clock: what = "driver looks at the clock"
    case .edges(let count, let newest):
      what =
        "\(count) edge\(count == 1 ? "" : "s"), newest at "
        + TraceFormat.seconds(newest - begin)
    case .health(let health):
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
    let map = rows[transaction.chip] ?? [:]
    func head(_ verb: String, _ register: UInt8, _ count: Int) -> String {
      let name = map[register]?.name ?? "?"
      let whole = count > 1 ? "\(name) +\(count - 1)" : name
      return "\(verb) \(TraceFormat.hexadecimal(register)) \(whole.padded(to: nameWidth + 4))"
    }
    func fields(_ register: UInt8, _ value: UInt8) -> String {
      let fields = map[register]?.fieldText(of: value) ?? ""
      return TraceFormat.hexadecimal(value) + (fields.isEmpty ? "" : "  " + fields)
    }
    let failure = transaction.error.map { "FAILED: \(TraceFormat.word($0))" }
    switch transaction.request {
    case .write(let register, let value):
      return head("w", register, 1) + fields(register, value) + (failure.map { "  " + $0 } ?? "")
    case .read(let register, let count):
      guard case .bytes(let bytes) = transaction.outcome else {
        return head("r", register, count) + (failure ?? "")
      }
      if bytes.count == 1 { return head("r", register, 1) + fields(register, bytes[0]) }
      let hexadecimal = bytes.map { String(TraceFormat.hexadecimal($0).dropFirst(2)) }
      return head("r", register, count) + hexadecimal.joined(separator: " ")
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
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let whole = Whole(
      lengthSeconds: length.seconds, isCutOff: isCutOff, missingEvents: missing, chips: rows)
    return String(decoding: try encoder.encode(whole), as: UTF8.self)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
