// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `otolith record`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RecordCommandTests {
  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.board(rate: 5), to: "slow.yaml")
    try scratch.write(Self.board(rate: 200), to: "fast.yaml")
  }

  private static func board(rate: Int) -> String {
    """
    otolith-board: 1
    name: Two chips
    buses: { bus: { simulated: i2c } }
    chips:
      imu: { chip: "invensense,mpu6050", on: bus, address: 0x68, rate-hz: \(rate), read-by: fifo }
      compass: { chip: "st,lis3mdl", on: bus, address: 0x1C, rate-hz: 5 }

    """
  }

  private func rows(_ name: String) throws -> [[String]] {
    try scratch.text(name).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Returns the time of a `utc` cell in seconds since 1970.
  private func seconds(_ utc: String) throws -> Double {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    // The parser accepts three digits of the fraction.
    return try style.parse(String(utc.dropLast(4)) + "Z").timeIntervalSince1970
  }

  // MARK: What is in the files

  @Test func `an hour passes at once, in files of ten minutes of which the newest are kept`() throws
  {
    let ending = try Tool.run(
      "record", "--board", "slow.yaml", "-o", "log.csv", "--duration", "3600", "--instant",
      "--rotate", "10min", "--keep", "4", in: scratch)
    // The files must exist before they are read. An hour at real time would take twenty times as
    // long as this limit.
    try #require(ending.status == 0 && ending.seconds < 180, "\(ending.errors)")
    #expect(
      scratch.names == ["fast.yaml"] + (3...6).map { "log-000\($0).csv" } + ["slow.yaml"])
    // 10 samples per second; the first file begins when the first chip has started.
    var newest = 0.0
    for number in 3...6 {
      let rows = try rows("log-000\(number).csv")
      #expect(
        rows[0] == [
          "timestamp", "utc", "acceleration.x", "acceleration.y", "acceleration.z",
          "rotationRate.x", "rotationRate.y", "rotationRate.z", "magneticField.x",
          "magneticField.y", "magneticField.z", "temperature", "lost",
        ])
      #expect((5990...6010).contains(rows.count), "\(rows.count)")
      let times = try rows.dropFirst().map { try #require(Double($0[0])) }
      #expect(times == times.sorted() && times[0] >= newest)
      #expect(times[times.count - 1] - times[0] < 600)
      newest = times[times.count - 1]
    }
    let line = try #require(ending.errorLines.last)
    #expect(line.hasSuffix(" samples in 6 files"), "\(line)")
    // Another run continues with the next number, and replaces no file.
    let third = try scratch.text("log-0003.csv")
    let again = try Tool.run(
      "record", "--board", "slow.yaml", "-o", "log.csv", "--duration", "30", "--instant",
      "--rotate", "1h", in: scratch)
    #expect(again.status == 0 && scratch.names.contains("log-0007.csv"))
    #expect(try scratch.text("log-0003.csv") == third)
  }

  @Test func `files are as large as they may be, and no larger`() throws {
    let ending = try Tool.run(
      "record", "--board", "fast.yaml", "--motion", "m.jsonl", "--duration", "20", "--instant",
      "--rotate", "500kB", "--rotate", "1h", in: scratch)
    #expect(ending.status == 0)
    let sizes = try scratch.names.filter { $0.hasSuffix("jsonl") }.map {
      try scratch.text($0).utf8.count
    }
    #expect(sizes.count >= 4)
    #expect(sizes.allSatisfy { $0 <= 500_000 })
    #expect(sizes.dropLast().allSatisfy { $0 > 495_000 }, "\(sizes)")
    // Each line is an object, in order of time.
    var newest = 0.0
    for name in scratch.names where name.hasSuffix("jsonl") {
      for line in try scratch.text(name).split(separator: "\n") {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let time = try #require((object?["timestamp"] as? NSNumber)?.doubleValue)
        #expect(time > newest && object?["utc"] is String && object?["lost"] as? Int == 0)
        newest = time
      }
    }
  }

  /// The rows of a log equal the drivers' samples: a board played twice gives the same motion
  /// directly and from its file.
  @Test func `replay takes every row, and additional columns of the log do no harm`() throws {
    let ending = try Tool.run(
      "record", "--board", "fast.yaml", "-o", "log.csv", "--duration", "30", "--instant",
      in: scratch)
    #expect(ending.status == 0)
    let logged = try rows("log.csv")
    let plain = logged.map { ([$0[0]] + $0[2..<12]).joined(separator: ",") }
    try scratch.write(plain.joined(separator: "\n") + "\n", to: "plain.csv")
    let replayed = try Tool.run("replay", "log.csv", "--strict", in: scratch)
    let same = try Tool.run("replay", "plain.csv", "--strict", in: scratch)
    #expect(replayed.status == 0 && replayed.errors.isEmpty, "\(replayed.errors)")
    #expect(replayed.output == same.output)
    // One motion for each sample of the gyroscope.
    #expect(replayed.lines.count - 1 == logged.dropFirst().count { $0[5] != "" })
    #expect((5980...6001).contains(replayed.lines.count - 1))
    // Two runs differ only in the time of day.
    let second = try Tool.run(
      "record", "--board", "fast.yaml", "-o", "log.csv", "--duration", "30", "--instant", "--force",
      in: scratch)
    #expect(second.status == 0)
    #expect(
      try rows("log.csv").map { ([$0[0]] + $0[2..<12]).joined(separator: ",") }
        .map { $0.replacing(/0+,/, with: ",") } == plain.map { $0.replacing(/0+,/, with: ",") })
  }

  @Test func `the wall clock has a column next to the other clock, and runs as fast`() throws {
    let before = Date().timeIntervalSince1970
    let ending = try Tool.run(
      "record", "--board", "fast.yaml", "-o", "log.csv", "--motion", "motion.csv", "--duration",
      "1.5", in: scratch)
    #expect(ending.status == 0 && ending.errors.contains("lost 0"), "\(ending.errors)")
    for name in ["log.csv", "motion.csv"] {
      let rows = try rows(name)
      #expect(rows[0][1] == "utc" && rows[0].last == "lost")
      #expect(rows.count > 250, "\(name): \(rows.count)")
      let offsets = try rows.dropFirst().map { try seconds($0[1]) - #require(Double($0[0])) }
      // The comparison has millisecond resolution.
      #expect((offsets.max() ?? 0) - (offsets.min() ?? 9) < 0.05)
      #expect(try seconds(rows[1][1]) >= before - 0.001)
      #expect(try seconds(rows[1][1]) < before + 15)
    }
  }

  @Test func `what the chips lost is in the rows`() throws {
    let ending = try Tool.run(
      "record", "--board", "fast.yaml", "-o", "log.csv", "--duration", "30", "--instant", "--fault",
      "fifo-overflow every-s=3", in: scratch)
    let line = try #require(ending.errorLines.last)
    let match = try #require(line.firstMatch(of: /lost (\d+),/))
    let lost = try rows("log.csv").dropFirst().compactMap { Int($0[12]) }
    let total = try #require(Int(match.1))
    // The last losses may come after the last row.
    #expect(total >= 20 && lost.count { $0 > 0 } >= 8)
    #expect((total - 5...total).contains(lost.reduce(0, +)), "\(lost.reduce(0, +)) of \(total)")
  }

  /// The reader of the pipe reads nothing for seconds, longer than the ring and the pipe can
  /// buffer.
  @Test func `a slow disk costs rows, which are counted, and no sample`() throws {
    try scratch.write(Self.board(rate: 1000), to: "faster.yaml")
    let ending = try Tool.shell(
      "\"$OTOLITH\" record --board faster.yaml -o - --duration 11 | { sleep 9; cat; }", in: scratch)
    let line = try #require(ending.errorLines.last)
    let match = try #require(
      line.wholeMatch(
        of: /received (\d+) samples, lost (\d+), .*; (\d+) not written, .*; (\d+) samples in 1 file/
      ),
      "\(line)")
    let missed = try #require(Int(match.3))
    #expect(missed > 500, "\(line)")
    let rows = ending.lines.dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(rows.count == Int(match.4))
    let lost = rows.compactMap { Int($0[12]) }.reduce(0, +)
    #expect(lost >= missed && lost <= missed + (Int(match.2) ?? 0), "\(lost); \(line)")
    // The chips were read all the time: samples that were not written were overwritten.
    #expect((Int(match.1) ?? 0) > 9000, "\(line)")
  }

  // MARK: Mishaps

  @Test func `a file that is there stays, unless it is to be replaced`() throws {
    try scratch.write("mine\n", to: "log.csv")
    let command = [
      "record", "--board", "slow.yaml", "-o", "log.csv", "--duration", "5", "--instant",
    ]
    let refused = try Tool.run(command, in: scratch)
    #expect(refused.status == 73)
    #expect(
      refused.errorLines.last
        == "log.csv: cannot be written: it exists already; --force replaces it")
    #expect(try scratch.text("log.csv") == "mine\n")
    #expect(try Tool.run(command + ["--force"], in: scratch).status == 0)
    #expect(try scratch.text("log.csv").hasPrefix("timestamp,utc,"))
    // If one of two files cannot be created, none is kept.
    let half = try Tool.run(
      ["record", "--board", "slow.yaml", "-o", "new.csv", "--motion", "no/folder.csv"], in: scratch)
    #expect(half.status == 73 && !scratch.names.contains("new.csv"), "\(half.errors)")
  }

  @Test func `a board that cannot be opened leaves no file behind`() throws {
    try scratch.write(
      """
      otolith-board: 1
      name: Elsewhere
      buses: { i2c97: { i2c: /dev/i2c-97 } }
      chips: { imu: { chip: "invensense,mpu6050", on: i2c97, address: 0x68 } }

      """, to: "elsewhere.yaml")
    let ending = try Tool.run(
      "record", "--board", "elsewhere.yaml", "-o", "log.csv", "--rotate", "1h", in: scratch)
    #expect(ending.status == 69 && ending.errors.contains("/dev/i2c-97 does not exist"))
    #expect(!scratch.names.contains { $0.hasSuffix(".csv") })
    let instant = try Tool.run(
      "record", "--board", "elsewhere.yaml", "-o", "log.csv", "--instant", "--duration", "1",
      in: scratch)
    #expect(instant.status == 64 && instant.errors.contains("--instant needs a board with only"))
  }

  /// Expects complete lines: each ends, and has as many cells as the header or is one object.
  private func expectWholeLines(_ name: String) throws {
    let text = try scratch.text(name)
    #expect(text.isEmpty || text.hasSuffix("\n"), "\(name): \(text.suffix(80))")
    let lines = text.split(separator: "\n")
    if name.hasSuffix(".csv") {
      let cells = lines.first.map { $0.count { $0 == "," } }
      #expect(lines.allSatisfy { $0.count { $0 == "," } == cells }, "\(name)")
    } else {
      for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
  }

  @Test func `a kill leaves whole lines`() throws {
    for number in 0..<20 {
      // The command writes megabytes per second all the time.
      let delay = 0.1 + Double(number * 7 % 20) / 40
      _ = try Tool.shell(
        """
        "$OTOLITH" record --board fast.yaml -o k.csv --motion k.jsonl --duration 90000 --instant --force &
        sleep \(delay); kill -9 $!; wait $! 2> /dev/null; true
        """, in: scratch)
      // On a busy machine the command may be killed before it has opened both.
      guard scratch.names.contains("k.csv"), scratch.names.contains("k.jsonl") else { continue }
      try expectWholeLines("k.csv")
      try expectWholeLines("k.jsonl")
      let lines = try scratch.text("k.csv").split(separator: "\n").count
      // Replay reads the rows that exist.
      if number == 19, lines > 2 {
        #expect(try Tool.run("replay", "k.csv", "--strict", in: scratch).status == 0)
        #expect(lines > 100)
      }
    }
    #expect(scratch.names.contains("k.csv") && scratch.names.contains("k.jsonl"))
  }

  /// Other programs read it in Tests/ThirdPartyDrivers/readers.py.
  @Test func `an MCAP file has samples and motion, and replay reads it`() throws {
    let record = ["record", "--board", "simulated", "--duration", "5", "--instant", "-o"]
    for name in ["a.mcap", "a.csv"] {
      #expect(try Tool.run(record + [name], in: scratch).status == 0)
    }
    let again = try Tool.run(record + ["a.mcap"], in: scratch)
    #expect(again.status == 73, "\(again.errors)")
    let replays = try ["a.mcap", "a.csv"].map { name in
      let replay = try Tool.run("replay", name, "--json", in: scratch)
      #expect(replay.status == 0, "\(replay.errors)")
      return try replay.output.split(separator: "\n").map { line in
        try #require(
          JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: any Sendable])
      }
    }
    #expect(replays[0].count == replays[1].count && replays[0].count > 400)
    for (mcap, csv) in zip(replays[0], replays[1]) {
      for key in ["attitude.w", "gravity.x", "rotationRate.z"] {
        let values = try [mcap, csv].map { try #require($0[key] as? Double) }
        #expect(abs(values[0] - values[1]) < 1e-9)
      }
    }
    let both = try Tool.run(record + ["b.mcap", "--motion", "m.mcap"], in: scratch)
    #expect(both.status == 64 && both.errors.contains("samples and motion together"))
    #expect(!scratch.names.contains("b.mcap"))
  }

  @Test func `numbered MCAP files are whole, each by itself`() throws {
    let rotated = try Tool.run(
      "record", "--board", "simulated", "--duration", "25", "--instant", "-o", "r.mcap",
      "--rotate", "10s", in: scratch)
    #expect(rotated.status == 0)
    for number in 1...3 {
      let replay = try Tool.run("replay", "r-000\(number).mcap", in: scratch)
      #expect(replay.status == 0 && replay.output.count { $0 == "\n" } > 400)
    }
  }

  @Test func `a full disk leaves a whole MCAP file`() throws {
    let limited = try Tool.shell(
      "ulimit -f 2000; \"$OTOLITH\" record --board fast.yaml -o l.mcap --duration 9000 --instant",
      in: scratch)
    #expect(limited.status == 74, "\(limited.errors)")
    #expect(
      limited.errorLines.last
        == "l.mcap: cannot be written: File too large; the messages before that are complete")
    let bytes = try Data(contentsOf: URL(filePath: scratch.path + "/l.mcap"))
    #expect(bytes.count > 900_000)
    #expect(bytes.prefix(8) == bytes.suffix(8) && bytes[0] == 0x89)
    #expect(try Tool.run("replay", "l.mcap", in: scratch).status == 0)
  }

  @Test func `a full disk is one line, and what was written is whole`() throws {
    // A file size limit of 4 MB replaces a full disk.
    let limited = try Tool.shell(
      "ulimit -f 8000; \"$OTOLITH\" record --board fast.yaml -o l.csv --duration 9000 --instant",
      in: scratch)
    #expect(limited.status == 74, "\(limited.errors)")
    #expect(
      limited.errorLines.last
        == "l.csv: cannot be written: File too large; the lines until then are whole")
    #expect(try scratch.text("l.csv").utf8.count > 4_000_000)
    try expectWholeLines("l.csv")
    let full = try Tool.run(
      "record", "--board", "fast.yaml", "-o", "/dev/full", "--duration", "90", "--instant",
      in: scratch)
    #expect(full.status == 74)
    #expect(full.errorLines.last == "/dev/full: cannot be written: No space left on device")
  }

  static let canMount: Bool = {
    guard geteuid() == 0, let scratch = try? Scratch() else { return false }
    return (try? Tool.shell("unshare -m mount -t tmpfs none .", in: scratch))?.status == 0
  }()

  @Test(.enabled(if: canMount, "needs a mount namespace"))
  func `a small disk fills up to whole lines`() throws {
    let ending = try Tool.shell(
      """
      unshare -m sh -c 'mkdir t && mount -t tmpfs -o size=300k none t &&
        { "$OTOLITH" record --board fast.yaml -o t/d.csv --rotate 100kB --duration 900 --instant
          echo status $? >&2; cp t/* .; }'
      """, in: scratch)
    #expect(ending.errorLines.last == "status 74", "\(ending.errors)")
    #expect(
      ending.errorLines.dropLast().last?.hasSuffix(
        ": cannot be written: No space left on device; the lines until then are whole") ?? false,
      "\(ending.errors)")
    let files = scratch.names.filter { $0.hasSuffix(".csv") }
    #expect(files.count >= 3)
    for name in files { try expectWholeLines(name) }
  }

  @Test(arguments: [
    (["--duration", "1"], "give --output, --motion or both"),
    (["-o", "a.csv", "--motion", "a.csv"], "need different files"),
    (["-o", "a.csv", "--motion", "./a.csv", "--force"], "need different files"),
    (["-o", "-", "--motion", "/dev/stdout"], "need different files"),
    (["-o", "a.csv", "--instant"], "--instant needs --duration"),
    (["-o", "a.csv", "--rotate", "1h", "--rotate", "2h"], "once for a time and once for a size"),
    (["-o", "-", "--rotate", "1h"], "--rotate needs files"),
    (
      ["-o", "/dev/null", "--rotate", "1h"], "--rotate needs a regular file, which /dev/null is not"
    ),
    (["-o", "a.csv", "--keep", "3"], "--keep needs --rotate"),
    (
      ["-o", "a.csv", "--rotate", "1h", "--keep", "0"],
      "the value '0' is invalid for '--keep <count>': it is a whole number of files from 1"
    ),
    (
      ["-o", "a.csv", "--rotate", "1 fortnight"],
      "the value '1 fortnight' is invalid for '--rotate <1h|100MB>': it is a time of 1s or more"
    ),
    (
      ["-o", "a.csv", "--rotate", "100"],
      "the value '100' is invalid for '--rotate <1h|100MB>': it is a time of 1s or more"
    ),
    (
      ["-o", "a.csv", "--rotate", "0h"],
      "the value '0h' is invalid for '--rotate <1h|100MB>': it is a time of 1s or more"
    ),
    (
      ["-o", "a.csv", "--rotate", "nanMB"],
      "the value 'nanMB' is invalid for '--rotate <1h|100MB>': it is a time of 1s or more"
    ),
    (
      ["-o", "a.csv", "--rotate", "1kB"],
      "the value '1kB' is invalid for '--rotate <1h|100MB>': it is a time of 1s or more"
    ),
  ])
  func `what contradicts itself is refused`(_ arguments: [String], _ words: String) throws {
    let ending = try Tool.run(["record"] + arguments, in: scratch)
    #expect(ending.status == 64 && ending.errors.contains(words), "\(ending.errors)")
    #expect(!scratch.names.contains("a.csv"))
  }

  // MARK: Python

  @Test func `Python reads the command by the module of its installation`() throws {
    let board = Tool.root + "boards/simulated.yaml"
    let ending = try Tool.shell(
      """
      PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='\(Tool.root)share/otolith' python3 -c '
      import itertools, os, otolith
      motions = otolith.run("--board", "\(board)", "--rate", "20", command=os.environ["OTOLITH"])
      for motion in itertools.islice(motions, 10):
          print(motion["timestamp"], motion["gravity.z"])
      motions.close()
      try:
          list(otolith.run("--board", "nowhere.yaml", command=os.environ["OTOLITH"]))
      except otolith.OtolithError as error:
          print(error)
      '
      """, in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.lines.count == 11)
    let times = ending.lines.prefix(10).compactMap { Double($0.split(separator: " ")[0]) }
    #expect(times.count == 10)
    for (a, b) in zip(times, times.dropFirst()) { #expect(abs(b - a - 0.05) < 0.011) }
    #expect(
      ending.lines.last == "otolith run ended with 66; standard error has the reason")
    #expect(ending.errors.contains("nowhere.yaml: no such file"))
  }
}
