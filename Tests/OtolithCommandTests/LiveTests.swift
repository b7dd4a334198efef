// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `otolith run` in real time, one test at a time.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LiveTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  static let board = Tool.root + "boards/simulated.yaml"

  static func summary(_ ending: Tool.Ending) throws -> [String: Int] {
    let line = try #require(ending.errorLines.last)
    let match = try #require(
      line.wholeMatch(of: /received (\d+) samples, lost (\d+), late (\d+), bus errors (\d+)/),
      "\(line)")
    let numbers = try [match.1, match.2, match.3, match.4].map { try #require(Int($0)) }
    return [
      "received": numbers[0], "lost": numbers[1], "late": numbers[2], "bus errors": numbers[3],
    ]
  }

  @Test func `each motion is a line of JSON, and the summary counts`() throws {
    let ending = try Tool.run(
      "run", "--board", Self.board, "--duration", "1", "--format", "jsonl", in: scratch)
    #expect(ending.status == 0)
    #expect(ending.errorLines.first == "board: Simulated board, \(Self.board), requested")
    #expect((97...103).contains(ending.lines.count), "\(ending.lines.count) lines")
    var last = 0.0
    for line in ending.lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let values = try #require(object as? [String: Any])
      let time = try #require((values["timestamp"] as? NSNumber)?.doubleValue)
      #expect(time > last)
      last = time
    }
    let summary = try Self.summary(ending)
    // 100 samples of one chip, 20 of the other, and those of the start.
    #expect((110...200).contains(summary["received"] ?? 0), "\(summary)")
    #expect(summary["lost"] == 0 && summary["bus errors"] == 0)
  }

  @Test func `each motion is a row of CSV`() throws {
    let ending = try Tool.run(
      "run", "--board", Self.board, "--duration", "0.2", "--format", "csv", in: scratch)
    #expect(ending.status == 0 && ending.lines.first == ReplayTests.header)
    let rows = try ReplayTests.rows(ending.output)
    #expect((18...22).contains(rows.count))
    #expect(rows.last?["attitude.w"] != "")
  }

  @Test(arguments: [
    ["run", "--format", "csv"], ["run", "--format", "jsonl"], ["steps", "--json"],
    ["activity", "--json"], ["record", "--output", "log.csv"],
  ])
  func `a log has no made-up motion unless the simulated board is named`(_ command: [String]) throws
  {
    let ending = try Tool.run(command + ["--duration", "0.2"], in: scratch)
    #expect(ending.status == 69 && ending.output.isEmpty)
    #expect(
      ending.errorLines.last
        == "no sensor found (otolith detect shows what answers): name a board with --board, "
        + "$OTOLITH_BOARD or /etc/otolith/board.yaml; to try without hardware: --board simulated")
    #expect(scratch.names.isEmpty)
  }

  @Test func `the table shows the simulated board where there is no other`() throws {
    let ending = try Tool.run("run", "--duration", "0.2", in: scratch)
    #expect(ending.status == 0 && ending.output.contains("gravity"))
    #expect(
      ending.errorLines.first
        == "board: Simulated board, simulated.yaml (built in), as there is no --board, "
        + "$OTOLITH_BOARD, /etc/otolith/board.yaml or detected chip")
  }

  /// The identity is an MPU-6500's: it has no register 0x1D (RM-MPU-6500A, section 4.8).
  @Test func `a chip of another identity did not lose its power`() throws {
    let ending = try Tool.run(
      "run", "--board", Self.board, "--fault", "wrong-chip chip=imu identity=0x70", "--duration",
      "0.5", "--format", "csv", in: scratch)
    #expect(ending.errors.contains("identifies as another part than the MPU-6050"))
    #expect(ending.errors.contains("treat-as"))
    #expect(!ending.errors.contains("lost power"), "\(ending.errors)")
  }

  /// After the message no log line may follow about the chip that could not be stopped either.
  @Test(arguments: ["nack chip=imu", "wrong-address chip=imu", "stuck-bus", "timeout chip=imu"])
  func `a chip that does not work is said once, and no line of a log comes behind it`(
    fault: String
  ) throws {
    let ending = try Tool.run(
      "run", "--board", Self.board, "--fault", fault, "--duration", "0.5", "--format", "csv",
      in: scratch)
    let lines = ending.errorLines
    #expect(!ending.errors.contains("put to sleep"), "\(lines)")
    #expect(!ending.errors.contains("otolith.runtime"), "\(lines)")
    // A log line starts with its time: 2026-11-29T08:49:38+0000 warning ...
    #expect(lines.allSatisfy { !$0.contains(/^20\d\d-\d\d-\d\dT/) }, "\(lines)")
    #expect(Set(lines).count == lines.count, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("imu: ") }, "\(lines)")
    #expect(!ending.errors.contains("noAcknowledge"))
  }

  @Test func `a rate thins the motions, says so, and counts all samples`() throws {
    let ending = try Tool.run(
      "run", "--board", Self.board, "--duration", "2", "--format", "csv", "--rate", "20",
      in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errorLines.dropFirst().first
        == "rate: 20 Hz of 100 Hz, reduced by skipping motions, without averaging"
    )
    let times = try ReplayTests.rows(ending.output).map { try #require($0["timestamp"]) }
      .map { try #require(Double($0)) }
    #expect((38...41).contains(times.count), "\(times.count)")
    // One of five samples at 100 Hz is printed, without averaging: the chip's own times are 10 ms
    // apart.
    for (a, b) in zip(times, times.dropFirst()) { #expect(abs(b - a - 0.05) < 0.011) }
    let line = try #require(ending.errorLines.last)
    let match = try #require(
      line.wholeMatch(of: /received (\d+) samples, lost 0, .*; (\d+) of (\d+) motions shown/),
      "\(line)")
    #expect(try #require(Int(match.1)) > 200)
    #expect(Int(match.2) == times.count)
    #expect((190...201).contains(try #require(Int(match.3))))
  }

  @Test func `a rate that the board has not is said to be its own`() throws {
    let ending = try Tool.run(
      "run", "--board", Self.board, "--duration", "0.3", "--format", "jsonl", "--rate", "500",
      in: scratch)
    #expect(ending.status == 0)
    #expect(
      ending.errorLines.dropFirst().first
        == "rate: every motion; the board delivers 100 Hz")
    #expect((27...31).contains(ending.lines.count), "\(ending.lines.count)")
    let none = try Tool.run("run", "--rate", "0", in: scratch)
    #expect(
      none.status == 64
        && none.errors.contains(
          "it is a number of motions a second above 0, at most 1000000, such as 10")
    )
  }

  @Test func `a table fits 80 columns and has no control codes`() throws {
    let ending = try Tool.run("run", "--duration", "0.3", in: scratch)
    #expect(ending.status == 0)
    for word in ["roll pitch yaw", "gravity", "deg", "rad/s", "uT", "imu", "compass"] {
      #expect(ending.output.contains(word))
    }
    // Without a terminal there are no control codes, and lines fit 80 columns.
    #expect(!ending.output.contains("\u{1B}"))
    #expect(ending.lines.allSatisfy { $0.count <= 80 })
  }

  @Test func `the board that the environment names is used`() throws {
    let ending = try Tool.run(
      "run", "--duration", "0.1", "--format", "jsonl", in: scratch,
      environment: ["OTOLITH_BOARD": Self.board])
    #expect(ending.status == 0)
    #expect(
      ending.errorLines.first == "board: Simulated board, \(Self.board), named by $OTOLITH_BOARD")
  }

  @Test func `an interrupted run ends well, its last line whole`() throws {
    let ending = try Tool.run(
      "run", "--board", Self.board, "--format", "jsonl", in: scratch, interruptAfter: 50)
    #expect(ending.status == 0 && ending.seconds < 2)
    let summary = try Self.summary(ending)
    #expect((summary["received"] ?? 0) >= 50 && summary["lost"] == 0)
    // The last line is complete.
    let line = try #require(ending.lines.last)
    _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
  }

  @Test func `a pipe that closes ends a run well`() throws {
    for format in ["csv", "jsonl", "table"] {
      let ending = try Tool.shell(
        "{ \"$OTOLITH\" run --board '\(Self.board)' --format \(format); echo status $? >&2; } | head -1",
        in: scratch)
      #expect(ending.lines.count == 1)
      #expect(ending.errorLines.last == "status 0", "\(ending.errors)")
      #expect(ending.errorLines.dropLast().last?.hasPrefix("received ") ?? false)
    }
  }

  @Test func `an output that cannot be written is an error`() throws {
    let ending = try Tool.run(
      "run", "--board", Self.board, "--format", "csv", in: scratch, output: "/dev/full")
    #expect(ending.status == 74)
    #expect(ending.errorLines.last == "standard output: No space left on device")
  }

  @Test func `a missing bus is reported with what to enable`() throws {
    try scratch.write(
      """
      otolith-board: 1
      name: Elsewhere
      buses: { i2c97: { i2c: /dev/i2c-97 } }
      chips:
        imu: { chip: "invensense,mpu6050", on: i2c97, address: 0x68 }

      """, to: "elsewhere.yaml")
    let ending = try Tool.run("run", "--board", "elsewhere.yaml", in: scratch)
    #expect(ending.status == 69 && ending.output.isEmpty)
    #expect(
      ending.errorLines.last?.hasPrefix(
        "/dev/i2c-97 does not exist: enable I2C (sudo raspi-config nonint do_i2c 0") ?? false,
      "\(ending.errors)")
  }

  @Test func `a frame of north without a magnetometer is refused`() throws {
    try scratch.write(
      """
      otolith-board: 1
      name: No compass
      buses: { bus: { simulated: i2c } }
      chips:
        imu: { chip: "invensense,mpu6050", on: bus, address: 0x68 }

      """, to: "board.yaml")
    let ending = try Tool.run(
      "run", "--board", "board.yaml", "--reference-frame", "x-magnetic-north-z-vertical",
      in: scratch)
    #expect(ending.status == 64)
    #expect(
      ending.errorLines.last
        == "--reference-frame x-magnetic-north-z-vertical needs a magnetometer, and board.yaml has none"
    )
  }

  @Test func `true north without a declination is refused`() throws {
    let ending = try Tool.run("run", "--reference-frame", "x-true-north-z-vertical", in: scratch)
    #expect(ending.status == 78 && ending.errors.contains("declination-deg"))
    #expect(ending.errors.contains("latitude-deg: ..., longitude-deg: ..."))
  }

  @Test func `true north comes from the position`() throws {
    try scratch.write(
      """
      otolith-board: 1
      name: With a place
      buses: { bus: { simulated: i2c } }
      chips:
        imu: { chip: "invensense,mpu6050", on: bus, address: 0x68 }
        compass: { chip: "st,lis3mdl", on: bus, address: 0x1C }
      location: { latitude-deg: 0, longitude-deg: 120 }

      """, to: "board.yaml")
    let ending = try Tool.run(
      "run", "--board", "board.yaml", "--reference-frame", "x-true-north-z-vertical",
      "--duration", "0.5", "--format", "csv", in: scratch)
    #expect(ending.status == 0 && ending.lines.count > 20, "\(ending.errors)")
    // NOAA's values for 2025.0 and 2027.5 are -0.16 and -0.24 degrees.
    #expect(ending.errors.contains("true north: declination -0."), "\(ending.errors)")
    #expect(ending.errors.contains(", by WMM2025; expected field at 0.0, 120.0 in 20"))
  }
}
