// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Traces as a user records, plays and shows them.
@Suite struct TraceCommandTests {
  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    try scratch.write(
      """
      otolith-board: 1
      name: One chip
      location: { latitude-deg: 47.38, longitude-deg: 8.54 }
      buses: { wire: { simulated: i2c } }
      chips:
        imu: { chip: "invensense,mpu6050", on: wire, address: 0x68, rate-hz: 200, read-by: fifo }
      """, to: "board.yaml")
  }

  @Test func `what was recorded is shown and played, and not overwritten`() throws {
    let record = try Tool.run(
      "trace", "record", "--board", "board.yaml", "--duration", "0.6", "--output", "bug.trace",
      in: scratch)
    #expect(record.status == 0 && record.output.isEmpty)
    // A busy machine ends it later than requested, and the line states the actual duration.
    let line = try #require(record.errorLines.last)
    let words = try #require(line.wholeMatch(of: #/bug\.trace: (?<seconds>[0-9.]+) s, .*/#))
    let seconds = try #require(Double(words.seconds))
    #expect(seconds >= 0.6 && seconds < 5)
    let text = try scratch.text("bug.trace")
    #expect(text.hasPrefix("otolith-trace: 2\notolith: "))
    #expect(!text.contains("47.38") && text.hasSuffix(" - end\n"))

    // The registers before recording equal those of a new simulated board.
    let before = try Tool.run(
      "registers", "dump", "--chip", "imu", "--board", "board.yaml", in: scratch)
    let dump = try Tool.run(
      "registers", "dump", "--chip", "imu", "--board", "bug.trace", in: scratch)
    #expect(dump.status == 0 && dump.lines.dropFirst() == before.lines.dropFirst())
    #expect(dump.output.contains("0x75 whoAmI             0x68"))

    let play = try Tool.run("trace", "play", "bug.trace", "--output", "motion.csv", in: scratch)
    #expect(play.status == 0)
    let summary = try #require(play.errorLines.last)
    #expect(summary.hasPrefix("imu: ") && summary.hasSuffix("; as when it was recorded"))
    // The output is a recording: a header, a row for each sample, and replay reads it.
    let rows = try scratch.text("motion.csv").split(separator: "\n")
    #expect(
      rows.first
        == "timestamp,acceleration.x,acceleration.y,acceleration.z,rotationRate.x,rotationRate.y,rotationRate.z,temperature"
    )
    #expect(rows.count > 20 && summary.hasPrefix("imu: \(rows.count - 1) samples"))
    let replay = try Tool.run("replay", "motion.csv", in: scratch)
    #expect(replay.status == 0 && replay.lines.count == rows.count)

    let json = try Tool.run("trace", "play", "bug.trace", "--json", in: scratch)
    #expect(json.lines.count == 1)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let imu = (object?["chips"] as? [String: Any])?["imu"] as? [String: Any]
    #expect(imu?["differenceCount"] as? Int == 0 && imu?["samples"] as? Int == rows.count - 1)

    // Without the reads of the FIFO nothing of it can be played.
    let reads = text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains(" r 0x74 ") }
    try scratch.write(reads.joined(separator: "\n"), to: "other.trace")
    let other = try Tool.run("trace", "play", "other.trace", "--output", "none.csv", in: scratch)
    #expect(other.status == 65)
    #expect(other.errors.contains("the recorded samples cannot be repeated"), "\(other.errors)")

    let show = try Tool.run("trace", "show", "bug.trace", "--register", "whoAmI", in: scratch)
    #expect(show.status == 0 && show.lines.count >= 2)
    #expect(show.lines.allSatisfy { $0.hasSuffix("imu  r 0x75 whoAmI               0x68") })

    // Requests that were not recorded are no fault of the board.
    let test = try Tool.run("selftest", "--board", "bug.trace", in: scratch)
    #expect(test.status == 69 && test.lines.count == 2)
    #expect(test.errorLines.last == "nothing was checked")
    #expect(test.lines.last?.hasPrefix("imu: not checked: a trace has no answers to ") ?? false)
    let queue = try Tool.run("fifo", "--board", "bug.trace", "--duration", "3", in: scratch)
    #expect(queue.status == 0 && !queue.output.contains("FOUND"), "\(queue.output)")
    let all = try Tool.run("bringup", "bug.trace", "--no-report", in: scratch)
    #expect(!all.output.contains("supply") && !all.output.contains("Transfers fail"))
    #expect(all.output.contains("the board of a trace cannot be turned"), "\(all.output)")

    let again = try Tool.run(
      "trace", "record", "--board", "board.yaml", "--duration", "1", "--output", "bug.trace",
      in: scratch)
    #expect(again.status == 73)
    #expect(
      again.errorLines.last
        == "bug.trace: exists already; name another file, or use --force to replace it")
    #expect(try scratch.text("bug.trace") == text)
  }

  @Test func `a trace that never begins leaves what was there`() throws {
    try scratch.write(
      """
      otolith-board: 1
      name: None
      buses: { far: { i2c: /dev/i2c-97 } }
      chips: { imu: { chip: "invensense,mpu6050", on: far, address: 0x68 } }
      """, to: "far.yaml")
    try scratch.write("old", to: "old.trace")
    let ending = try Tool.shell(
      """
      mkfifo pipe && cat pipe & cat=$!
      until test -p pipe; do sleep 0.05; done
      for name in pipe old.trace new.trace; do
        "$OTOLITH" trace record --board far.yaml --force --output $name; echo status $?
      done 2> /dev/null
      wait $cat
      test -p pipe && echo a pipe
      """, in: scratch)
    #expect(ending.lines == Array(repeating: "status 69", count: 3) + ["a pipe"], "\(ending)")
    #expect(try scratch.text("old.trace") == "old")
    #expect(!scratch.names.contains("new.trace"))
    // A link does not replace --force.
    let link = try Tool.shell(
      """
      ln -s old.trace link.trace
      "$OTOLITH" trace record --board board.yaml --duration 0.2 --output link.trace
      """, in: scratch)
    #expect(link.status == 73, "\(link)")
    #expect(try scratch.text("old.trace") == "old")
  }

  /// After a kill the part on disk can be played.
  @Test func `a recording that is killed is played to where it was cut off`() throws {
    let ending = try Tool.shell(
      """
      "$OTOLITH" trace record --board board.yaml --output bug.trace 2> /dev/null &
      until grep -q ' r 0x74 28 ' bug.trace 2> /dev/null; do sleep 0.05; done
      kill -9 $!
      wait $! 2> /dev/null
      exec "$OTOLITH" trace play bug.trace
      """, in: scratch)
    #expect(ending.status == 0)
    #expect(ending.errors.contains("bug.trace: cut off after line "))
    #expect(ending.lines.count > 2)
  }

  @Test func `what is no trace is refused, with why`() throws {
    let board = try Tool.run("trace", "play", "board.yaml", in: scratch)
    #expect(
      board.status == 65 && board.errors.hasPrefix("board.yaml: is a board file, not a trace; "))
    let missing = try Tool.run("trace", "show", "none.trace", in: scratch)
    #expect(missing.status == 66 && missing.errors.hasPrefix("none.trace: no such file"))
    try scratch.write("otolith-trace: 1\nclock: soon\n", to: "bad.trace")
    let bad = try Tool.run("run", "--board", "bad.trace", in: scratch)
    #expect(bad.status == 78)
    #expect(bad.errors.contains("bad.trace:2:1: 'clock' is 'soon'; expected seconds, such as 12.0"))
  }
}
