// SPDX-License-Identifier: Apache-2.0
import Boards
import Foundation
import Testing

/// Board files written to do harm: to use up memory or time, or to send control sequences to a
/// terminal.
@Suite struct HostileFileTests {
  /// Nine lines each contain ten aliases of the line before: a thousand million values.
  @Test(arguments: ["a", "_a", "-a", "_", "-", "9", "é"])
  func `many aliases are refused, whatever their names begin with`(_ name: String) {
    var bomb = "otolith-board: 1\ndescription: &\(name)0 [x, x, x, x, x, x, x, x, x, x]\n"
    for line in 1...9 {
      let aliases = [String](repeating: "*\(name)\(line - 1)", count: 10).joined(separator: ",")
      bomb += "d\(line): &\(name)\(line) [\(aliases)]\n"
    }
    #expect(
      BoardFileTests.errors(bomb)
        == ["test.yaml:1:1: more than 12 aliases (*name); write the values out"])
  }

  /// Twelve aliases expand fifteen thousand bytes to five million.
  @Test func `what few aliases write out is counted`() {
    var text = "otolith-board: 1\na: &a [\(String(repeating: "x,", count: 15_000))]\n"
    for (name, before) in [("b", "a"), ("c", "b"), ("d", "c"), ("e", "d")] {
      text += "\(name): &\(name) [*\(before), *\(before), *\(before)]\n"
    }
    #expect(
      BoardFileTests.errors(text) == [
        "test.yaml:1:1: more than 65536 values, those of aliases (*name) written out; is this a board file?"
      ])
  }

  /// The processor time of this thread. Other tests and builds do not change it much.
  private static func processorTime() -> Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)  // the pointer lives for the call
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test(.timeLimit(.minutes(1))) func `thousands of repeated and unknown keys take no time`() {
    let start = Self.processorTime()
    let repeated = (0..<5000).map { "name: a\($0)\n" }.joined()
    let errors = BoardFileTests.errors(BoardFileTests.imu() + repeated)
    #expect(errors.count == 100)
    #expect(
      errors.first
        == "test.yaml:12:1: key 'name' is here for the second time; the first is in line 2"
    )
    let groups = (0..<70).map { index in
      (0..<80).map { _ in "k\(index): a\n" }.joined()
    }.joined()
    #expect(BoardFileTests.errors(BoardFileTests.imu() + groups).count > 100)
    let braces = (0..<70).reversed().map { "k\($0): a" }.joined(separator: ", ")
    #expect(
      BoardFileTests.errors("otolith-board: 1\nname: { \(braces), \(braces), \(braces) }\n").count
        > 2)
    let long = String(repeating: "a", count: 500)
    let longKeys = [String](repeating: "\(long): 1", count: 100).joined(separator: ", ")
    #expect(BoardFileTests.errors("otolith-board: 1\nname: { \(longKeys) }\n").count > 2)
    let unknown = (0..<3000).map { "u\($0):\n" }.joined()
    #expect(BoardFileTests.errors(BoardFileTests.imu() + unknown).count == 3000)
    #expect(Self.processorTime() - start < .seconds(30))
  }

  /// Without a limit, four hundred buses were four hundred threads, and reading took eighteen
  /// seconds.
  @Test func `a board has no more buses and chips than a machine may have`() {
    let names = (0..<129).map { "b\($0)" }
    let buses = names.map { "  \($0): { simulated: i2c }\n" }.joined()
    let chips = names.map {
      "  c\($0): { chip: \"invensense,mpu6050\", on: \($0), address: 0x68 }\n"
    }.joined()
    let errors = BoardFileTests.errors(
      "otolith-board: 1\nname: x\nbuses:\n\(buses)chips:\n\(chips)")
    #expect(
      errors == [
        "test.yaml:4:3: 'buses' has 129 entries; expected 128 at most",
        "test.yaml:134:3: 'chips' has 129 entries; expected 128 at most",
      ])
  }

  /// Without a limit, the search for similar keys took five seconds.
  @Test func `of thousands of unknown keys the first are explained`() {
    let unknown = (0..<7000).map { "u\($0): 1\n" }.joined()
    let start = Self.processorTime()
    let errors = BoardFileTests.errors(BoardFileTests.imu() + unknown)
    #expect(Self.processorTime() - start < .seconds(3))
    #expect(errors.count == 7000)
    #expect(errors.first?.contains(": unknown key 'u0'; expected a key of") ?? false)
    #expect(errors.last?.hasSuffix(":1: unknown key 'u6999'") ?? false)
  }

  @Test func `every repetition in a group is reported at its place`() {
    let text = """
      otolith-board: 1
      name: Test
      "name": Once more
      buses: { bus: { i2c: /dev/i2c-1, 'i2c': /dev/i2c-2, i2c: /dev/i2c-3 } }
      chips:
        imu:
          chip: invensense,mpu6050
          on: bus
          # on: bus
          address: 0x68

          on: bus
          address: 0x68
          on: bus
      name: A third time
      """
    #expect(
      BoardFileTests.errors(text) == [
        "test.yaml:3:2: key 'name' is here for the second time; the first is in line 2",
        "test.yaml:4:35: key 'i2c' is here for the second time; the first is in line 4",
        "test.yaml:4:53: key 'i2c' is here for the second time; the first is in line 4",
        "test.yaml:12:5: key 'on' is here for the second time; the first is in line 8",
        "test.yaml:13:5: key 'address' is here for the second time; the first is in line 10",
        "test.yaml:14:5: key 'on' is here for the second time; the first is in line 8",
        "test.yaml:15:1: key 'name' is here for the second time; the first is in line 2",
      ])
  }

  @Test func `repetitions between braces over several lines are reported at their places`() {
    let text = "otolith-board: 1\nbuses: {\n  b: { i2c: /dev/i2c-1 }, b: 2,\n  b: 3 }\n"
    #expect(
      BoardFileTests.errors(text).filter { $0.contains("second time") } == [
        "test.yaml:3:27: key 'b' is here for the second time; the first is in line 3",
        "test.yaml:4:3: key 'b' is here for the second time; the first is in line 3",
      ])
  }

  // MARK: - What a terminal would obey

  @Test(arguments: [
    ("\\e[31m", "U+001B"), ("\\a", "U+0007"), ("\\x9B31m", "U+009B"), ("\\x7F", "U+007F"),
    ("\\r", "U+000D"), ("\\b", "U+0008"), ("\\u202E", "U+202E"), ("\\u2066", "U+2066"),
    ("\\0", "U+0000"), ("\\N", "U+0085"), ("\\L", "U+2028"),
  ])
  func `no text of a board file holds a control character`(_ escape: String, _ name: String) {
    let refusal =
      "a text with the control character \(name); delete it; in \"\" it may be written with a backslash"
    #expect(
      BoardFileTests.errors(BoardFileTests.imu("", "description: \"x\(escape)y\""))
        == ["test.yaml:11:14: \(refusal)"])
    #expect(
      BoardFileTests.errors(
        BoardFileTests.imu().replacing("name: Test", with: "name: \"Te\(escape)st\""))
        == ["test.yaml:2:7: \(refusal)"])
    #expect(
      BoardFileTests.errors(BoardFileTests.imu().replacing("imu:", with: "\"i\(escape)mu\":"))
        .contains(
          "test.yaml:6:3: \(refusal)"))
    #expect(
      BoardFileTests.errors(BoardFileTests.imu("", "location: { \"x\(escape)\": 1 }")).contains(
        "test.yaml:11:13: \(refusal)"))
  }

  @Test func `a name is one line, a description may have several`() throws {
    #expect(
      BoardFileTests.errors(BoardFileTests.imu().replacing("name: Test", with: "name: \"Te\\nst\""))
        == [
          "test.yaml:2:7: 'name' is a text of several lines; expected one line; "
            + "not '|' nor '>', which end in a new line"
        ])
    let board = try BoardFileTests.parse(
      BoardFileTests.imu("", "description: |\n  one\n  two 🧭 \u{200D}"))
    #expect(board.summary == "one\ntwo 🧭 \u{200D}\n")
  }

  // MARK: - Without an end

  @Test(.timeLimit(.minutes(1))) func `no more is read of a file than a board file may have`()
    throws
  {
    func said(_ load: () throws(BoardErrors) -> Void) -> String {
      do {
        try load()
        return ""
      } catch { return error.description }
    }
    let zero = "/dev/zero"
    #expect(
      said { () throws(BoardErrors) in
        _ = try BoardFile.load(path: zero, catalogue: Fixtures.catalogue)
      }
        == "/dev/zero:1:1: the file has more than 65536 bytes; it is binary, and a board file is text "
        + "(YAML)")
    #expect(
      said { () throws(BoardErrors) in _ = try LearnedFile.load(path: zero) }
        .hasPrefix("/dev/zero: is not a regular file"))
    let folder = try Folder([
      "board.yaml": BoardFileTests.imu("", "calibration: /dev/zero"),
      "endless.trace": "otolith-trace: 2\n",
    ])
    #expect(
      said { () throws(BoardErrors) in
        _ = try BoardFile.load(path: folder.path + "board.yaml", catalogue: Fixtures.catalogue)
      } == "/dev/zero:1:1: the file has more than 65536 bytes; is this a calibration file?")
    // The file has 8 GiB but uses no space on disk.
    let path = folder.path + "endless.trace"
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 1 << 33)
    try file.close()
    #expect(
      said { () throws(BoardErrors) in
        _ = try BoardFile.load(path: path, catalogue: Fixtures.catalogue)
      }
      .replacing(folder.path, with: "here/")
        == "here/endless.trace:1:1: the trace has more than 67108864 bytes; "
        + "record a shorter one, with --duration")
  }
}
