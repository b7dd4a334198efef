// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Output files: a command never overwrites one that it reads, and others only with `--force`.
@Suite struct OutputFileTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(ReplayTests.recording, to: "walk.csv")
    try scratch.write("precious", to: "old.csv")
    try scratch.write("precious", to: "old.svg")
    try scratch.write("precious", to: "old.html")
    try scratch.write("precious", to: "old.yaml")
    try scratch.write("precious", to: "old.trace")
    try scratch.write(ReplayTests.turning, to: "turning.csv")
    try scratch.write(
      try String(contentsOfFile: Tool.root + "boards/simulated.yaml", encoding: .utf8),
      to: "board.yaml")
  }

  @Test func `a recording is never written over, by no name of it`() throws {
    let shell = "ln -s walk.csv link.csv; ln walk.csv hard.csv; mkdir -p below"
    #expect(try Tool.shell(shell, in: scratch).status == 0)
    for name in ["walk.csv", "./below/../walk.csv", "link.csv", "hard.csv"] {
      for force in [[], ["--force"]] {
        let ending = try Tool.run(["replay", "walk.csv", "-o", name] + force, in: scratch)
        #expect(ending.status == 73, "\(name)")
        #expect(
          ending.errors
            == "\(name): is an input of this command and is not overwritten; name another file\n")
        #expect(try scratch.text("walk.csv") == ReplayTests.recording)
      }
    }
  }

  @Test(arguments: [
    "replay walk.csv -o old.csv", "noise --recording turning.csv --svg old.svg",
    "noise --recording turning.csv --csv old.csv",
    "bringup board.yaml --duration 0.5 --output old.html",
    "boards wiring raspberry-pi-gy521 --svg old.svg",
    "boards new old.yaml --like raspberry-pi-gy521",
    "trace record --board board.yaml --duration 0.2 --output old.trace",
  ]) func `a file that is there is replaced with force alone`(_ command: String) throws {
    let name = try #require(command.split(separator: " ").first { $0.hasPrefix("old.") })
    let refused = try Tool.shell("\"$OTOLITH\" \(command)", in: scratch)
    #expect(refused.status == 73, "\(refused.errors)")
    #expect(
      refused.errorLines.last
        == "\(name): exists already; name another file, or use --force to replace it")
    #expect(try scratch.text(String(name)) == "precious")
    let replaced = try Tool.shell("\"$OTOLITH\" \(command) --force", in: scratch)
    #expect(replaced.status == 0, "\(replaced.errors)")
    #expect(try scratch.text(String(name)).count > 100)
  }

  @Test func `what a board is read from is written over by none`() throws {
    let board = try scratch.text("board.yaml")
    for command in [
      "trace record --board board.yaml --duration 0.2 --output board.yaml --force",
      "noise --board board.yaml --duration 2 --csv board.yaml --force",
      "boards new board.yaml --board board.yaml --yes --force",
    ] {
      let ending = try Tool.shell("\"$OTOLITH\" \(command)", in: scratch)
      #expect(ending.status != 0, "\(command)")
      #expect(try scratch.text("board.yaml") == board, "\(command)")
    }
  }

  @Test func `a second report of bring-up has another name`() throws {
    for name in ["bringup-board.html", "bringup-board-2.html"] {
      let ending = try Tool.run("bringup", "board.yaml", "--duration", "0.5", in: scratch)
      #expect(ending.status == 0)
      #expect(ending.errorLines.last == "report: \(name)")
      #expect(scratch.names.contains(name))
    }
  }

  @Test(arguments: [
    ("boards wiring raspberry-pi-gy521 --svg", "x.png", "SVG", "PNG", ".svg"),
    ("noise --recording turning.csv --svg", "x.pdf", "SVG", "PDF", ".svg"),
    ("noise --recording turning.csv --csv", "x.json", "CSV", "JSON", ".csv"),
    ("bringup board.yaml --duration 0.5 --output", "x.pdf", "HTML", "PDF", ".html"),
    ("trace record --board board.yaml --duration 0.2 --output", "x.csv", "TRACE", "CSV", ".trace"),
    ("replay walk.csv --format csv --output", "x.mcap", "CSV", "MCAP", ".csv"),
    ("replay walk.csv --json --output", "x.csv", "JSONL", "CSV", ".jsonl"),
    ("record --board board.yaml --format csv --output", "x.mcap", "CSV", "MCAP", ".csv"),
    ("record --board board.yaml --json --motion", "x.csv", "JSONL", "CSV", ".jsonl"),
  ]) func `a name that says another format is refused`(
    _ command: String, _ name: String, _ holds: String, _ named: String, _ ending: String
  ) throws {
    let refused = try Tool.shell("\"$OTOLITH\" \(command) \(name)", in: scratch)
    let option = try #require(command.split(separator: " ").last)
    #expect(refused.status == 64)
    #expect(
      refused.errorLines.last
        == "\(option) \(name): what is written there is \(holds), not \(named): use the extension "
        + "\(ending)")
    #expect(!scratch.names.contains(name))
  }

  /// Extensions of formats that other commands write, of compressed files, and none.
  @Test(arguments: [
    ("replay walk.csv --output", "CSV, JSONL or MCAP", ".csv, .jsonl or .mcap"),
    (
      "record --board board.yaml --instant --duration 1 --output", "CSV, JSONL or MCAP",
      ".csv, .jsonl or .mcap"
    ),
    ("record --board board.yaml --instant --duration 1 --motion", "CSV or JSONL", ".csv or .jsonl"),
    ("history export --output", "CSV or JSONL", ".csv or .jsonl"),
  ]) func `rows are written in no format that the name alone has`(
    _ command: String, _ formats: String, _ endings: String
  ) throws {
    let option = try #require(command.split(separator: " ").last)
    for ending in ["bag", "db3", "parquet", "xlsx", "json", "tsv", "csv.gz", "XLS", "sqlite3"] {
      let refused = try Tool.shell("\"$OTOLITH\" \(command) x.\(ending)", in: scratch)
      let named = ending.uppercased().split(separator: ".").last ?? ""
      #expect(refused.status == 64)
      #expect(
        refused.errors == "\(option) x.\(ending): what can be written there is \(formats), not "
          + "\(named): use the extension \(endings)\n")
    }
    #expect(!scratch.names.contains { $0.hasPrefix("x.") })
  }

  @Test func `a name with an ending has its format, one without has CSV`() throws {
    let begins: [(name: String, bytes: [UInt8])] = [
      ("x", Array("timestamp,".utf8)), ("x.txt", Array("timestamp,".utf8)),
      ("x.CSV", Array("timestamp,".utf8)), (".hidden", Array("timestamp,".utf8)),
      ("x.jsonl", Array("{\"timestamp\":".utf8)), ("x.ndjson", Array("{\"timestamp\":".utf8)),
      ("x.mcap", [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]),
      ("X.MCAP", [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]),
    ]
    for command in [
      "replay walk.csv", "record --board board.yaml --instant --duration 1",
    ] {
      for (name, bytes) in begins {
        let ending = try Tool.shell(
          "\"$OTOLITH\" \(command) -o \(name) --force", in: scratch)
        #expect(ending.status == 0, "\(command) \(name): \(ending.errors)")
        let written = try Data(contentsOf: URL(filePath: scratch.path + "/" + name))
        #expect(Array(written.prefix(bytes.count)) == bytes, "\(command) \(name)")
      }
    }
  }

  @Test(.enabled(if: ServicePermissionTests.canBeSomebodyElse, "needs root and setpriv"))
  func `what may not be read is a matter of permission, what is missing is not`() throws {
    let shell = "chmod 700 .; chmod 755 .; chmod 000 board.yaml walk.csv"
    #expect(try Tool.shell(shell, in: scratch).status == 0)
    for command in ["boards check board.yaml", "run --board board.yaml", "replay walk.csv"] {
      let denied = try Tool.shell(
        "\(ServicePermissionTests.somebody) \"$OTOLITH\" \(command)", in: scratch)
      #expect(denied.status == 77, "\(command): \(denied.errors)")
    }
    for command in ["boards check no.yaml", "run --board no.yaml", "replay no.csv"] {
      #expect(try Tool.shell("\"$OTOLITH\" \(command)", in: scratch).status == 66)
    }
  }
}
