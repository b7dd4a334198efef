// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A command that writes a file.
struct WritingCommand: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let command: String
  let file: String
  /// The effect on an existing file.
  let kind: Kind

  enum Kind: Sendable {
    /// The file is replaced by a complete one.
    case replaced
    /// The file is changed: its contents are read first.
    case changed
    /// The file is emptied, and grows by complete lines.
    case lines
    /// The file is emptied and grows; an incomplete last line is ignored by readers.
    case trace
    /// The file grows, and is complete at any time.
    case log
  }

  static let all = [
    WritingCommand(
      testDescription: "replay", command: "replay walk.csv -o out.csv --force", file: "out.csv",
      kind: .replaced),
    WritingCommand(
      testDescription: "history export", command: "history export -o out.csv --force",
      file: "out.csv", kind: .replaced),
    WritingCommand(
      testDescription: "calibrate",
      command: "calibrate gyroscope --board board.yaml --recording rest.csv --duration 5",
      file: "calibration/board.yaml", kind: .changed),
    WritingCommand(
      testDescription: "learned file", command: "run --board learning.yaml --duration 0.2",
      file: "learned.yaml", kind: .changed),
    WritingCommand(
      testDescription: "record",
      command: "record --board board.yaml -o out.csv --duration 60 --instant --force",
      file: "out.csv", kind: .lines),
    WritingCommand(
      testDescription: "record as JSON lines",
      command: "record --board board.yaml -o - --motion out.jsonl --duration 5 --instant --force",
      file: "out.jsonl", kind: .lines),
    WritingCommand(
      testDescription: "record as MCAP",
      command: "record --board board.yaml -o out.mcap --duration 60 --instant --force",
      file: "out.mcap", kind: .log),
    WritingCommand(
      testDescription: "trace record",
      command: "trace record --board board.yaml --duration 0.2 -o out.trace --force",
      file: "out.trace", kind: .trace),
  ]
}

/// A folder with the commands' input files, and a file that the command has written once.
struct WritingRig {
  let scratch: Scratch
  let writer: WritingCommand
  /// The file's content if nothing prevents writing.
  let whole: String
  /// The content of an existing file.
  let old: String
  private let before: [String]

  private static let chip =
    """
    buses: { wire: { simulated: i2c } }
    chips:
      imu: { chip: "invensense,mpu6050", on: wire, address: 0x68, rate-hz: 100, read-by: fifo }

    """

  init(_ writer: WritingCommand) throws {
    scratch = try Scratch()
    self.writer = writer
    try scratch.write(ReplayTests.recording, to: "walk.csv")
    try scratch.write(CalibrateTests.resting, to: "rest.csv")
    try scratch.write(
      "otolith-board: 1\nname: One chip\n\(Self.chip)learned: off\n", to: "board.yaml")
    try scratch.write(
      "otolith-board: 1\nname: Learns\n\(Self.chip)learned: learned.yaml\n", to: "learning.yaml")
    let dump = Tool.root + "/Tests/HistoryTests/Movement/version-1.sql"
    let made = try Tool.shell(
      """
      mkdir -p state/otolith/movement calibration && python3 -c "
      import sqlite3
      c = sqlite3.connect('state/otolith/movement/movement.sqlite')
      c.executescript(open('\(dump)').read())"
      """, in: scratch)
    try #require(made.status == 0, "\(made.errors)")
    if writer.file == "learned.yaml" {
      // Run until something has been learned for the first time.
      let long = try Tool.run("run", "--board", "learning.yaml", "--duration", "8", in: scratch)
      try #require(long.status == 0, "\(long.errors)")
    }
    let (status, ending) = try Self.run(writer, "", in: scratch)
    try #require(status == 0, "\(ending.errors)")
    whole = try Self.text(writer.file, in: scratch)
    old = writer.kind == .changed ? whole : "the old one\n"
    before = Self.names(in: scratch)
  }

  /// Runs the command with `environment`, and returns its status; 137 if it was killed.
  func run(_ environment: String = "", prefix: String = "") throws -> (status: Int, Tool.Ending) {
    try scratch.write(old, to: writer.file)
    return try Self.run(writer, environment, prefix: prefix, in: scratch)
  }

  private static func run(
    _ writer: WritingCommand, _ environment: String, prefix: String = "", in scratch: Scratch
  ) throws -> (Int, Tool.Ending) {
    let ending = try Tool.shell(
      "\(prefix) env XDG_STATE_HOME='\(scratch.path)/state' \(environment) \"$OTOLITH\" "
        + "\(writer.command) > /dev/null; echo $?", in: scratch)
    return (try #require(ending.lines.last.flatMap { Int($0) }), ending)
  }

  /// Returns the content of a file with one character per byte.
  private static func text(_ name: String, in scratch: Scratch) throws -> String {
    try String(contentsOfFile: "\(scratch.path)/\(name)", encoding: .isoLatin1)
  }

  /// Returns the names in the folder, without SQLite's files that exist only during reading.
  private static func names(in scratch: Scratch) -> [String] {
    let all = FileManager.default.enumerator(atPath: scratch.path)?.compactMap { $0 as? String }
    return (all ?? []).filter {
      !$0.contains(".stream-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }.sorted()
  }

  /// The names of additional files, including `.part` files, and of missing files.
  var strangers: [String] {
    let now = Self.names(in: scratch)
    return now.filter { !before.contains($0) } + before.filter { !now.contains($0) }
  }

  /// Makes the files that a killed process left two minutes old, as the next run finds them.
  func age() throws {
    for name in strangers {
      try FileManager.default.setAttributes(
        [.modificationDate: Date() - 120], ofItemAtPath: "\(scratch.path)/\(name)")
    }
  }

  /// Returns the fault of the current file; `nil` if it is the old file or a complete one.
  func fault() throws -> String? {
    let text = try Self.text(writer.file, in: scratch)
    if text == old || text == whole { return nil }
    let first = whole.split(separator: "\n").first
    let isGood =
      switch writer.kind {
      case .replaced: false
      // The file contains the time of writing.
      case .changed: text.split(separator: "\n").count == whole.split(separator: "\n").count
      case .lines:
        // The times in each JSON line differ.
        text.isEmpty
          || text.hasSuffix("\n")
            && (text.split(separator: "\n").first == first || text.hasPrefix("{"))
      case .trace: text.isEmpty || text.split(separator: "\n").first == first
      // The magic bytes of the beginning and of the end (mcap.dev, specification, "File
      // Structure").
      case .log:
        text.isEmpty || text.hasPrefix("\u{89}MCAP0\r\n") && text.hasSuffix("\u{89}MCAP0\r\n")
      }
    return isGood ? nil : "\(text.count) of \(whole.count) characters, ending in \(text.suffix(99))"
  }
}
