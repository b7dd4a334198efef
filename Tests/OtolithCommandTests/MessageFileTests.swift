// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Messages of ROS 2 in MCAP files. Tests/ThirdPartyDrivers/readers.py reads them with other
/// programs.
@Suite struct MessageFileTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(ReplayTests.recording, to: "walk.csv")
    try scratch.write(ReplayTests.turning, to: "turning.csv")
  }

  /// The samples in the file are those of the recording: fused again they give the same motion.
  @Test(arguments: ["", "--smooth", "--no-tf", "--frame-id base_imu --tf-parent odom"])
  func `a replay is written as MCAP, with its samples`(_ options: String) throws {
    // The magnetometer has separate messages, here a millisecond later.
    let split = ReplayTests.turning.split(separator: "\n").flatMap { line -> [String] in
      let cells = line.split(separator: ",")
      if cells[0] == "timestamp" { return [String(line)] }
      return [
        cells[...6].joined(separator: ",") + ",,,",
        "\((Double(cells[0]) ?? 0) + 0.001),,,,,,," + cells[7...].joined(separator: ","),
      ]
    }
    try scratch.write(split.joined(separator: "\n") + "\n", to: "split.csv")
    let made = try Tool.shell(
      "\"$OTOLITH\" replay split.csv -o y.mcap \(options)", in: scratch)
    #expect(made.status == 0 && made.output.isEmpty, "\(made.errors)")
    let bytes = try Data(contentsOf: URL(filePath: scratch.path + "/y.mcap"))
    let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
    #expect(Array(bytes.prefix(8)) == magic && Array(bytes.suffix(8)) == magic)
    // Topics and schemas are before the chunks, which may be compressed.
    let head = String(decoding: bytes.prefix(40_000), as: UTF8.self)
    #expect(head.contains("/imu/data_raw") && head.contains("/diagnostics"))
    #expect(head.contains("/tf") == !options.contains("--no-tf"))
    let replays = try ["split.csv", "y.mcap"].map { name in
      try ReplayTests.rows(try Tool.run("replay", name, in: scratch).output)
    }
    #expect(replays[0].count == 900 && replays[1].count == 900)
    for (csv, mcap) in zip(replays[0], replays[1]) {
      for key in ["timestamp", "attitude.x", "attitude.w", "gravity.z", "rotationRate.y"] {
        let values = try [csv, mcap].map { try #require(Double($0[key] ?? "")) }
        #expect(abs(values[0] - values[1]) < 1e-8, "\(key)")
      }
    }
  }

  @Test func `a replay to standard output can be MCAP`() throws {
    let file = try Tool.run("replay", "turning.csv", "-o", "y.mcap", in: scratch)
    let stream = try Tool.shell(
      "\"$OTOLITH\" replay turning.csv --format mcap > s.mcap; cmp s.mcap y.mcap", in: scratch)
    #expect(file.status == 0 && stream.status == 0, "\(stream.errors)")
  }

  @Test(arguments: [
    (
      "--frame-id imu -o y.csv",
      "--frame-id applies to ROS 2 messages only: add --output FILE.mcap"
    ),
    (
      "--tf-parent odom", "--tf-parent applies to ROS 2 messages only: add --output FILE.mcap"
    ),
    ("--no-tf -o y.jsonl", "--no-tf applies to ROS 2 messages only: add --output FILE.mcap"),
    (
      "-o y.mcap --no-tf --tf-parent odom",
      "--tf-parent has no effect with --no-tf; give only one of them"
    ),
    (
      "-o y.mcap --frame-id map",
      "'map' cannot be its own parent: --frame-id and --tf-parent are two frames"
    ),
    (
      "-o y.mcap --frame-id /imu",
      "--frame-id needs a tf2 frame name, without spaces or a leading '/', such as imu_link"
    ),
    (
      "-o y.mcap --tf-parent 'a map'",
      "--tf-parent needs a tf2 frame name, without spaces or a leading '/', such as imu_link"
    ),
    (
      "-o y.mcap --frame-id ''",
      "--frame-id needs a tf2 frame name, without spaces or a leading '/', such as imu_link"
    ),
  ]) func `frames are for messages, and such as tf2 has`(
    _ options: String, _ line: String
  ) throws {
    for command in ["replay turning.csv", "record --board simulated --duration 1 --instant"] {
      // `record` has no default output.
      let output = command.hasPrefix("record") && !options.contains("-o ") ? "-o -" : ""
      let refused = try Tool.shell("\"$OTOLITH\" \(command) \(options) \(output)", in: scratch)
      #expect(refused.status == 64 && refused.output.isEmpty)
      #expect(refused.errors == line + "\n", "\(command)")
    }
    #expect(scratch.names == ["turning.csv", "walk.csv"])
  }

  /// ROS 2's seconds have 31 bits: `date -u -d @2147483648` is 2038-01-19T03:14:08Z.
  @Test(arguments: [
    ("2147483647.5", "2038-01-19T03:14:08.500000Z"), ("-0.5", "1969-12-31T23:59:59.500000Z"),
    ("9000000000", "2255-03-14T16:00:00.000000Z"),
  ]) func `a time that no message can have leaves no file`(
    _ time: String, _ text: String
  ) throws {
    let lines = [
      "timestamp,acceleration.x,acceleration.y,acceleration.z", "\(time),0,0,-1",
      "\((Double(time) ?? 0) + 1),0,0,-1",
    ]
    try scratch.write(lines.joined(separator: "\n") + "\n", to: "far.csv")
    let ending = try Tool.run("replay", "far.csv", "-o", "y.mcap", in: scratch)
    #expect(ending.status == 73)
    #expect(
      ending.errors
        == "y.mcap: cannot be written: a time is \(text), but ROS 2 stamps range from 1970 to "
        + "2038-01-19T03:14:07Z; write a CSV file\n")
    #expect(!scratch.names.contains("y.mcap"))
    #expect(try Tool.run("replay", "far.csv", "-o", "y.csv", in: scratch).status == 0)
  }

  @Test func `an MCAP file is replaced as a whole or not at all`() throws {
    try scratch.write("precious", to: "y.mcap")
    let refused = try Tool.run("replay", "turning.csv", "-o", "y.mcap", in: scratch)
    #expect(refused.status == 73)
    try scratch.write(
      ReplayTests.recording.replacing("0.012,0.020", with: "0.012g,0.020"), to: "bad.csv")
    let bad = try Tool.run(
      "replay", "bad.csv", "--strict", "-o", "y.mcap", "--force", in: scratch)
    #expect(bad.status == 65)
    #expect(try scratch.text("y.mcap") == "precious")
    let full = try Tool.shell(
      "ulimit -f 100; \"$OTOLITH\" replay turning.csv -o new.mcap", in: scratch)
    #expect(full.status == 74 && full.errorLines == ["new.mcap: cannot be written: File too large"])
    #expect(!scratch.names.contains("new.mcap"))
  }
}
