// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The output of the other commands, and their exit status.
@Suite struct CommandTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test(arguments: [
    "", "run", "replay", "detect", "boards", "boards list", "boards check", "boards new",
    "boards wiring", "service",
    "service serve", "service status", "service reload", "service forget", "install",
    "history", "history show", "history export", "history erase",
  ])
  func `the help of each command fits 80 columns`(_ command: String) throws {
    let ending = try Tool.shell("\"$OTOLITH\" \(command) --help", in: scratch)
    #expect(ending.status == 0 && ending.errors.isEmpty)
    #expect(ending.output.hasPrefix("OVERVIEW: ") && ending.output.contains("USAGE: otolith"))
    #expect(ending.lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE") })
  }

  @Test func `the version is three numbers`() throws {
    let ending = try Tool.run("--version", in: scratch)
    #expect(ending.status == 0)
    #expect(ending.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  // MARK: - Boards

  @Test func `good boards are listed chip by chip`() throws {
    let ending = try Tool.shell(
      "cd '\(Tool.root)' && \"$OTOLITH\" boards check boards/simulated.yaml "
        + "boards/raspberry-pi-gy521.yaml",
      in: scratch)
    #expect(ending.status == 0 && ending.errors.isEmpty)
    #expect(
      ending.output == """
        boards/simulated.yaml: good: Simulated board
          imu: invensense,mpu6050 at 0x68 on simulated i2c1, 100 Hz by fifo
          compass: st,lis3mdl at 0x1C on simulated i2c1, 20 Hz by data-ready
          barometer: bosch,bmp280 at 0x76 on simulated i2c1, 25 Hz by polling
        boards/raspberry-pi-gy521.yaml: good: GY-521 on a Raspberry Pi
          imu: invensense,mpu6050 at 0x68 on /dev/i2c-1, 200 Hz by fifo

        """)
  }

  static let misspelt = """
    otolith-board: 1
    name: Misspelt
    buses: { i2c1: { i2c: /dev/i2c-1 } }
    chips:
      imu:
        chip: invensense,mpu6055
        on: i2c2
        adress: 0x68

    """

  static let wide = """
    otolith-board: 1
    name: Wide
    buses: { i2c1: { i2c: /dev/i2c-1 } }
    chips:
      imu:
        chip: invensense,mpu6050
        on: i2c1
        address: 0x42
        rate-hz: 5000

    """

  @Test func `every mistake of a broken board is reported with its place`() throws {
    try scratch.write(Self.misspelt, to: "misspelt.yaml")
    try scratch.write(Self.wide, to: "wide.yaml")
    let ending = try Tool.run("boards", "check", "misspelt.yaml", "wide.yaml", in: scratch)
    #expect(ending.status == 78 && ending.output.isEmpty)
    #expect(
      ending.errors == """
        misspelt.yaml:6:11: unknown chip 'invensense,mpu6055'; did you mean 'invensense,mpu6050'?
        misspelt.yaml:7:9: no bus is called 'i2c2'; did you mean 'i2c1'?
        misspelt.yaml:8:5: unknown key 'adress'; did you mean 'address'?
        wide.yaml:8:14: 'address' is '0x42'; expected 0x68 or 0x69, which invensense,mpu6050 can have
        wide.yaml:9:14: 'rate-hz' is '5000'; expected a number of samples per second between 3.906 and 1000, which invensense,mpu6050 can do

        """)
    // `run` prints the same error, without opening a board.
    let run = try Tool.run("run", "--board", "wide.yaml", in: scratch)
    #expect(run.status == 78 && run.errors.hasPrefix("wide.yaml:8:14: "))
  }

  @Test func `a missing board is reported among the good ones`() throws {
    let ending = try Tool.run(
      "boards", "check", Tool.root + "boards/simulated.yaml", "nope.yaml", in: scratch)
    #expect(ending.status == 66 && ending.errors == "nope.yaml: no such file\n")
    #expect(ending.output.contains("good: Simulated board"))
    let run = try Tool.run("run", "--board", "nope.yaml", in: scratch)
    #expect(run.status == 66 && run.errors == "nope.yaml: no such file\n")
    let folder = try Tool.run("run", "--board", Tool.root + "boards", in: scratch)
    #expect(folder.status == 66 && folder.errors.contains("is a folder; boards in this folder:"))
  }

  @Test func `a folder's boards are listed with their errors`() throws {
    try scratch.write(Self.misspelt, to: "misspelt.yaml")
    let ending = try Tool.run("boards", "list", ".", in: scratch)
    #expect(ending.status == 0)
    #expect(
      ending.lines.first
        == "./misspelt.yaml: 3 errors; see: otolith boards check ./misspelt.yaml")
    #expect(ending.lines.last?.hasPrefix("in use here: Simulated board, ") ?? false)
  }

  @Test func `without a folder of boards those built in are listed`() throws {
    let ending = try Tool.run("boards", "list", in: scratch)
    #expect(ending.status == 0)
    #expect(
      ending.errors
        == "no folder 'boards' here: these are built in; for another folder: otolith boards list "
        + "FOLDER\n"
    )
    #expect(
      ending.lines.contains("raspberry-pi-gy521: GY-521 on a Raspberry Pi (MPU-6050)")
        && ending.lines.contains(
          "raspberry-pi-adafruit-4517: Adafruit 4517 on a Raspberry Pi (LSM6DSOX, LIS3MDL)")
    )
    let missing = try Tool.run("boards", "list", "nope", in: scratch)
    #expect(missing.status == 66 && missing.errors == "nope: no such folder\n")
    try scratch.write("", to: "file")
    let file = try Tool.run("boards", "list", "file", in: scratch)
    #expect(file.status == 66 && file.errors.contains("is not a folder"))
  }

  /// Output that cannot be written gives an error and no trap.
  @Test func `a list that cannot be written is an error`() throws {
    let ending = try Tool.run("boards", "list", in: scratch, output: "/dev/full")
    #expect(ending.status == 74)
    #expect(ending.errorLines.last == "standard output: No space left on device")
  }

  // MARK: - Detection

  static let hasBuses: Bool = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
    return names.contains { $0.hasPrefix("i2c-") || $0.hasPrefix("spidev") }
  }()

  @Test(.disabled(if: hasBuses, "this machine has buses"))
  func `detect without buses says how to turn them on`() throws {
    for arguments in [["detect"], ["detect", "--yaml"]] {
      let line = (["\"$OTOLITH\""] + arguments).joined(separator: " ")
      let ending = try Tool.shell(line, in: scratch)
      #expect(ending.status == 69 && ending.output.isEmpty)
      #expect(
        ending.errors
          == "this machine shows no I2C or SPI bus (/dev/i2c-*, /dev/spidev*): on a Raspberry Pi turn "
          + "them on with: sudo raspi-config nonint do_i2c 0; sudo raspi-config nonint do_spi 0\n")
    }
  }
}
