// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `otolith boards new` and `wiring`, and the JSON of `list` and `check`.
@Suite struct BoardsCommandTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  static func object(_ ending: Tool.Ending) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
  }

  // MARK: - New

  /// The detected simulated board becomes a file that `check` accepts and `run` runs.
  @Test func `the board that is found becomes a file that runs`() throws {
    let made = try Tool.run(
      "boards", "new", "made.yaml", "--board", "simulated", "--yes", "--name", "My: \"robot\"",
      "--rate", "500", "--interrupt", "imu=simulated", in: scratch)
    #expect(made.status == 0 && made.output.isEmpty)
    #expect(made.errorLines.suffix(2) == ["written: made.yaml", "next: otolith bringup made.yaml"])
    let check = try Tool.run("boards", "check", "made.yaml", in: scratch)
    #expect(
      check.output == """
        made.yaml: good: My: "robot"
          imu: invensense,mpu6050 at 0x68 on simulated i2c1, 500 Hz by data-ready
          compass: st,lis3mdl at 0x1C on simulated i2c1, 80 Hz by polling
          barometer: bosch,bmp280 at 0x76 on simulated i2c1, 25 Hz by polling

        """)
    let text = try scratch.text("made.yaml")
    #expect(text.contains("    # The I2C address that its straps select."))
    #expect(text.contains("    address: 0x68 # 0x69 with its strap the other way\n"))
    #expect(text.contains("    # interrupt: simulated\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    // No file is replaced without `--force`.
    let again = try Tool.run(
      "boards", "new", "made.yaml", "--board", "simulated", "--yes", in: scratch)
    #expect(again.status == 73)
    #expect(
      again.errors
        == "made.yaml: exists already; name another file, or use --force to replace it\n")
    #expect(try scratch.text("made.yaml") == text)
    let forced = try Tool.run(
      "boards", "new", "made.yaml", "--like", "raspberry-pi-gy521", "--force", in: scratch)
    #expect(forced.status == 0)
    let shipped = try String(
      contentsOfFile: Tool.root + "boards/raspberry-pi-gy521.yaml", encoding: .utf8)
    #expect(try scratch.text("made.yaml") == shipped)
  }

  /// Chips that are not connected yet, each on its own bus.
  @Test func `a board of chips on I2C and on SPI is made from options`() throws {
    let made = try Tool.run(
      "boards", "new", "-", "--yes", "--chip", "lis3mdl@/dev/i2c-1:0x1E,name=north,rate=20",
      "--chip", "BMI160@spidev0.0,interrupt=GPIO25", "--interrupt", "north=pin 7", in: scratch)
    #expect(made.status == 0 && made.errors.isEmpty)
    try scratch.write(made.output, to: "said.yaml")
    let check = try Tool.run("boards", "check", "said.yaml", "--json", in: scratch)
    let files = try #require(try Self.object(check)["files"] as? [[String: Any]])
    let chips = try #require(files.first?["chips"] as? [[String: Any]])
    #expect(chips.map { $0["bus"] as? String } == ["/dev/i2c-1", "/dev/spidev0.0"])
    #expect(chips.map { $0["address"] as? Int } == [0x1E, nil])
    #expect(chips.map { $0["name"] as? String } == ["north", "imu"])
    #expect(chips.map { $0["rateHz"] as? Double } == [20, 200])
    // Pin 7 of the header is GPIO4.
    #expect(made.output.contains("interrupt: { line: \"GPIO4\" }"))
    #expect(made.output.contains("interrupt: { line: \"GPIO25\" }"))
  }

  /// Two chips of a kind share a bus if their addresses differ.
  @Test func `a second chip of a kind takes the address that is free`() throws {
    let made = try Tool.run(
      "boards", "new", "-", "--yes", "--chip", "mpu6050@/dev/i2c-1", "--chip",
      "mpu6050@/dev/i2c-1", in: scratch)
    #expect(made.status == 0)
    #expect(
      made.output.contains("    address: 0x68 ") && made.output.contains("    address: 0x69 "))
  }

  @Test(
    arguments: [
      (
        ["--chip", "bno055@/dev/i2c-1"],
        "--chip bno055@/dev/i2c-1: BNO055 is not supported yet; "
      ),
      (
        ["--chip", "mpu6055@/dev/i2c-1"],
        "--chip mpu6055@/dev/i2c-1: there is no chip 'mpu6055'; did you mean 'mpu6050'?\n"
      ),
      (
        ["--chip", "st,nonsense@/dev/i2c-1"],
        "--chip st,nonsense@/dev/i2c-1: there is no chip 'st,nonsense'; there are: mpu6050, "
      ),
      (
        ["--chip", "st,lis3mdl"],
        "--chip st,lis3mdl: names no bus; such as lis3mdl@/dev/i2c-1\n"
      ),
      (
        ["--chip", "lis3mdl@1"],
        "--chip lis3mdl@1: '1' is not a bus such as /dev/i2c-1 or /dev/spidev0.0\n"
      ),
      (
        ["--chip", "lis3mdl@/dev/i2c-1:high"],
        "--chip lis3mdl@/dev/i2c-1:high: 'high' is not an address of lis3mdl, which can have 0x1C "
          + "or 0x1E\n"
      ),
      (
        ["--chip", "lis3mdl@/dev/i2c-1:0x68"],
        "--chip lis3mdl@/dev/i2c-1:0x68: '0x68' is not an address of lis3mdl, which can have 0x1C "
          + "or 0x1E\n"
      ),
      (
        ["--chip", "lis3mdl@/dev/spidev0.0:0x1E"],
        "--chip lis3mdl@/dev/spidev0.0:0x1E: a chip on SPI has no address: leave :0x1E out\n"
      ),
      (
        ["--chip", "mpu6050@/dev/spidev0.0"],
        "--chip mpu6050@/dev/spidev0.0: mpu6050 has no SPI interface, and /dev/spidev0.0 is one\n"
      ),
      (
        ["--chip", "lis3mdl@/dev/i2c-1,interupt=GPIO4"],
        "--chip lis3mdl@/dev/i2c-1,interupt=GPIO4: there is no 'interupt'; did you mean 'interrupt'?\n"
      ),
      (
        ["--chip", "lis3mdl@/dev/i2c-1,interrupt=pin 1"],
        "--chip lis3mdl@/dev/i2c-1,interrupt=pin 1: pin 1 of the header is not a GPIO\n"
      ),
      (
        ["--chip", "lis3mdl@/dev/i2c-1,interrupt="],
        "--chip lis3mdl@/dev/i2c-1,interrupt=: 'interrupt' has no value; such as interrupt=GPIO17\n"
      ),
      (
        ["--chip", "bmi160@/dev/spidev0.0", "--chip", "lis3mdl@/dev/spidev0.0"],
        "--chip lis3mdl@/dev/spidev0.0: /dev/spidev0.0 is already the chip select of 'imu'\n"
      ),
      (
        ["--chip", "mpu6050@/dev/i2c-1", "--chip", "bmi160@/dev/i2c-1:0x68"],
        "--chip bmi160@/dev/i2c-1:0x68: 0x68 on /dev/i2c-1 is already used by 'imu'\n"
      ),
      (
        ["--chip", "mpu6050@/dev/i2c-1,rate=5000"],
        "--chip mpu6050@/dev/i2c-1,rate=5000: '5000' is not a rate of mpu6050, which supports "
          + "3.90625 to 1000.0 Hz\n"
      ),
      (
        ["--chip", "lis3mdl@/dev/i2c-1", "--interrupt", "compas=GPIO4"],
        "--interrupt compas=GPIO4: no such chip with an interrupt pin; did you mean 'compass'?\n"
      ),
      (
        ["--chip", "bmp280@/dev/i2c-1", "--interrupt", "GPIO4"],
        "--interrupt GPIO4: no such chip with an interrupt pin; this board has none\n"
      ),
      (
        ["--chip", "mpu6050@/dev/i2c-1", "--rate", "5000"],
        "'5000.0': expected a number between 3.90625 and 1000, which invensense,mpu6050 can do\n"
      ),
      (["--like", "nonsense"], "--like nonsense: no such board is built in; "),
    ] as [([String], String)])
  func `a board of impossible options is refused, and nothing is written`(
    _ options: [String], _ begin: String
  ) throws {
    let ending = try Tool.run(["boards", "new", "x.yaml", "--yes"] + options, in: scratch)
    #expect(ending.status == 64 && ending.errors.hasPrefix(begin), "\(ending.errors)")
    #expect(ending.errorLines.count == 1)
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "/x.yaml"))
  }

  @Test func `a new board without a terminal asks for --yes`() throws {
    let ending = try Tool.run("boards", "new", "x.yaml", "--board", "simulated", in: scratch)
    #expect(ending.status == 64 && ending.errors.contains("--yes accepts"))
  }

  // MARK: - Wiring

  @Test func `the wiring of a board is a table, a picture or JSON`() throws {
    let text = try Tool.run("boards", "wiring", "raspberry-pi-gy521", in: scratch)
    #expect(text.status == 0 && text.errors.isEmpty)
    #expect(text.lines.contains("  SDA  pin 3   GPIO2 (SDA1)"))
    #expect(text.lines.contains("  gy521 SDA   GPIO2   3 [+][ ] 4   5V"))
    #expect(text.lines.allSatisfy { $0.count <= 100 })
    let picture = try Tool.run(
      "boards", "wiring", "raspberry-pi-gy521", "--svg", "w.svg", in: scratch)
    #expect(picture.status == 0 && picture.errors == "written: w.svg\n")
    let drawn = try String(
      contentsOfFile: Tool.root + "docs/images/wiring-gy521.svg", encoding: .utf8)
    #expect(try scratch.text("w.svg") == drawn)
    let json = try Self.object(
      try Tool.run("boards", "wiring", "raspberry-pi-gy521", "--json", in: scratch))
    let modules = try #require(json["modules"] as? [[String: Any]])
    let pins = try #require(modules.first?["pins"] as? [[String: Any]])
    #expect(pins.compactMap { $0["headerPin"] as? Int } == [1, 6, 5, 3, 7])
    let none = try Tool.run("boards", "wiring", "simulated", in: scratch)
    #expect(none.status == 65 && none.errors.contains("has no 'wiring:'"))
  }

  @Test func `a board whose chip has no driver is listed, drawn and refused`() throws {
    try scratch.write(
      """
      otolith-board: 1
      name: Strange
      buses: { i2c1: { i2c: /dev/i2c-1 } }
      chips: { imu: { chip: "bosch,bno055", on: i2c1, address: 0x28 } }
      wiring: { modules: { m: { title: M, chips: [imu], pins: { VIN: 1, SDA: 3, SCL: 5, GND: 6 } } } }

      """, to: "strange.yaml")
    let check = try Tool.run("boards", "check", "strange.yaml", in: scratch)
    #expect(check.status == 78 && check.errorLines.count == 1)
    #expect(check.errors.contains("'bosch,bno055', BNO055, is not supported yet; "))
    #expect(try Tool.run("boards", "wiring", "strange.yaml", in: scratch).status == 0)
    let list = try Self.object(try Tool.run("boards", "list", ".", "--json", in: scratch))
    let boards = try #require(list["boards"] as? [[String: Any]])
    let strange = try #require(boards.first)
    #expect(boards.count == 1 && strange["state"] as? String == "notSupported")
    #expect(strange["notSupported"] as? [String] == ["BNO055"])
    #expect((list["inUse"] as? String)?.isEmpty == false)
  }
}
