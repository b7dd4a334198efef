// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `otolith monitor` without a terminal.
@Suite(.serialized, .timeLimit(.minutes(2))) struct MonitorTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// Half of gravity is along +y: the top edge is 30 degrees below the horizon, and the left and
  /// right edges are level.
  @Test func `a snapshot shows the attitude and each chip`() throws {
    let ending = try Tool.shell(
      "LC_ALL=C.UTF-8 $OTOLITH monitor --board \(LiveTests.board) --duration 1.25 --snapshot 80x24 "
        + "--hold 'acceleration=0,0.5,-0.8660254;temperature=31.5'", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    let lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count == 24 && lines.allSatisfy { $0.unicodeScalars.count == 80 })
    #expect(!ending.output.contains("\u{1B}"))
    #expect(lines.first?.hasPrefix(" otolith monitor  Simulated board ") ?? false)
    for text in [
      "pitch -30.0", "gravity  x  +0.000", "y  +0.500", "z  -0.866", "31.5 degC",
    ] { #expect(ending.output.contains(text), "\(text)\n\(ending.output)") }
    for row in [
      /imu        invensense,mpu6050 +(99|100|101)\.\d  100     0     0     0     0  ok +/,
      /compass    st,lis3mdl +(19|20|21)\.\d   20     0     0     0     0  ok +/,
    ] { #expect(lines.contains { $0.wholeMatch(of: row) != nil }, "\(ending.output)") }
  }

  /// The board's chips have 50 and 100 Hz, and the second gives motion its time.
  @Test func `chips that are combined show their own rates`() throws {
    try scratch.write(BoardNotesTests.twoIMUs, to: "two.yaml")
    let ending = try Tool.shell(
      "LC_ALL=C $OTOLITH monitor --board two.yaml --duration 2.5 --snapshot 80x24", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    for row in [
      /a          invensense,mpu6050 +(49|50|51)\.\d   50 .*/,
      /b          bosch,bmi160 +(99|100|101)\.\d  100 .*/,
    ] {
      #expect(
        ending.output.split(separator: "\n").contains { $0.wholeMatch(of: row) != nil },
        "\(ending.output)")
    }
  }

  /// A locale other than UTF-8 has no Braille.
  @Test func `a recording is drawn in ASCII in a locale without Braille`() throws {
    var rows = "timestamp,acceleration.x,acceleration.y,acceleration.z\n"
    for index in 0..<50 { rows += "\(Double(index) / 50),0,0,-1\n" }
    try scratch.write(rows, to: "still.csv")
    let ending = try Tool.shell(
      "LC_ALL=C $OTOLITH monitor --recording still.csv --duration 0.3 --snapshot 60x20",
      in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.utf8.allSatisfy { $0 < 0x7F })
    #expect(ending.output.contains("still.csv") && ending.output.contains("pitch  +0.0"))
  }

  @Test func `without a terminal or with a missing recording monitor refuses`() throws {
    let ending = try Tool.run("monitor", in: scratch)
    #expect(
      ending.errors
        == "monitor needs a terminal; 'otolith run' writes lines, and 'otolith monitor --snapshot "
        + "80x24' one screen\n")
    #expect(ending.status == 64)
    for arguments in [
      ["--snapshot", "80"], ["--recording", "a.csv", "--board", "b.yaml"],
    ] {
      #expect(try Tool.run(["monitor"] + arguments, in: scratch).status == 64, "\(arguments)")
    }
    let missing = try Tool.run(
      "monitor", "--snapshot", "80x24", "--recording", "none.csv", in: scratch)
    #expect(missing.status == 66)
  }
}
