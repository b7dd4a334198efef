// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct ReplayTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.recording, to: "walk.csv")
  }

  /// As docs/recordings.md has it, typed by hand.
  static let header =
    "timestamp,attitude.x,attitude.y,attitude.z,attitude.w,roll,pitch,yaw,"
    + "rotationRate.x,rotationRate.y,rotationRate.z,gravity.x,gravity.y,gravity.z,"
    + "userAcceleration.x,userAcceleration.y,userAcceleration.z,"
    + "magneticField.x,magneticField.y,magneticField.z,magneticField.accuracy,heading,"
    + "pressure,relativeAltitude,numberOfSteps,distance,currentCadence,currentPace,"
    + "floorsAscended,floorsDescended,activity,activityConfidence"

  /// Rotation rates at 100 Hz; accelerations from the third row on, every second row; the magnetic field a little later.
  /// The columns are out of order, and one is unknown.
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

  /// Rows by column name.
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
    // One for each rotation rate, with its timestamp.
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
    // Gravity and user acceleration are the newest acceleration.
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

  /// What a key of a line has.
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
      // Decoded to the last bit, which JSONSerialization of Linux does not do.
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
      // The field points to 0.07 east of the top edge: magnetic north is there, so the top edge points 4.2 degrees west.
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

  /// A heading to true north is the heading to magnetic north and the declination, here that of NOAA's test value for
  /// 80 S 240 E on 2027-07-02, half of the year after 2027.0: 68.49 degrees, and of X, Y and Z there the
  /// total and the dip.
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
    // A declination that is given holds.
    let (given, _) = try heading(frame + place + ["--declination-deg", "-12.5"])
    let back = (magnetic - given + 360).truncatingRemainder(dividingBy: 360)
    #expect(abs(back - 12.5) < 1e-6)
    // Of another year, with a warning.
    let (late, warning) = try heading(frame + place.dropLast() + ["2031-07-02"])
    #expect(abs(late - north) > 0.2)
    let words = "the date is 2031-07-02 and WMM2025 is made for 2025.0 to 2030.0"
    #expect(warning.split(separator: "\n").filter { $0.contains(words) }.count == 1, "\(warning)")
  }

  /// 18 seconds of a hand that turns a device about, in a field of 49.2 microtesla that dips by 66 degrees.
  static let turning = turning(seconds: 18)

  /// The same for longer, with a field of the device's own.
  static func turning(seconds: Int, hardIron: [Double] = [0, 0, 0]) -> String {
    let names = ["acceleration", "rotationRate", "magneticField"]
    let columns = names.flatMap { name in ["x", "y", "z"].map { "\(name).\($0)" } }
    var lines = ["timestamp," + columns.joined(separator: ",")]
    for k in 0..<50 * seconds {
      let t = Double(k) / 50
      // About the vertical by `a`, then about the device's x axis by `b`.
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

  /// The hard iron shows while the device turns. What comes before is read with it, too.
  @Test func `smoothed, a magnetometer that was never calibrated points north from the start`()
    throws
  {
    try scratch.write(Self.turning(seconds: 60, hardIron: [25, -15, 20]), to: "iron.csv")
    func error(_ options: String...) throws -> Double {
      let frame = ["--reference-frame", "x-magnetic-north-z-vertical"]
      let ending = try Tool.run(["replay", "iron.csv"] + frame + options, in: scratch)
      #expect(ending.status == 0, "\(ending.errors)")
      let rows = try Self.rows(ending.output).dropFirst(50).prefix(100)
      // Of the second second to the third; about the vertical the device turns by its time.
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

  /// Of 51 N 10 E the model expects such a field; on the equator it is a magnet's.
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

  /// Nothing is left of what was begun, and what was there stays as it was.
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

  @Test func `a row out of order is left out and told once`() throws {
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
    // As without it.
    let lines = Self.recording.split(separator: "\n").filter { !$0.hasPrefix("g,") }
    try scratch.write(lines.joined(separator: "\n") + "\n", to: "without.csv")
    #expect(try Tool.run("replay", "without.csv", in: scratch).output == ending.output)
  }

  /// A clock that is set back is to fusion what half a minute without a sample is, but for the times in the rows.
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

  /// What follows a moment is read before the moment: a pipe is copied for it.
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

  @Test func `an output that cannot be made is told in a line`() throws {
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

  /// As little as there can be.
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

  /// A device without an end is refused by what it begins with, before its copy fills the disk.
  @Test func `what is smoothed and is no recording is not copied`() throws {
    let ending = try Tool.shell(
      "mkdir copies; TMPDIR=copies \"$OTOLITH\" replay --smooth /dev/zero; ls copies", in: scratch)
    #expect(ending.errors == "/dev/zero: the file is binary, expected a recording's CSV text\n")
    #expect(ending.output.isEmpty)
  }
}
