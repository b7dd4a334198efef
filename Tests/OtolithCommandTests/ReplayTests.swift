// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct ReplayTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.recording, to: "walk.csv")
  }

  /// The header is typed from docs/recordings.md.
  static let header =
    "timestamp,attitude.x,attitude.y,attitude.z,attitude.w,roll,pitch,yaw,"
    + "rotationRate.x,rotationRate.y,rotationRate.z,gravity.x,gravity.y,gravity.z,"
    + "userAcceleration.x,userAcceleration.y,userAcceleration.z,"
    + "magneticField.x,magneticField.y,magneticField.z,magneticField.accuracy,heading,"
    + "pressure,relativeAltitude,numberOfSteps,distance,currentCadence,currentPace,"
    + "floorsAscended,floorsDescended,activity,activityConfidence"

  /// Rotation rates at 100 Hz; from the third row on an acceleration in every second row; the
  /// magnetic field starts later. The columns are out of order, and one is unknown.
  static let recording = """
    note,timestamp,rotationRate.x,rotationRate.y,rotationRate.z,acceleration.z,acceleration.y,acceleration.x,magneticField.x,magneticField.y,magneticField.z
    a,100.00,0.010,0.020,0.030,,,,,,
    b,100.01,0.010,0.020,0.030,,,,,,
    c,100.02,0.010,0.020,0.030,-0.990,0.020,0.010,,,
    d,100.03,0.010,0.020,0.030,,,,,,
    e,100.04,0.011,0.020,0.030,-0.985,0.021,0.012,,,
    f,100.04,,,,,,,1.5,20.5,-44.5
    g,100.05,0.012,0.020,0.030,,,,,,
    h,100.06,0.013,0.020,0.030,-0.980,0.022,0.014,,,

    """

  /// Returns the rows by column name.
  static func rows(_ text: String) throws -> [[String: String]] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
    let names = try #require(lines.first).split(separator: ",", omittingEmptySubsequences: false)
    return lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      #expect(cells.count == names.count)
      return Dictionary(
        zip(names.map(String.init), cells.map(String.init)), uniquingKeysWith: { a, _ in a })
    }
  }

  @Test func `a recording becomes a file of motion`() throws {
    let ending = try Tool.run("replay", "walk.csv", "--output", "motion.csv", in: scratch)
    #expect(ending.status == 0 && ending.output.isEmpty)
    #expect(ending.errors == "walk.csv: not read: 'note'\n")
    let text = try scratch.text("motion.csv")
    #expect(text.hasPrefix(Self.header + "\n") && text.hasSuffix("\n"))
    let rows = try Self.rows(text)
    // One row for each rotation rate, with its time stamp.
    #expect(
      rows.map { $0["timestamp"] }
        == ["100", "100.01", "100.02", "100.03", "100.04", "100.05", "100.06"])
    // Before the first acceleration there is no attitude.
    for row in rows.prefix(2) {
      for name in ["attitude.w", "roll", "gravity.x", "userAcceleration.z", "heading"] {
        #expect(row[name] == "")
      }
      #expect(row["rotationRate.x"] != "")
    }
    // Gravity plus user acceleration is the newest acceleration.
    let newest: [[Double]] = [
      [0.010, 0.020, -0.990], [0.010, 0.020, -0.990], [0.012, 0.021, -0.985],
      [0.012, 0.021, -0.985], [0.014, 0.022, -0.980],
    ]
    for (row, acceleration) in zip(rows.dropFirst(2), newest) {
      for (axis, value) in zip(["x", "y", "z"], acceleration) {
        let gravity = try #require(Double(row["gravity." + axis] ?? ""))
        let user = try #require(Double(row["userAcceleration." + axis] ?? ""))
        #expect(abs(gravity + user - value) < 1e-12)
      }
    }
    #expect(rows.prefix(5).allSatisfy { $0["magneticField.x"] == "" })
    #expect(rows.suffix(2).allSatisfy { $0["magneticField.x"] != "" })
    #expect(rows.allSatisfy { $0["heading"] == "" && $0["floorsAscended"] == "" })
    #expect(scratch.names == ["motion.csv", "walk.csv"])
  }

  @Test func `standard output gets the same rows as a file`() throws {
    let file = try Tool.run("replay", "walk.csv", "-o", "motion.csv", in: scratch)
    let stream = try Tool.run("replay", "walk.csv", in: scratch)
    #expect(file.status == 0 && stream.status == 0)
    #expect(try scratch.text("motion.csv") == stream.output)
  }

  /// The value of a key in a JSON line.
  private enum Cell: Decodable {
    case number(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try value.decode(String.self))
      }
    }
  }

  @Test func `a line of JSON has the values of the row of CSV`() throws {
    let ending = try Tool.run("replay", "walk.csv", "--format", "jsonl", in: scratch)
    #expect(ending.status == 0 && ending.lines.count == 7)
    let csv = try Self.rows(try Tool.run("replay", "walk.csv", in: scratch).output)
    for (line, row) in zip(ending.lines, csv) {
      // Numbers are decoded to the last bit, unlike with JSONSerialization on Linux.
      let values = try JSONDecoder().decode([String: Cell].self, from: Data(line.utf8))
      #expect(Set(values.keys) == Set(row.filter { $0.value != "" }.keys))
      for (name, value) in values {
        switch value {
        case .number(let number): #expect(number == Double(row[name] ?? ""))
        case .text(let text): #expect(name == "activity" && text == row[name])
        }
      }
    }
  }

  @Test(arguments: [
    "x-arbitrary-z-vertical", "x-arbitrary-corrected-z-vertical", "x-magnetic-north-z-vertical",
    "x-true-north-z-vertical",
  ]) func `each reference frame has its heading, or none`(_ frame: String) throws {
    let ending = try Tool.run(
      "replay", "walk.csv", "--reference-frame", frame, "--declination-deg", "5", in: scratch)
    #expect(ending.status == 0)
    let last = try #require(try Self.rows(ending.output).last)
    #expect(last["attitude.w"] != "")
    if frame.contains("north") {
      // The field, and so magnetic north, is 0.07 rad east of the top edge, so the top edge points
      // 4.2 degrees west.
      let heading = try #require(Double(last["heading"] ?? ""))
      let expected = -atan2(1.5, 20.5) * 180 / Double.pi + (frame.contains("true") ? 5 : 0)
      let off = abs(heading - expected)
      #expect(min(off, 360 - off) < 6, "\(heading), not about \(expected)")
    } else {
      #expect(last["heading"] == "")
    }
  }

  @Test func `true north needs a declination`() throws {
    let ending = try Tool.run(
      "replay", "walk.csv", "--reference-frame", "x-true-north-z-vertical", in: scratch)
    #expect(ending.status == 64 && ending.output.isEmpty)
    #expect(
      ending.errors.contains(
        "x-true-north-z-vertical needs --latitude-deg and --longitude-deg, or --declination-deg"))
  }

  /// A heading from true north is the heading from magnetic north plus the declination: NOAA's test
  /// value for 80 S 240 E on 2027-07-02, half a year after 2027.0, is 68.49 degrees; X, Y and Z
  /// there give the total and the dip.
  @Test func `true north comes from the position and the date`() throws {
    func heading(_ arguments: [String]) throws -> (Double, String) {
      let ending = try Tool.run(["replay", "walk.csv"] + arguments, in: scratch)
      #expect(ending.status == 0, "\(ending.errors)")
      let last = try #require(try Self.rows(ending.output).last)
      return (try #require(Double(last["heading"] ?? "")), ending.errors)
    }
    let place = ["--latitude-deg", "-80", "--longitude-deg", "-120", "--date", "2027-07-02"]
    let frame = ["--reference-frame", "x-true-north-z-vertical"]
    let (magnetic, _) = try heading(["--reference-frame", "x-magnetic-north-z-vertical"])
    let (north, errors) = try heading(frame + place)
    let turned = (north - magnetic + 360).truncatingRemainder(dividingBy: 360)
    #expect(abs(turned - 68.49) < 0.01, "\(turned)")
    #expect(
      errors == """
        walk.csv: not read: 'note'
        true north: declination 68.49 deg +- 0.41 deg, by WMM2025; expected field at -80.0, -120.0 in 2027.5: \
        54.47 uT, dip -71.92 deg

        """)
    // A given declination takes precedence.
    let (given, _) = try heading(frame + place + ["--declination-deg", "-12.5"])
    let back = (magnetic - given + 360).truncatingRemainder(dividingBy: 360)
    #expect(abs(back - 12.5) < 1e-6)
    // The date is outside the model's years, which gives a warning.
    let (late, warning) = try heading(frame + place.dropLast() + ["2031-07-02"])
    #expect(abs(late - north) > 0.2)
    let words = "the date is 2031-07-02 and WMM2025 is made for 2025.0 to 2030.0"
    #expect(warning.split(separator: "\n").filter { $0.contains(words) }.count == 1, "\(warning)")
  }

  /// 18 seconds of a hand that rotates a device, in a field of 49.2 microtesla with a dip of 66
  /// degrees.
  static let turning = turning(seconds: 18)

  /// Returns the same motion for `seconds`, with a field of the device itself.
  static func turning(seconds: Int, hardIron: [Double] = [0, 0, 0]) -> String {
    let names = ["acceleration", "rotationRate", "magneticField"]
    let columns = names.flatMap { name in ["x", "y", "z"].map { "\(name).\($0)" } }
    var lines = ["timestamp," + columns.joined(separator: ",")]
    for k in 0..<50 * seconds {
      let t = Double(k) / 50
      // Rotated about the vertical by `a`, then about the device's x axis by `b`.
      let (a, b) = (t, 0.8 * sin(0.7 * t))
      func device(_ north: Double, _ up: Double) -> [Double] {
        let west = -north * sin(a)
        return [north * cos(a), west * cos(b) + up * sin(b), up * cos(b) - west * sin(b)]
      }
      let rate = [0.56 * cos(0.7 * t), sin(b), cos(b)]
      let field = zip(device(20, -45), hardIron).map { $0 + $1 }
      let cells = [t] + device(0, -1) + rate + field
      lines.append(cells.map { String(format: "%.6f", $0) }.joined(separator: ","))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The hard iron is learned while the device rotates, and earlier rows are corrected with it.
  @Test func `smoothed, a magnetometer that was never calibrated points north from the start`()
    throws
  {
    try scratch.write(Self.turning(seconds: 60, hardIron: [25, -15, 20]), to: "iron.csv")
    func error(_ options: String...) throws -> Double {
      let frame = ["--reference-frame", "x-magnetic-north-z-vertical"]
      let ending = try Tool.run(["replay", "iron.csv"] + frame + options, in: scratch)
      #expect(ending.status == 0, "\(ending.errors)")
      let rows = try Self.rows(ending.output).dropFirst(50).prefix(100)
      // From the second to the third second; the device turns about the vertical by the time.
      let squares = try rows.map { row in
        let yaw = try #require(Double(row["yaw"] ?? ""))
        let time = try #require(Double(row["timestamp"] ?? ""))
        return pow(atan2(sin(yaw - time), cos(yaw - time)), 2)
      }
      return (squares.reduce(0, +) / Double(squares.count)).squareRoot() * 180 / .pi
    }
    #expect(try error() > 5)
    #expect(try error("--smoothing-lag-s", "1") > 2)
    #expect(try error("--smooth") < 1)
  }

  /// At 51 N 10 E the model expects such a field; on the equator it must be a magnet's.
  @Test func `a field that is not the place's is a magnet's`() throws {
    try scratch.write(Self.turning, to: "turning.csv")
    func accuracy(_ place: String...) throws -> Int? {
      let ending = try Tool.run(["replay", "turning.csv"] + place, in: scratch)
      #expect(ending.status == 0, "\(ending.errors)")
      let last = try #require(try Self.rows(ending.output).last)
      return Int(last["magneticField.accuracy"] ?? "")
    }
    let date = ["--date", "2027-01-01"]
    #expect(try accuracy() ?? -1 >= 1)
    #expect(
      try accuracy("--latitude-deg", "51", "--longitude-deg", "10", date[0], date[1]) ?? -1 >= 1)
    #expect(try accuracy("--latitude-deg", "0", "--longitude-deg", "120", date[0], date[1]) == 0)
  }

  @Test(arguments: [
    ("--latitude-deg 47", "--latitude-deg and --longitude-deg go together"),
    ("--longitude-deg 8", "--latitude-deg and --longitude-deg go together"),
    ("--height-m 400", "--height-m needs --latitude-deg and --longitude-deg"),
    ("--date 2027-01-01", "--date needs --latitude-deg and --longitude-deg"),
    (
      "--latitude-deg 91 --longitude-deg 8",
      "it is a number of degrees from -90 to 90, such as 47.4"
    ),
    (
      "--latitude-deg 9 --longitude-deg 400",
      "it is a number of degrees from -180 to 360, such as 8.5"
    ),
    (
      "--latitude-deg 9 --longitude-deg 8 --height-m -2e4",
      "it is a number of metres from -1000 to 850000; did you mean 20000?"
    ),
    ("--declination-deg nan", "it is a number of degrees from -180 to 180, such as 2.5"),
    (
      "--latitude-deg 9 --longitude-deg 8 --date 2027-02-29",
      "the value '2027-02-29' is invalid for '--date <date>': it is a day"
    ),
    (
      "--latitude-deg 9 --longitude-deg 8 --date 27-2-2",
      "the value '27-2-2' is invalid for '--date <date>': it is a day"
    ),
  ])
  func `a place that is half said or impossible is refused`(_ options: String, _ words: String)
    throws
  {
    let ending = try Tool.run(
      ["replay", "walk.csv"] + options.split(separator: " ").map(String.init), in: scratch)
    #expect(ending.status == 64 && ending.output.isEmpty)
    #expect(ending.errors.contains(words), "\(ending.errors)")
  }

  /// No partial file is left, and the existing file is unchanged.
  @Test func `a malformed recording leaves what was there as it was`() throws {
    try scratch.write(
      Self.recording.replacing("0.012,0.020", with: "0.012g,0.020"), to: "bad.csv")
    let ending = try Tool.run("replay", "bad.csv", "--strict", "-o", "motion.csv", in: scratch)
    #expect(ending.status == 65)
    let error = try #require(ending.errorLines.last)
    #expect(error.hasPrefix("bad.csv:8:10: "))
    #expect(error.contains("'rotationRate.x'") && error.contains("'0.012g'"))
    #expect(ending.errorLines.count == 2)
    #expect(scratch.names == ["bad.csv", "walk.csv"])
    try scratch.write("precious", to: "motion.csv")
    _ = try Tool.run(
      "replay", "bad.csv", "--strict", "-o", "motion.csv", "--force", in: scratch)
    #expect(try scratch.text("motion.csv") == "precious")
  }

  @Test func `time that runs backwards is reported`() throws {
    try scratch.write(Self.recording.replacing("h,100.06", with: "h,99.06"), to: "bad.csv")
    let ending = try Tool.run("replay", "bad.csv", "--strict", "-o", "motion.csv", in: scratch)
    #expect(ending.status == 65 && ending.errorLines.last?.hasPrefix("bad.csv:9:3: ") == true)
    #expect(scratch.names == ["bad.csv", "walk.csv"])
  }

  @Test func `a row out of order is left out and reported once`() throws {
    try scratch.write(Self.recording.replacing("g,100.05", with: "g,99.05"), to: "late.csv")
    let ending = try Tool.run("replay", "late.csv", in: scratch)
    #expect(ending.status == 0)
    #expect(
      ending.errors
        == "late.csv: not read: 'note'\nlate.csv: a row is earlier than the previous one and "
        + "skipped, in line 8; --strict refuses it\n")
    #expect(
      try Self.rows(ending.output).map { $0["timestamp"] }
        == ["100", "100.01", "100.02", "100.03", "100.04", "100.06"])
    // The result is the same without the rows marked `g`.
    let lines = Self.recording.split(separator: "\n").filter { !$0.hasPrefix("g,") }
    try scratch.write(lines.joined(separator: "\n") + "\n", to: "without.csv")
    #expect(try Tool.run("replay", "without.csv", in: scratch).output == ending.output)
  }

  /// A clock that is set back has the same effect on fusion as 30 s without a sample; rows keep
  /// their times.
  @Test(arguments: [[], ["--smooth"], ["--smoothing-lag-s", "1"]])
  func `a recording whose clock is set back goes on after a gap`(_ options: [String]) throws {
    let lines = Self.turning.split(separator: "\n").map(String.init)
    let rows = lines.dropFirst().map { $0.split(separator: ",", maxSplits: 1) }
    let shifted = try rows.map { cells in
      String(format: "%.6f", try #require(Double(cells[0])) + 17.98 + 30) + "," + cells[1]
    }
    try scratch.write((lines + lines.dropFirst()).joined(separator: "\n") + "\n", to: "back.csv")
    try scratch.write((lines + shifted).joined(separator: "\n") + "\n", to: "on.csv")
    let back = try Tool.run(["replay", "back.csv"] + options, in: scratch)
    let on = try Tool.run(["replay", "on.csv"] + options, in: scratch)
    #expect(back.status == 0 && on.status == 0 && on.errors.isEmpty)
    #expect(
      back.errors
        == "back.csv: time steps back by more than a second in line 902; it continues after a gap; "
        + "--strict refuses it\n")
    #expect(back.lines.count == 1801 && back.lines.count == on.lines.count)
    func values(_ line: String) -> Substring? {
      line.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).last
    }
    #expect(back.lines.map(values) == on.lines.map(values))
    let times = try Self.rows(back.output).map { $0["timestamp"] }
    #expect(times.prefix(900) == times.suffix(900))
  }

  /// Later samples are needed, so a pipe is copied first.
  @Test(arguments: ["--smooth", "--smoothing-lag-s 0.5", ""])
  func `a pipe is replayed as its file`(_ options: String) throws {
    try scratch.write(Self.turning, to: "turning.csv")
    let file = try Tool.shell("\"$OTOLITH\" replay \(options) turning.csv", in: scratch)
    let names = scratch.names
    let pipe = try Tool.shell(
      "cat turning.csv | TMPDIR=. \"$OTOLITH\" replay \(options) /dev/stdin", in: scratch)
    #expect(pipe.status == 0 && pipe.output == file.output && pipe.lines.count > 800)
    #expect(scratch.names == names)
  }

  @Test func `a missing recording leaves nothing behind`() throws {
    let ending = try Tool.run("replay", "nope.csv", "-o", "motion.csv", in: scratch)
    #expect(ending.status == 66 && ending.errors == "nope.csv: no such file\n")
    #expect(scratch.names == ["walk.csv"])
    let folder = try Tool.run("replay", ".", in: scratch)
    #expect(folder.status == 66)
    #expect(folder.errors == ".: is a directory, expected a recording's CSV file\n")
  }

  @Test func `an output that cannot be created is reported in one line`() throws {
    let ending = try Tool.run("replay", "walk.csv", "-o", "no/such/motion.csv", in: scratch)
    #expect(ending.status == 73 && ending.errorLines.count == 2)
    #expect(ending.errors.contains("there is no folder 'no/such/'"))
    let folder = try Tool.run("replay", "walk.csv", "-o", ".", in: scratch)
    #expect(folder.status == 73 && folder.errors.contains("it is a directory"))
  }

  @Test func `a full disk is one error`() throws {
    let ending = try Tool.run("replay", "walk.csv", in: scratch, output: "/dev/full")
    #expect(ending.status == 74 && ending.errorLines.count == 2)
  }

  /// The smallest possible recordings.
  @Test func `an empty recording is refused, and one without rows`() throws {
    try scratch.write("", to: "empty.csv")
    #expect(try Tool.run("replay", "empty.csv", in: scratch).status == 65)
    try scratch.write("timestamp,rotationRate.x,rotationRate.y,rotationRate.z\n", to: "head.csv")
    let ending = try Tool.run("replay", "head.csv", in: scratch)
    #expect(ending.status == 65)
    #expect(
      ending.errors
        == "head.csv: there is no row below the header, expected a row for each sample; was the file "
        + "cut?\n")
  }

  /// An endless device is refused by its first bytes, before its copy fills the disk.
  @Test func `what is smoothed and is no recording is not copied`() throws {
    let ending = try Tool.shell(
      "mkdir copies; TMPDIR=copies \"$OTOLITH\" replay --smooth /dev/zero; ls copies", in: scratch)
    #expect(ending.errors == "/dev/zero: the file is binary, expected a recording's CSV text\n")
    #expect(ending.output.isEmpty)
  }
}
