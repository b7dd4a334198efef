// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recordings
import Testing

/// Headers of tables that other loggers write.
@Suite struct UnusualHeaderTests {
  private static let names = "timestamp,acceleration.x,acceleration.y,acceleration.z"
  private static let noTime = "no column 'timestamp', expected a header row with 'timestamp'; "

  @Test(arguments: [
    (
      "0.01,0.1,0.2,-1\n0.02,0.1,0.2,-1\n",
      "1:1: the first line has numbers, expected a header row with 'timestamp'; write the names of "
        + "the columns in a line before them"
    ),
    (
      "ax:0.1,ay:0.2,az:-9.8\nax:0.1,ay:0.2,az:-9.8\n",
      "1:1: numbers behind names, expected a header row with 'timestamp'; print the names once, in "
        + "the first line, then only the time and the numbers"
    ),
    (
      names.replacing(",", with: "|") + "\n0|0|0|-1\n",
      "1:1: cells with '|' between, expected commas, semicolons or tabulators; tr '|' ',' < "
        + "walk.csv > rows.csv turns them into commas"
    ),
    (
      names.replacing(",", with: "  ") + "\n0 0 0 -1\n",
      "1:1: cells with blanks between, expected commas, semicolons or tabulators; tr -s ' ' ',' < "
        + "walk.csv > rows.csv turns them into commas"
    ),
    (
      "# made by a logger\n# 100 Hz\n" + names + "\n0,0,0,-1\n",
      "1:1: no column 'timestamp', expected the header in the first line; line 3 looks like it: "
        + "tail -n +3 walk.csv > rows.csv leaves out what is before"
    ),
    (
      "sep=;\nTime (s);Acc X (g);Acc Y (g);Acc Z (g)\n0,1;0;0;-1\n",
      "1:1: no column 'timestamp', expected the header in the first line; line 2 looks like it: "
        + "tail -n +2 walk.csv > rows.csv leaves out what is before"
    ),
    (
      names + "\r0,0,0,-1\r1,0,0,-1\r",
      " its lines end in CR alone, expected lines that end in LF or CR LF; tr '\\r' '\\n' < "
        + "walk.csv > lines.csv turns them into such"
    ),
    // The time columns of Arduino loggers, and none at all.
    (
      "millis,ax,ay,az\n10,0,0,1\n",
      "1:1: \(noTime)say --columns timestamp=millis,acceleration=a --time-unit ms"
    ),
    (
      "ax,ay,az\n0,0,1\n",
      "1:1: \(noTime)which column is the time? use --columns timestamp=NAME,acceleration=a"
    ),
    // EuRoC's data sets, and rostopic echo -p.
    (
      "#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],"
        + "a_RS_S_x [m s^-2],a_RS_S_y [m s^-2],a_RS_S_z [m s^-2]\n1,0,0,0,0,0,9.8\n",
      "1:1: \(noTime)say --columns 'timestamp=#timestamp [ns],rotationRate=w_RS_S,"
        + "acceleration=a_RS_S' --units m/s2 --time-unit ns"
    ),
    (
      "%time,field.angular_velocity.x,field.angular_velocity.y,field.angular_velocity.z\n1,0,0,0\n",
      "1:1: \(noTime)say --columns 'timestamp=%time,rotationRate=field.angular_velocity'"
    ),
  ])
  func `each has its likely cause and the next step`(text: String, expected: String) {
    #expect(complaint(text) == "walk.csv:" + expected)
  }

  @Test func `a name that stands twice matters where it is read`() throws {
    #expect(try samples(Self.names + ",status,status\n1,0,0,-1,a,b\n").count == 1)
    #expect(
      complaint(Self.names + ",acceleration.y\n1,0,0,-1,0\n")
        == "walk.csv:1:56: a second column 'acceleration.y', expected each name once")
  }

  /// `Serial.print(",")` after each value, including the last.
  @Test func `rows that end in a comma are rows`() throws {
    let read = try samples(Self.names + "\n1,0,0,-1,\n2,0.5,0,-1, ,\n")
    #expect(read.map { $0.acceleration } == [Vector3(0, 0, -1), Vector3(0.5, 0, -1)])
  }

  @Test(arguments: [
    ("\n", ": there is no row below the header, expected a row for each sample"),
    ("", ":1: nothing below the header, expected a row for each sample, with a line feed"),
    (
      "\n1,0,0,-1",
      ":2: the only row has no end, expected a row for each sample, with a line feed"
    ),
  ])
  func `a recording without a row is refused`(rest: String, expected: String) throws {
    var reader = try RecordingReader(
      bytes: Array((Self.names + rest).utf8), file: "walk.csv", order: .lenient)
    let error = #expect(throws: RecordingError.self) { try reader.next() }
    #expect(error?.description == "walk.csv\(expected); was the file cut?")
  }

  /// Phone apps also write a file for a magnetometer that the phone lacks.
  @Test func `of several files one may have no row`() throws {
    try inFolder { folder in
      try "\(Self.names)\n1,0,0,-1\n".write(
        toFile: folder + "/a.csv", atomically: true, encoding: .utf8)
      try "timestamp,pressure\n".write(
        toFile: folder + "/b.csv", atomically: true, encoding: .utf8)
      var set = try RecordingSet(paths: [folder + "/a.csv", folder + "/b.csv"], order: .lenient)
      #expect(try set.next()?.acceleration == Vector3(0, 0, -1))
      #expect(try set.next() == nil)
      #expect(set.remarks == ["\(folder)/b.csv: there is no row below the header"])
    }
  }

  @Test(
    arguments: [
      (Array("PAR1".utf8) + [0x15], "a table of Parquet"),
      (Array("ARROW1".utf8) + [0, 0], "a table of Arrow (Feather)"),
      ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "the file is compressed with 7-Zip"),
      ([0x89] + Array("HDF\r\n".utf8) + [0x1A, 0x0A], "a file of HDF5"),
      (Array("MATLAB 5.0 MAT-file".utf8), "a file of MATLAB"),
      (Array("ULog".utf8) + [0x01, 0x12, 0x35], "a log of PX4"),
      ([0xA3, 0x95, 0x80, 0x80, 0x59], "a log of ArduPilot"),
    ] as [([UInt8], String)])
  func `files of other programs are known by their first bytes`(bytes: [UInt8], found: String) {
    #expect(
      complaint(bytes)?.hasPrefix("walk.csv: \(found), expected a recording's CSV text;") == true)
  }
}
