// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The checks of a board as commands: their output for people and programs, and their exit status.
@Suite struct CheckCommandTests {
  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.board, to: "board.yaml")
  }

  /// The first line of every report about a simulated board.
  static let notice =
    "SIMULATED BOARD: models answer in place of its chips; no hardware is measured"

  static let board = """
    otolith-board: 1
    name: Checked
    buses: { i2c1: { simulated: i2c } }
    chips:
      imu: { chip: "invensense,mpu6050", on: i2c1, address: 0x68, interrupt: simulated }
      baro: { chip: "bosch,bmp280", on: i2c1, address: 0x76, rate-hz: 25 }
    simulation: { motion: still }

    """

  private func run(_ arguments: String) throws -> Tool.Ending {
    try Tool.shell("\"$OTOLITH\" \(arguments)", in: scratch)
  }

  private func object(_ ending: Tool.Ending) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
    return try #require(object as? [String: Any])
  }

  @Test(arguments: [
    "buses", "scan", "selftest", "interrupt", "fifo", "bus-errors", "registers", "registers read",
    "registers write", "registers diff", "registers watch",
  ]) func `the help of each check fits 80 columns`(_ command: String) throws {
    let ending = try run("\(command) --help")
    #expect(ending.status == 0 && ending.output.hasPrefix("OVERVIEW: "))
    #expect(ending.lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE") })
  }

  // MARK: Buses and addresses

  @Test func `the buses of a board are listed, and a missing one is reported`() throws {
    let good = try run("buses --board board.yaml")
    #expect(good.status == 0)
    #expect(good.lines.prefix(2) == [Self.notice, "i2c1: I2C, simulated, 400 kHz"])
    try scratch.write(
      """
      otolith-board: 1
      name: Away
      buses: { far: { i2c: /dev/i2c-99 } }
      chips: { imu: { chip: "invensense,mpu6050", on: far, address: 0x68 } }

      """, to: "away.yaml")
    let missing = try run("buses --board away.yaml --json")
    #expect(missing.status == 69)
    let findings = try #require(try object(missing)["findings"] as? [[String: Any]])
    #expect(findings.count == 1 && findings[0]["cause"] as? String == "bus-missing")
    #expect(findings[0]["subject"] as? String == "far")
  }

  /// Two chips on a missing bus or without power: the remedy is printed once, for the kind of the
  /// bus.
  @Test func `advice that is the same for several chips is said once`() throws {
    try scratch.write(
      """
      otolith-board: 1
      name: Away
      buses: { far: { spi: /dev/spidev9.0 }, farther: { spi: /dev/spidev9.1 } }
      chips:
        imu: { chip: bmi160, on: far }
        compass: { chip: lis3mdl, on: farther }

      """, to: "away.yaml")
    for command in ["buses away.yaml", "bringup away.yaml --no-report"] {
      let missing = try run(command)
      #expect(missing.status == 69)
      #expect(
        missing.output.contains("/dev/spidev9.0") && missing.output.contains("/dev/spidev9.1"))
      let steps = missing.output.matches(of: #/switch (...) on: /#).map { $0.1 }
      #expect(steps == ["SPI"], "\(missing.output)")
    }
    let silent = try run("selftest board.yaml --fault 'nack probability=1'")
    #expect(silent.status == 69)
    #expect(silent.output.matches(of: #/FOUND /#).count >= 1)
    #expect(silent.output.matches(of: #/  likely: /#).count == 1, "\(silent.output)")
  }

  @Test func `a scan is a map`() throws {
    let ending = try run("scan --board board.yaml")
    #expect(ending.status == 0)
    #expect(
      ending.output == """
        \(Self.notice)
        i2c1: 400 kHz
              0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f
        00:                         -- -- -- -- -- -- -- --
        10: -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- --
        20: -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- --
        30: -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- --
        40: -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- --
        50: -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- --
        60: -- -- -- -- -- -- -- -- 68 -- -- -- -- -- -- --
        70: -- -- -- -- -- -- 76 --
          0x68: answers: 'imu' of the board file
          0x76: answers: 'baro' of the board file

        """)
  }

  @Test func `a chip that is strapped otherwise is seen in a scan`() throws {
    let ending = try run("scan i2c1 --board board.yaml --fault 'wrong-address chip=imu'")
    #expect(ending.status == 65)
    #expect(ending.lines.contains("60: -- -- -- -- -- -- -- -- ?? !! -- -- -- -- -- --"))
    #expect(ending.output.contains("FOUND imu: wrong-address: no answer at 0x68, but MPU-6050"))
    #expect(ending.output.contains("  - write 'address: 0x69' for 'imu' into board.yaml"))
    let stuck = try run("scan --board board.yaml --fault stuck-bus")
    #expect(stuck.status == 69 && stuck.output.contains("FOUND i2c1: stuck-bus: "))
    let away = try run("scan nowhere --board board.yaml")
    #expect(away.status == 66)
    #expect(away.errors == "there is no I2C bus 'nowhere'; board.yaml has i2c1\n")
  }

  // MARK: Checks of chips

  @Test func `a board without faults passes all`() throws {
    for command in [
      "selftest", "interrupt --duration 2", "fifo --duration 2", "bus-errors --count 500",
    ] {
      let ending = try run("\(command) --board board.yaml --json")
      #expect(ending.status == 0, "\(command): \(ending.output) \(ending.errors)")
      let report = try object(ending)
      #expect((report["findings"] as? [Any])?.isEmpty ?? false)
      let results = try #require(report["results"] as? [[String: Any]])
      #expect(results.compactMap { $0["chip"] as? String } == ["imu", "baro"])
    }
  }

  @Test func `people read of a chip in lines`() throws {
    let test = try run("selftest --board board.yaml")
    #expect(test.lines.prefix(2) == [Self.notice, "imu: self-test passed"])
    #expect(test.lines.last == "baro: not checked: BMP280 has no self-test")
    let line = try run("interrupt --chip imu --duration 2 --board board.yaml")
    #expect(line.output.contains(" rising edges on the simulated line and "))
    #expect(line.output.contains("off by us"))
    let queue = try run("fifo --chip imu --duration 2 --board board.yaml")
    #expect(queue.lines.last == "  overflows 0, missing 0, misaligned 0, implausible 0")
    let soak = try run("bus-errors --chip imu --count 3000 --board board.yaml")
    // By the rule of three, the limit of 3 in 3000 is 1000 per million.
    #expect(soak.lines.contains { $0.hasPrefix("  errors 0: 0.0 of a million, below 998.") })
    #expect(soak.errors.split(separator: "\n").count == 1, "no progress where nobody looks")
  }

  // MARK: Never the simulated board by itself

  /// Without this notice, `bringup` of the built-in board reported 13 passed checks on a machine
  /// without any bus.
  @Test(arguments: [
    "bringup --no-report", "selftest", "interrupt", "fifo", "bus-errors", "noise",
    "calibrate all", "calibrate gyroscope --dry-run", "calibrate accelerometer",
    "calibrate magnetometer", "calibrate mounting", "calibrate gyroscope-scale",
    "calibrate alignment", "calibrate status", "registers dump --chip imu",
    "registers read --chip imu whoAmI",
    "registers write --chip imu gyroConfig=0", "registers watch --chip imu",
    "registers diff --chip imu --start", "trace record -o x.trace",
  ])
  func `what measures hardware never falls back to the simulated board`(_ command: String) throws {
    let ending = try run(command)
    #expect(ending.status == 69 && ending.output.isEmpty)
    #expect(
      ending.errors == "no sensor found (otolith detect shows what answers): name a board with "
        + "--board, $OTOLITH_BOARD or /etc/otolith/board.yaml; to try without hardware: "
        + "--board simulated\n")
    #expect(scratch.names == ["board.yaml"])
  }

  @Test(arguments: [
    "bringup -d 0.5 --no-report", "selftest", "interrupt -d 1", "fifo -d 1",
    "bus-errors --count 200", "noise -d 4", "buses", "scan -b", "detect",
    "registers dump --chip imu -b",
  ])
  func `a report of a simulated board says so in its first line`(_ command: String) throws {
    let ending = try run("\(command) board.yaml")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.lines.first == Self.notice)
    // The keys of that command are only the chips' registers.
    guard !command.hasPrefix("registers") else { return }
    let json = try object(try run("\(command) board.yaml --json"))
    #expect(json["notice"] as? String == Self.notice)
  }

  @Test func `the report of a bring-up says above all that no hardware was checked`() throws {
    #expect(try run("bringup board.yaml -d 0.5 -o report.html").status == 0)
    let page = try scratch.text("report.html")
    let header = try #require(page.firstRange(of: "<header>"))
    #expect(
      page[header.upperBound...].hasPrefix("\n<p class=\"notice\">\(Self.notice)</p>\n<h1>Checked"))
    #expect(page.contains("<title>not hardware: Checked: bring-up</title>"))
  }

  @Test func `chips that are partly simulated, or of a trace, are no hardware either`() throws {
    try scratch.write(
      Self.board.replacing(
        "{ i2c1: { simulated: i2c } }",
        with: "{ i2c1: { simulated: i2c }, far: { i2c: /dev/i2c-99 } }"),
      to: "partly.yaml")
    let partly = try run("buses partly.yaml")
    #expect(
      partly.lines.first
        == "PARTLY SIMULATED BOARD: models answer on i2c1; no hardware is measured there")
    #expect(try run("trace record board.yaml -d 0.3 -o a.trace").status == 0)
    let trace = try run("bringup a.trace --no-report")
    #expect(
      trace.lines.first
        == "RECORDED BOARD: a trace answers in place of its chips; no hardware is measured")
  }

  @Test func `faults end with their status`() throws {
    let dead = try run(
      "interrupt --chip imu --duration 1 --board board.yaml --fault stuck-interrupt")
    #expect(dead.status == 65 && dead.output.contains("FOUND imu: dead-interrupt: "))
    let gone = try run("selftest --chip imu --board board.yaml --fault 'nack probability=1'")
    #expect(gone.status == 69 && gone.output.contains("silent-bus"))
    let nobody = try run("fifo --chip nobody --board board.yaml")
    #expect(nobody.status == 64)
    #expect(nobody.errorLines.last == "board.yaml has no chip 'nobody'; it has imu, baro")
  }
}
