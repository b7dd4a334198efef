// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Wrong command lines: the line on standard error, and the exit status.
@Suite struct MistakeTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    var line: String
    var status: Int32
    var said: String
    var testDescription: String { line }

    init(_ line: String, _ status: Int32, _ said: String) {
      (self.line, self.status, self.said) = (line, status, said)
    }

    /// Creates a mistake with the status for wrong usage.
    init(_ line: String, _ said: String) { self.init(line, 64, said) }
  }

  /// A hardware board that no machine has.
  static let board = """
    otolith-board: 1
    name: Far
    buses: { i2c9: { i2c: /dev/i2c-99 } }
    chips:
      imu: { chip: mpu6050, on: i2c9, address: 0x68 }
      compass: { chip: lis3mdl, on: i2c9, address: 0x1C }

    """

  static let commands: [Mistake] = [
    Mistake("nonsense", "there is no command 'otolith nonsense'; there are: run, monitor, "),
    Mistake("brinup", "there is no command 'otolith brinup'; did you mean 'otolith bringup'?"),
    Mistake(
      "help calibration",
      "there is no command 'otolith calibration'; did you mean 'otolith calibrate'?"),
    Mistake(
      "help boards chek",
      "there is no command 'otolith boards chek'; did you mean 'otolith boards check'?"),
    Mistake(
      "calibrate gyro --board simulated",
      "there is no command 'otolith calibrate gyro'; did you mean 'otolith calibrate gyroscope'?"),
    Mistake(
      "service statsu",
      "there is no command 'otolith service statsu'; did you mean 'otolith service status'?"),
    Mistake("service nonsense", 66, "nonsense: no such file; boards in this folder: far.yaml"),
    Mistake("--nonsense", "unknown option '--nonsense'; see: otolith --help"),
  ]

  static let motion: [Mistake] = [
    Mistake("run --bord x.yaml", "unknown option '--bord'. Did you mean '--board'?"),
    Mistake("run -x", "unknown option '-x'; see: otolith run --help"),
    Mistake("run a.yaml --board b.yaml", "two boards, a.yaml and --board b.yaml: name one"),
    Mistake(
      "run simulated simulated-all", "unexpected argument 'simulated-all'; see: otolith run --help"),
    Mistake("run --board", "missing value for '--board <board>'; see: otolith run --help"),
    Mistake("run nope.yaml", 66, "nope.yaml: no such file; boards in this folder: far.yaml"),
    Mistake("run faar.yaml", 66, "faar.yaml: no such file; did you mean far.yaml?"),
    Mistake(
      "run -d 0 simulated",
      "the value '0' is invalid for '-d <seconds>': it is a number of seconds above 0, at "
        + "most 1000000000, such as 10; see: otolith run --help"),
    Mistake(
      "run --format jsnol",
      "the value 'jsnol' is invalid for '--format <format>'. Please provide one of 'table', 'csv' or "
        + "'jsonl'; see: otolith run --help"),
    Mistake(
      "run -f xml",
      "the value 'xml' is invalid for '-f <format>'. Please provide one of 'table', 'csv' or "
        + "'jsonl'; see: otolith run --help"),
    Mistake(
      "run --json --format csv", "--json is --format jsonl, and --format csv is another"),
    Mistake(
      "run --reference-frame north",
      "the value 'north' is invalid for '--reference-frame <reference-frame>'. Please provide one "
        + "of 'x-arbitrary-z-vertical', 'x-arbitrary-corrected-z-vertical', "
        + "'x-magnetic-north-z-vertical' or 'x-true-north-z-vertical'; see: otolith run --help"),
    Mistake(
      "run far.yaml --hold pressure=98",
      "--hold needs a simulated bus, and far.yaml has none; --simulate makes models of all its chips"
    ),
    Mistake(
      "monitor --frames 0 simulated",
      "the value '0' is invalid for '--frames <frames>': it is a whole number of frames a "
        + "second from 1 to 60, such as 30; see: otolith monitor --help"),
    Mistake(
      "monitor simulated --recording r.csv",
      "--recording replaces the board: give no board and no board options"),
    Mistake(
      "serve --frames 61 simulated",
      "the value '61' is invalid for '--frames <frames>': it is a whole number of frames a "
        + "second from 1 to 60, such as 60; see: otolith serve --help"),
    Mistake(
      "serve simulated --recording r.csv",
      "--recording replaces the board: give no board and no board options"),
    Mistake(
      "serve simulated --allow-origin app.foxglove.dev",
      "--allow-origin is a scheme and a host, such as https://app.foxglove.dev"),
    Mistake(
      "serve simulated --listen nowhere", 69,
      "cannot listen on nowhere, port 8642: it is not an address such as 0.0.0.0 or ::1"),
    Mistake("serve --recording nope.csv", 66, "nope.csv: no such file"),
    Mistake("steps --jsn", "unknown option '--jsn'. Did you mean '--json'?"),
    Mistake(
      "activity --from soon",
      "the value 'soon' is invalid for '--from <date>': it is a day or a time of one, of "
        + "this time zone or with its own, such as today, 2026-11-22, 2026-11-22T08:00 or "
        + "2026-11-22T07:00:00Z; see: otolith activity --help"),
    Mistake("publish", "missing expected argument '<address>'; see: otolith publish --help"),
    Mistake(
      "publish mqtt://h/t simulated --rate speed=1",
      "the value 'speed=1' is invalid for '--rate <motion=10>': it is a quantity (motion, "
        + "acceleration, rotationRate, magneticField, pressure, temperature, humidity, "
        + "illuminance, proximity), = and a number of messages a second from 0 to 10000, such "
        + "as motion=10; see: otolith publish --help"),
    Mistake(
      "publish http://h/t",
      "'http://h/t' is not an address to publish to; use mqtt://host/topic or mqtts://..."),
    Mistake(
      "publish mqtt://me:secret@h/t",
      "a user's name or password in an address is visible in ps(1): put them into --login-file, or "
        + "in OTOLITH_MQTT_USER and OTOLITH_MQTT_PASSWORD"),
    Mistake(
      "publish mqtts://h/t --certificate c.pem", "--certificate and --key belong together"),
    Mistake(
      "publish mqtt://h/t simulated --ca-file c.pem",
      "certificates need mqtts://, and the connection to h:1883 is unencrypted"),
    Mistake("sensor-proxy --bord x.yaml", "unknown option '--bord'. Did you mean '--board'?"),
    Mistake("replay", "missing expected argument '<recording> ...'; see: otolith replay --help"),
    Mistake("record", "nothing to record: give --output, --motion or both"),
    Mistake("replay nope.csv", 66, "nope.csv: no such file"),
    Mistake(
      "replay r.csv --smooth --smoothing-lag-s 1",
      "--smooth and --smoothing-lag-s exclude each "
        + "other"),
    Mistake("history", 0, ""),
    Mistake(
      "history show --days 0",
      "the value '0' is invalid for '--days <days>': it is a whole number of days from 1 "
        + "to 3660, such as 7; see: otolith history show --help"),
    Mistake(
      "history export -f xml",
      "the value 'xml' is invalid for '-f <format>'. Please provide one of 'csv' and 'jsonl'; "
        + "see: otolith history export --help"),
    Mistake(
      "history erase now", "unexpected argument 'now'; see: otolith history erase --help"),
  ].filter { $0.status != 0 }

  static let checks: [Mistake] = [
    Mistake(
      "bringup simulated -d 0",
      "the value '0' is invalid for '-d <seconds>': it is a number of seconds from 0.5 to "
        + "3600, such as 10; see: otolith bringup --help"),
    Mistake(
      "bringup simulated --report x.html",
      "unknown option '--report'. Did you mean '--no-report'?"),
    Mistake("buses nope.yaml", 66, "nope.yaml: no such file; boards in this folder: far.yaml"),
    Mistake(
      "buses --simulate",
      "--simulate, --hold and --fault need a board: name it with --board"),
    Mistake(
      "scan nowhere --board simulated", 66, "there is no I2C bus 'nowhere'; simulated has i2c1"),
    Mistake(
      "detect far.yaml",
      "far.yaml: no bus of this board is simulated, or of a trace; for models of its chips add "
        + "--simulate, for this machine's own buses leave the board out"),
    Mistake(
      "detect simulated --yaml --json", "--yaml and --json exclude each other"),
    Mistake(
      "interrupt simulated --duration 0",
      "the value '0' is invalid for '--duration <seconds>': it is a number of seconds "
        + "above 0, at most 1000000000, such as 10; see: otolith interrupt --help"),
    Mistake(
      "bus-errors simulated --count 0",
      "the value '0' is invalid for '--count <transfers>': it is a whole number of "
        + "transfers from 1 to 1000000000000, such as 1000000; see: otolith bus-errors --help"),
    Mistake(
      "noise simulated -d 1",
      "the value '1' is invalid for '-d <seconds>': it is a number of seconds from 2 to "
        + "604800, such as 60; see: otolith noise --help"),
    Mistake(
      "registers dump",
      "missing expected argument '--chip <chip>'; see: otolith registers dump --help"),
    Mistake(
      "registers write --chip imu", "nothing to write; give registers, such as gyroConfig=0x18"),
    Mistake(
      "registers read --chip imu --count 0 whoAmI",
      "the value '0' is invalid for '--count <times>': it is a whole number of times from "
        + "1 to 1000000, such as 10; see: otolith registers read --help"),
    Mistake(
      "registers diff --chip imu", "nothing to compare with: give --from and a dump, or --start"),
    Mistake(
      "registers watch --chip imu --interval 0",
      "the value '0' is invalid for '--interval <seconds>': it is a number of seconds "
        + "above 0, at most 86400, such as 0.5; see: otolith registers watch --help"),
    Mistake(
      "calibrate gyroscope simulated -d 1",
      "the value '1' is invalid for '-d <seconds>': it is a number of seconds from 2 to "
        + "86400, such as 30; see: otolith calibrate gyroscope --help"),
    Mistake(
      "calibrate all --chip imu",
      "'all' takes the live board and each sensor's first chip; for --chip or --recording name the "
        + "calibration: otolith calibrate --help"),
  ]

  static let files: [Mistake] = [
    Mistake("boards list nope", 66, "nope: no such folder"),
    Mistake("boards check", "name at least one board file"),
    Mistake(
      "boards check nope.yaml", 66, "nope.yaml: no such file; boards in this folder: far.yaml"),
    Mistake("boards wiring", "name a board, such as 'raspberry-pi-gy521'"),
    Mistake("boards wiring simulated --json --svg w.svg", "say --json or --svg, not both"),
    Mistake(
      "boards new x.yaml --bus /dev/i2c-1",
      "unknown option '--bus'. Did you mean '--yes'?"),
    Mistake(
      "boards new x.yaml",
      "standard input is not a terminal; --yes accepts the proposals without asking"),
    Mistake(
      "boards new far.yaml --like simulated", 73,
      "far.yaml: exists already; name another file, or use --force to replace it"),
    Mistake(
      "trace record simulated",
      "missing expected argument '--output <file.trace>'; see: otolith trace record --help"),
    Mistake(
      "trace play nope.trace", 66, "nope.trace: no such file; boards in this folder: far.yaml"),
    Mistake(
      "trace play far.yaml", 65,
      "far.yaml: is a board file, not a trace; record one: otolith trace record --board far.yaml "
        + "--output my.trace"),
    Mistake(
      "trace show nope.trace", 66, "nope.trace: no such file; boards in this folder: far.yaml"),
    Mistake("simulate --listen s", "name the board whose chips are served, such as 'simulated'"),
    Mistake(
      "simulate simulated",
      "no place to serve; give --listen and the path of a socket, or --kernel"),
    Mistake(
      "service --max-clients 0",
      "the value '0' is invalid for '--max-clients <count>': it is a whole number of "
        + "programs from 1 to 400, such as 64; see: otolith service serve --help"),
    Mistake(
      "service status --socket nowhere", 69,
      "no otolith service listens at nowhere: start it (sudo systemctl start otolith, or otolith service)"
    ),
    Mistake(
      "install --print nothing", "unexpected argument 'nothing'; see: otolith install --help"),
    Mistake("install", "otolith install only prints the files: add --print"),
    Mistake(
      "install --print service --program otolith",
      "--program otolith: units need an absolute path"),
  ]

  /// Printed after the line that names the board.
  static let chips: [Mistake] = [
    Mistake(
      "selftest simulated --chip imx",
      "simulated.yaml (built in) has no chip 'imx'; did you mean 'imu'?"),
    Mistake(
      "noise simulated --chip thermometer",
      "simulated.yaml (built in) has no chip 'thermometer'; it has imu, compass, barometer"),
    Mistake(
      "fifo simulated --chip bmi160",
      "simulated.yaml (built in) has no chip 'bmi160'; it has imu, compass, barometer"),
    Mistake(
      "calibrate gyroscope simulated --chip compass --dry-run",
      "simulated.yaml (built in) has no chip 'compass' with a gyroscope; it has imu"),
    Mistake(
      "calibrate alignment simulated --dry-run", 64,
      "simulated.yaml (built in) has one inertial chip, imu: an alignment needs two of them"),
    Mistake(
      "trace record simulated -o /nowhere/x.trace", 73,
      "/nowhere/x.trace: No such file or directory"),
  ]

  static let all = commands + motion + checks + files

  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.board, to: "far.yaml")
    try scratch.write("timestamp\n", to: "r.csv")
  }

  @Test func `there are forty mistakes at least, and one of each command`() throws {
    #expect(Self.all.count >= 40)
    let lines = (Self.all + Self.chips).map(\.line)
    for command in try CommandTree.all(in: scratch) where !command.isEmpty {
      let name = command.joined(separator: " ")
      // Commands that have only subcommands, or only an option for the socket.
      let hasNone = [
        "history", "calibrate", "boards", "registers", "trace", "service serve", "service reload",
        "service forget", "calibrate status", "calibrate accelerometer",
        "calibrate gyroscope-scale", "calibrate magnetometer", "calibrate mounting",
      ].contains(name)
      #expect(hasNone || lines.contains { $0.hasPrefix(name) }, "no mistake of \(name)")
    }
  }

  @Test(arguments: all) func `a mistake is one line`(_ mistake: Mistake) throws {
    let ending = try Tool.shell("\"$OTOLITH\" \(mistake.line)", in: scratch)
    #expect(ending.status == mistake.status && ending.output.isEmpty)
    #expect(ending.errorLines.count == 1, "\(ending.errors)")
    let isBegin = mistake.said.hasSuffix(", ")
    #expect(
      isBegin ? ending.errors.hasPrefix(mistake.said) : ending.errors == mistake.said + "\n",
      "\(ending.errors)")
    #expect(scratch.names == ["far.yaml", "r.csv"])
  }

  @Test(arguments: chips) func `a mistake behind the choice of the board is one line`(
    _ mistake: Mistake
  ) throws {
    let ending = try Tool.shell("\"$OTOLITH\" \(mistake.line)", in: scratch)
    #expect(ending.status == mistake.status && ending.output.isEmpty)
    #expect(
      ending.errorLines.first == "board: Simulated board, simulated.yaml (built in), requested")
    #expect(ending.errorLines.dropFirst() == [mistake.said], "\(ending.errors)")
  }

  @Test(arguments: [
    Mistake(
      "run ''", 66,
      "'': an empty name; is a shell variable unset? the built-in boards: otolith boards list"
    ),
    Mistake("replay ''", 66, "'': an empty name; is a shell variable unset?"),
    Mistake("replay -", 66, "-: no such file; standard input is /dev/stdin"),
    Mistake("replay walk.csv -o ''", "--output is empty: is a shell variable unset?"),
  ])
  func `an empty name is reported as empty`(_ mistake: Mistake) throws {
    let ending = try Tool.shell("OTOLITH_SOCKET= \"$OTOLITH\" \(mistake.line)", in: Scratch())
    #expect(ending.status == mistake.status)
    #expect(ending.errors == mistake.said + "\n")
  }
}
