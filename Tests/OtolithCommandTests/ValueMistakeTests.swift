// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Invalid values on the command line, and files of the wrong kind.
@Suite struct ValueMistakeTests {
  /// The form of an option's value with its limits, and the value that was probably meant.
  static let values: [(line: String, said: String)] = [
    (
      "run simulated --duration 2s",
      "the value '2s' is invalid for '--duration <seconds>': it is a number of seconds "
        + "above 0, at most 1000000000; did you mean 2?"
    ),
    (
      "run simulated --duration 1h30",
      "the value '1h30' is invalid for '--duration <seconds>': it is a number of seconds "
        + "above 0, at most 1000000000; did you mean 5400?"
    ),
    (
      "run simulated -d 1:30",
      "the value '1:30' is invalid for '-d <seconds>': it is a number of seconds above 0, "
        + "at most 1000000000; did you mean 90?"
    ),
    (
      "run simulated --duration -1",
      "the value '-1' is invalid for '--duration <seconds>': it is a number of seconds "
        + "above 0, at most 1000000000; did you mean 1?"
    ),
    (
      "run simulated --duration soon",
      "the value 'soon' is invalid for '--duration <seconds>': it is a number of seconds "
        + "above 0, at most 1000000000, such as 10; see: otolith run --help"
    ),
    (
      "run simulated --rate -5",
      "the value '-5' is invalid for '--rate <hz>': it is a number of motions a second "
        + "above 0, at most 1000000; did you mean 5?"
    ),
    (
      "run simulated --rate abc",
      "the value 'abc' is invalid for '--rate <hz>': it is a number of motions a second "
        + "above 0, at most 1000000, such as 10; see: otolith run --help"
    ),
    (
      "run simulated --rate 0,5",
      "the value '0,5' is invalid for '--rate <hz>': it is a number of motions a second "
        + "above 0, at most 1000000; did you mean 0.5?"
    ),
    (
      "run simulated --rate nan",
      "the value 'nan' is invalid for '--rate <hz>': it is a number of motions a second "
        + "above 0, at most 1000000, such as 10; see: otolith run --help"
    ),
    (
      "serve simulated --port 99999",
      "the value '99999' is invalid for '--port <number>': it is a port number from 0 to "
        + "65535, such as 8642; see: otolith serve --help"
    ),
    (
      "serve simulated --frames 30.4",
      "the value '30.4' is invalid for '--frames <frames>': it is a whole number of frames "
        + "a second from 1 to 60; did you mean 30?"
    ),
    (
      "record simulated -o x.csv --rotate 1m",
      "the value '1m' is invalid for '--rotate <1h|100MB>': it is a time of 1s or more (s, "
        + "min, h, d) or a size of 4096 bytes or more (kB, MB, GB); did you mean 1min or 1MB?"
    ),
    (
      "record simulated -o x.csv --rotate 100mb",
      "the value '100mb' is invalid for '--rotate <1h|100MB>': it is a time of 1s or more "
        + "(s, min, h, d) or a size of 4096 bytes or more (kB, MB, GB); did you mean 100MB?"
    ),
    (
      "publish mqtt://h/t simulated --spool-limit 1h",
      "the value '1h' is invalid for '--spool-limit <64MB>': it is a size of 4096 bytes or "
        + "more (kB, MB, GB), such as 64MB; see: otolith publish --help"
    ),
    (
      "replay r.csv --units m/s^2",
      "the value 'm/s^2' is invalid for '--units <units>': it is one unit of each quantity "
        + "with commas between: g, m/s2, mg, rad/s, deg/s, uT, mT, gauss, nT, kPa, hPa, Pa; "
        + "did you mean m/s2?"
    ),
    (
      "replay r.csv --units m/s2,deg",
      "the value 'm/s2,deg' is invalid for '--units <units>': it is one unit of each "
        + "quantity with commas between: g, m/s2, mg, rad/s, deg/s, uT, mT, gauss, nT, kPa, "
        + "hPa, Pa; did you mean m/s2,deg/s?"
    ),
    (
      "replay r.csv --columns gyro",
      "the value 'gyro' is invalid for '--columns <names>': it is a quantity or its axis "
        + "and, behind =, the name in the file, such as rotationRate=gyro or "
        + "acceleration.x=-ay; see: otolith replay --help"
    ),
    (
      "replay r.csv --latitude-deg 8 --longitude-deg 8 --date 22.11.2026",
      "the value '22.11.2026' is invalid for '--date <date>': it is a day of the calendar, "
        + "YYYY-MM-DD, such as 2026-11-22; see: otolith replay --help"
    ),
    (
      "replay r.csv --time-unit sec",
      "the value 'sec' is invalid for '--time-unit <unit>'. Please provide one of 's', 'ms', 'us' "
        + "or 'ns'; see: otolith replay --help"
    ),
    (
      "monitor simulated --snapshot 80",
      "the value '80' is invalid for '--snapshot <columns x rows>': it is columns x rows, "
        + "each from 1 to 1000, such as 80x24; see: otolith monitor --help"
    ),
    (
      "publish mqtt://h/t simulated --rate presure=1",
      "the value 'presure=1' is invalid for '--rate <motion=10>': it is a quantity "
        + "(motion, acceleration, rotationRate, magneticField, pressure, temperature, "
        + "humidity, illuminance, proximity), = and a number of messages a second from 0 to "
        + "10000; did you mean pressure=1?"
    ),
    (
      "registers read simulated",
      "missing expected argument '--chip <chip>'; 'simulated' is a board, which is named so here: "
        + "otolith registers read --board simulated"
    ),
    (
      "registers read simulated --chip imu",
      "'simulated' is a board, but this command takes registers: name the board with --board "
        + "simulated"
    ),
    (
      "registers dump simulated --chip imu",
      "unexpected argument 'simulated'; 'simulated' is a board, which is named so here: otolith "
        + "registers dump --board simulated"
    ),
    (
      "registers write simulated --chip imu",
      "'simulated' is a board, but this command takes registers: name the board with --board "
        + "simulated"
    ),
    (
      "scan /dev/spidev0.0",
      "/dev/spidev0.0 is an SPI bus, which has no addresses to scan: otolith detect looks for "
        + "chips on it"
    ),
  ]

  @Test(arguments: values)
  func `a wrong value is reported with its form, its limits and a near one`(
    _ line: String, _ said: String
  ) throws {
    let ending = try Tool.shell("\"$OTOLITH\" \(line)", in: try Scratch())
    #expect(ending.status == 64 && ending.errors == said + "\n", "\(ending.errors)")
  }

  /// Every option of every command, from the parser's list, gets a text that is no number, date,
  /// unit or name. The last word is an unknown option, so that no command runs.
  @Test func `no option of any command says that a value is invalid and not what is valid`() throws
  {
    struct Dump: Decodable {
      struct Argument: Decodable {
        struct Name: Decodable { var kind, name: String }
        var kind: String
        var abstract: String?
        var preferredName: Name?
      }
      struct Command: Decodable { var arguments: [Argument]? }
      var command: Command
    }
    let scratch = try Scratch()
    var typed = 0
    var tried: Set<String> = []
    for path in try CommandTree.all(in: scratch) where !path.isEmpty {
      let help = try Tool.run(path + ["--experimental-dump-help"], in: scratch).output
      let dump = try JSONDecoder().decode(Dump.self, from: Data(help.utf8))
      for argument in dump.command.arguments ?? [] where argument.kind == "option" {
        let name = try #require(argument.preferredName)
        let option = (name.kind == "long" ? "--" : "-") + name.name
        // Options that several commands share are tested once.
        guard tried.insert(option + (argument.abstract ?? "")).inserted else { continue }
        let said = try Tool.run(path + ["\(option)=?!", "--no-such-option"], in: scratch).errors
        guard said.contains("invalid") else { continue }
        typed += 1
        #expect(
          said.hasPrefix("the value '?!' is invalid for '\(option) <")
            && (said.contains(">': it is ") || said.contains(">'. Please provide one of ")),
          "\(path): \(said)")
      }
    }
    #expect(typed >= 40, "\(typed) options with a form")
  }

  @Test func `a word or a file given as a board is reported as what it is`() throws {
    let scratch = try Scratch()
    let csv = (0..<4000).map { "\($0),0,0,1\n" }.joined()
    try scratch.write("timestamp,acceleration.x,acceleration.y,acceleration.z\n" + csv, to: "a.csv")
    try scratch.write("\"Time (s)\";\"X (m/s^2)\";\"Y (m/s^2)\"\n0;0;1\n", to: "phone.csv")
    try Data([0x89] + Array("MCAP0\r\n".utf8) + [0, 1, 2]).write(
      to: URL(filePath: scratch.path + "/a.mcap"))
    try scratch.write("{\"timestamp\":1.0,\"acceleration.x\":0}\n", to: "a.jsonl")
    try scratch.write("# mine\notolith-calibration: 1\n", to: "calibration.txt")
    try Data(count: 70_000).write(to: URL(filePath: scratch.path + "/zeros.bin"))
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/empty", withIntermediateDirectories: true)
    let mistakes: [(String, Int32, String)] = [
      ("simulatd", 66, "simulatd: no such file; did you mean the built-in board 'simulated'?"),
      (
        "simulated-al", 66,
        "simulated-al: no such file; did you mean the built-in board 'simulated-all'?"
      ),
      (
        "simulated.yaml", 66,
        "simulated.yaml: no such file; did you mean the built-in board 'simulated'?"
      ),
      (
        "calibration.txt", 78,
        "calibration.txt:1:1: is the calibration of a board; expected a board file; name the board "
          + "file that it belongs to"
      ),
      (
        "zeros.bin", 78,
        "zeros.bin:1:1: the file has more than 65536 bytes; it is binary, and a board file is text "
          + "(YAML)"
      ),
      ("quadcopter", 66, "quadcopter: no such file; the built-in boards: otolith boards list"),
      ("empty", 66, "empty: is a folder; name a board file in it"),
      (
        "a.csv", 78,
        "a.csv:1:1: is a recording (rows of cells); expected a board file; otolith replay a.csv "
          + "turns it into motion"
      ),
      (
        "phone.csv", 78,
        "phone.csv:1:1: is a recording (rows of cells); expected a board file; otolith replay "
          + "phone.csv turns it into motion"
      ),
      (
        "a.mcap", 78,
        "a.mcap:1:1: is a recording (MCAP); expected a board file; otolith replay a.mcap turns it "
          + "into motion"
      ),
      (
        "a.jsonl", 78,
        "a.jsonl:1:1: is a log of samples or motion (JSON lines); expected a board file; boards are "
          + "described in YAML: otolith boards new FILE writes one"
      ),
    ]
    for (word, status, said) in mistakes {
      for command in ["run \(word)", "selftest --board \(word)", "boards check \(word)"] {
        let ending = try Tool.shell("\"$OTOLITH\" \(command)", in: scratch)
        #expect(ending.errors + ending.output == said + "\n", "\(command)")
        #expect(ending.status == status || command.hasPrefix("boards"), "\(command)")
      }
    }
  }

  @Test func `a board given as a recording is reported as a board`() throws {
    let scratch = try Scratch()
    try scratch.write("# mine\n" + MistakeTests.board, to: "far.yaml")
    let said =
      "far.yaml: a board file, expected a recording of samples; otolith run --board far.yaml shows "
      + "the board's motion\n"
    for command in ["replay far.yaml", "noise simulated --recording far.yaml"] {
      let ending = try Tool.shell("\"$OTOLITH\" \(command)", in: scratch)
      #expect(ending.status == 65 && ending.errors.hasSuffix(said), "\(ending.errors)")
    }
    let named = try Tool.run("replay", "simulated", in: scratch)
    #expect(named.status == 66)
    #expect(
      named.errors
        == "simulated: no such file; 'simulated' is a built-in board: otolith run simulated\n")
  }
}
