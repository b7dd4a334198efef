// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `replay` of files that are no recording of otolith, or have other units or names.
@Suite struct ForeignRecordingTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// Returns rows of a device that lies face up and rotates about z by 0.1 rad/s, at 100 Hz.
  private func rows(
    _ header: String, time: Double = 1, force: Double = -1, rate: Double = 1
  ) -> String {
    var text = header + "\n"
    for k in 0..<200 {
      let cells = [Double(k) / 100 * time, 0, 0, force, 0, 0, 0.1 * rate]
      text += cells.map { String(format: "%.6f", $0) }.joined(separator: ",") + "\n"
    }
    return text
  }

  private static let ours =
    "timestamp,acceleration.x,acceleration.y,acceleration.z,rotationRate.x,rotationRate.y,"
    + "rotationRate.z"

  private func last(_ ending: Tool.Ending) throws -> [String: Double] {
    let row = try #require(try ReplayTests.rows(ending.output).last)
    return row.compactMapValues(Double.init)
  }

  @Test func `motion is not turned into motion again`() throws {
    try scratch.write(rows(Self.ours), to: "samples.csv")
    for (format, name) in [("csv", "m.csv:1:1"), ("jsonl", "m.jsonl")] {
      let file = "m.\(format)"
      let made = try Tool.run(
        "replay", "samples.csv", "--format", format, "-o", file, in: scratch)
      #expect(made.status == 0)
      let again = try Tool.run("replay", file, in: scratch)
      #expect(again.status == 65 && again.output.isEmpty)
      #expect(
        again.errors
          == "\(name): a motion file, as otolith run and replay write it, expected what sensors "
          + "measured; replay needs samples, as written by otolith record\n")
    }
  }

  @Test func `a trace is to be played`() throws {
    try scratch.write("otolith-trace: 2\nclock: 12\n", to: "bug.trace")
    let ending = try Tool.run("replay", "bug.trace", in: scratch)
    #expect(ending.status == 65)
    #expect(
      ending.errors
        == "bug.trace: a trace of a board's buses, expected a recording of samples; "
        + "otolith trace play bug.trace turns it into one\n")
  }

  @Test func `impossible units are reported with the option that mends them`() throws {
    try scratch.write(rows(Self.ours), to: "right.csv")
    let right = try Tool.run("replay", "right.csv", in: scratch)
    #expect(right.status == 0 && right.errors.isEmpty)
    try scratch.write(rows(Self.ours, force: -9.80665), to: "force.csv")
    let force = try Tool.run("replay", "force.csv", in: scratch)
    #expect(
      force.errors
        == "force.csv: acceleration is 9.8 g on the mean, as if it were in m/s2; say --units m/s2\n"
    )
    try scratch.write(rows(Self.ours, time: 1000), to: "time.csv")
    let time = try Tool.run("replay", "time.csv", in: scratch)
    #expect(
      time.errors
        == "time.csv: samples are 10 s apart, as if 'timestamp' were in ms; say --time-unit ms\n")
    try scratch.write(rows(Self.ours, rate: 900), to: "rate.csv")
    let rate = try Tool.run("replay", "rate.csv", in: scratch)
    #expect(
      rate.errors
        == "rate.csv: rotationRate is up to 90 rad/s, as if it were in deg/s; say --units deg/s\n")
    // With all deviations corrected by options the motion is the same.
    try scratch.write(
      rows(Self.ours, time: 1000, force: -9.80665, rate: 180 / .pi), to: "all.csv")
    let mended = try Tool.run(
      "replay", "all.csv", "--units", "m/s2,deg/s", "--time-unit", "ms", in: scratch)
    #expect(mended.status == 0 && mended.errors.isEmpty)
    let (a, b) = (try last(right), try last(mended))
    #expect(a.count == b.count && a.count > 15)
    for (name, value) in a { #expect(abs(value - (b[name] ?? .nan)) < 1e-5, "\(name)") }
  }

  @Test func `columns of other names are reported, and read when they are named`() throws {
    let header = "timestamp,acceleration.x,acceleration.y,acceleration.z,gyro.x,gyro.y,gyro.z"
    try scratch.write(rows(header), to: "gyro.csv")
    let dropped = try Tool.run("replay", "gyro.csv", in: scratch)
    #expect(dropped.status == 0)
    #expect(
      dropped.errors
        == "gyro.csv: not read: 'gyro.x', 'gyro.y', 'gyro.z'; say --columns rotationRate=gyro\n")
    let read = try Tool.run(
      "replay", "gyro.csv", "--columns", "rotationRate=gyro", in: scratch)
    #expect(read.status == 0 && read.errors.isEmpty)
    #expect(try last(dropped)["rotationRate.z"] == nil)
    let first = try #require(try ReplayTests.rows(read.output).first)
    #expect(abs(try #require(Double(first["rotationRate.z"] ?? "")) - 0.1) < 0.02)
    // Axes and signs of a chip that is mounted differently.
    try scratch.write(rows("timestamp,ax,ay,az,gx,gy,gz", force: 1), to: "turned.csv")
    let turned = try Tool.run(
      "replay", "turned.csv", "--columns",
      "acceleration.x=-ax,acceleration.y=-ay,acceleration.z=-az,rotationRate=g", in: scratch)
    #expect(turned.status == 0 && turned.errors.isEmpty, "\(turned.errors)")
    #expect(try last(turned) == last(read))
    let missing = try Tool.run("replay", "gyro.csv", "--columns", "rotationRate=rate", in: scratch)
    #expect(missing.status == 65)
    #expect(
      missing.errors
        == "gyro.csv:1:1: no column 'rate' for --columns, expected one of the header's names\n")
  }

  @Test(arguments: [
    "--units furlongs", "--units g,m/s2", "--time-unit h", "--columns gyro", "--columns yaw=x",
  ]) func `an option that means nothing is a mistake`(_ option: String) throws {
    let ending = try Tool.shell("\"$OTOLITH\" replay x.csv \(option)", in: scratch)
    #expect(ending.status == 64)
  }

  // MARK: - Apps of phones. Made by hand to the formats that docs/recordings.md names.

  /// iOS: g with Core Motion's signs; each sensor has a clock, and a cell without a new sample is
  /// empty.
  private static let sensorLog = """
    loggingTime(txt),loggingSample(N),accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),accelerometerAccelerationY(G),accelerometerAccelerationZ(G),gyroTimestamp_sinceReboot(s),gyroRotationX(rad/s),gyroRotationY(rad/s),gyroRotationZ(rad/s),magnetometerTimestamp_sinceReboot(s),magnetometerX(µT),magnetometerY(µT),magnetometerZ(µT),motionYaw(rad),altimeterTimestamp_sinceReboot(s),altimeterPressure(kPa)
    2026-11-07T09:06:03.580+02:00,1,,,,,,,,,,,,,,,
    2026-11-07T09:06:03.591+02:00,2,405121.25,0.125,0.25,-0.75,405121.26,0.5,-0.25,0.125,405121.24,20.5,-10.25,-40.5,-2.05,405120.5,98.75
    2026-11-07T09:06:03.601+02:00,3,,,,,405121.27,0.5,-0.25,0.125,,,,,-2.05,,

    """

  @Test func `a file of SensorLog has its units and signs`() throws {
    try scratch.write(Self.sensorLog, to: "log.csv")
    let ending = try Tool.run("replay", "log.csv", in: scratch)
    #expect(ending.status == 0)
    #expect(
      ending.errors
        == "log.csv: recorded by SensorLog: acceleration, rotationRate, magneticField, pressure\n")
    let all = try ReplayTests.rows(ending.output)
    #expect(all.map { $0["timestamp"] } == ["405121.26", "405121.27"])
    let row = all[0].compactMapValues(Double.init)
    try expectForce(row, [0.125, 0.25, -0.75])
    try expect(row, "rotationRate", [0.5, -0.25, 0.125], within: 0.02)
    try expect(row, "magneticField", [20.5, -10.25, -40.5], within: 1e-9)
    #expect(row["pressure"] == 98.75)
  }

  /// Android, with one file per sensor: m/s2 with the reaction to gravity, hPa, seconds since the
  /// start.
  private func writeSensorLogger() throws {
    try scratch.write(
      """
      time,seconds_elapsed,z,y,x
      1698501144400000000,0.10,9.80665,0,-1.961330
      1698501144410000000,0.11,9.80665,0,-1.961330

      """, to: "TotalAcceleration.csv")
    try scratch.write(
      """
      time,seconds_elapsed,z,y,x
      1698501144405000000,0.105,0.3,-0.2,0.1
      1698501144415000000,0.115,0.3,-0.2,0.1

      """, to: "Gyroscope.csv")
    try scratch.write(
      """
      time,seconds_elapsed,relativeAltitude,pressure
      1698501144402000000,0.102,0,987.5

      """, to: "Barometer.csv")
  }

  @Test func `files of Sensor Logger are one recording`() throws {
    try writeSensorLogger()
    let one = try Tool.run("replay", "TotalAcceleration.csv", in: scratch)
    #expect(one.status == 0)
    #expect(
      one.errors == """
        TotalAcceleration.csv: recorded by Sensor Logger: acceleration
        Sensor Logger: there is no rotationRate, no magneticField; the app has files of those: \
        name them too

        """)
    let all = try Tool.run(
      "replay", "TotalAcceleration.csv", "Gyroscope.csv", "Barometer.csv", in: scratch)
    #expect(all.status == 0, "\(all.errors)")
    let rows = try ReplayTests.rows(all.output)
    #expect(rows.map { $0["timestamp"] } == ["0.105", "0.115"])
    let row = rows[0].compactMapValues(Double.init)
    try expectForce(row, [0.2, 0, -1])
    try expect(row, "rotationRate", [0.1, -0.2, 0.3], within: 0.02)
    #expect(abs(try #require(row["pressure"]) - 98.75) < 1e-9)
    let twice = try Tool.run("replay", "Gyroscope.csv", "./Gyroscope.csv", in: scratch)
    #expect(twice.status == 65 && twice.errors.contains("a quantity that Gyroscope.csv has too"))
  }

  /// The same name means g with Apple's sign on iOS, and m/s2 with the opposite sign on Android.
  @Test(arguments: [("-1", "0.25"), ("9.80665", "-2.4516625")])
  func `Sensor Logger's raw acceleration is known by its size`(_ z: String, _ x: String) throws {
    try scratch.write(
      "time,seconds_elapsed,z,y,x\n1,0.10,\(z),0,\(x)\n2,0.11,\(z),0,\(x)\n",
      to: "AccelerometerUncalibrated.csv")
    let ending = try Tool.run("replay", "AccelerometerUncalibrated.csv", in: scratch)
    #expect(ending.status == 0)
    try expectForce(try last(ending), [0.25, 0, -1])
  }

  /// A watch's file contains all values, in g with gravity separate as on iOS.
  @Test func `a watch's motion is added up`() throws {
    let header =
      "time,seconds_elapsed,rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,"
      + "accelerationX,accelerationY,accelerationZ,quaternionW"
    try scratch.write(
      header + "\n1,0.5,0.1,0.2,-0.3,0.25,0,-0.75,0.125,0.125,-0.25,1\n", to: "WristMotion.csv")
    let ending = try Tool.run("replay", "WristMotion.csv", in: scratch)
    #expect(ending.status == 0)
    let row = try last(ending)
    try expectForce(row, [0.375, 0.125, -1])
    try expect(row, "rotationRate", [0.1, 0.2, -0.3], within: 0.02)
  }

  @Test(arguments: [
    ("Accelerometer.csv", "acceleration without gravity"), ("Gravity.csv", "gravity alone"),
    ("mine.csv", "the file name does not tell the sensor"),
  ]) func `a recording without gravity, or without a description, is refused`(
    _ name: String, _ words: String
  )
    throws
  {
    try scratch.write("time,seconds_elapsed,z,y,x\n1,0.1,0,0,0\n", to: name)
    let ending = try Tool.run("replay", name, in: scratch)
    #expect(ending.status == 65 && ending.errorLines.count == 1)
    #expect(ending.errors.hasPrefix("\(name):1:1: ") && ending.errors.contains(words))
  }

  /// On both systems: m/s2 with the reaction to gravity, the field in microtesla, pressure in hPa.
  @Test func `files of phyphox have their units and signs`() throws {
    try scratch.write(
      """
      "Time (s)","Acceleration x (m/s^2)","Acceleration y (m/s^2)","Acceleration z (m/s^2)","Absolute acceleration (m/s^2)"
      1.000000000E-2,1.961330000E0,0.000000000E0,9.806650000E0,1.000086E1
      2.000000000E-2,1.961330000E0,0.000000000E0,9.806650000E0,1.000086E1

      """, to: "Accelerometer.csv")
    try scratch.write(
      """
      "Time (s)","Gyroscope x (rad/s)","Gyroscope y (rad/s)","Gyroscope z (rad/s)","Absolute (rad/s)"
      1.500000000E-2,1.000000000E-1,-2.000000000E-1,3.000000000E-1,3.7E-1

      """, to: "Gyroscope.csv")
    try scratch.write(
      """
      "Time (s)","Magnetic field x (µT)","Magnetic field y (µT)","Magnetic field z (µT)"
      1.200000000E-2,2.050000000E1,-1.025000000E1,-4.050000000E1

      """, to: "Magnetometer.csv")
    let ending = try Tool.run(
      "replay", "Accelerometer.csv", "Gyroscope.csv", "Magnetometer.csv", in: scratch)
    #expect(ending.status == 0)
    #expect(
      ending.errors == """
        Accelerometer.csv: recorded by phyphox: acceleration
        Gyroscope.csv: recorded by phyphox: rotationRate
        Magnetometer.csv: recorded by phyphox: magneticField

        """)
    let row = try last(ending)
    #expect(row["timestamp"] == 0.015)
    try expectForce(row, [-0.2, 0, -1])
    try expect(row, "rotationRate", [0.1, -0.2, 0.3], within: 0.02)
    try expect(row, "magneticField", [20.5, -10.25, -40.5], within: 1e-9)
  }

  @Test func `a phyphox recording without gravity gives an error with what to export`() throws {
    let axes = ["x", "y", "z"].map { "\"Linear Acceleration \($0) (m/s^2)\"" }
    try scratch.write(
      "\"Time (s)\"," + axes.joined(separator: ",") + "\n0,0,0,0\n", to: "linear.csv")
    let linear = try Tool.run("replay", "linear.csv", in: scratch)
    #expect(linear.status == 65)
    #expect(linear.errors.hasSuffix("lacks gravity: record 'Acceleration (with g)'\n"))
  }

  /// Exports with other separators and either decimal sign.
  @Test(arguments: [(";", "."), (";", ","), ("\t", "."), ("\t", ",")])
  func `phyphox's exports with other separators are read`(_ cell: String, _ sign: String) throws {
    let rows = [
      ["\"Time (s)\""] + ["x", "y", "z"].map { "\"Acceleration \($0) (m/s^2)\"" },
      ["0.0E0", "1.961330E0", "0", "9.806650E0"], ["1.0E-2", "1.961330E0", "", ""],
      ["2.0E-2", "1.961330E0", "0", "9.806650E0"],
    ]
    let text = rows.enumerated().map { index, cells in
      let line = cells.joined(separator: cell)
      return (index == 0 ? line : line.replacing(".", with: sign)) + "\n"
    }.joined()
    try scratch.write(text, to: "Accelerometer.csv")
    let ending = try Tool.run("replay", "Accelerometer.csv", in: scratch)
    #expect(ending.status == 0)
    #expect(
      ending.errors == """
        Accelerometer.csv: recorded by phyphox: acceleration
        phyphox: there is no rotationRate, no magneticField; the app has files of those: name \
        them too
        Accelerometer.csv: an unreadable row was skipped, in line 3 ('Acceleration y (m/s^2)' is \
        empty); --strict refuses it

        """)
    let row = try last(ending)
    #expect(row["timestamp"] == 0.02)
    try expectForce(row, [-0.2, 0, -1])
  }

  @Test func `phyphox's files for each sensor are read by their units`() throws {
    try scratch.write(
      "\"Time (s)\",\"X (m/s^2)\",\"Y (m/s^2)\",\"Z (m/s^2)\"\n0,1.96133,0,9.80665\n",
      to: "Accelerometer.csv")
    try scratch.write(
      "\"Time (s)\",\"X (rad/s)\",\"Y (rad/s)\",\"Z (rad/s)\"\n0.01,0.1,-0.2,0.3\n",
      to: "Gyroscope.csv")
    try scratch.write(
      "\"Time (s)\",\"X (\u{B5}T)\",\"Y (\u{B5}T)\",\"Z (\u{B5}T)\"\n0.005,20,-5,-42\n",
      to: "Magnetometer.csv")
    let ending = try Tool.run(
      "replay", "Accelerometer.csv", "Gyroscope.csv", "Magnetometer.csv", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    let row = try last(ending)
    try expectForce(row, [-0.2, 0, -1])
    try expect(row, "rotationRate", [0.1, -0.2, 0.3], within: 0.02)
    try expect(row, "magneticField", [20, -5, -42], within: 1e-9)
    // The name of the field in a file with only a magnetometer.
    try scratch.write(
      "\"Time (s)\",\"Magnetic Field x (\u{B5}T)\",\"Magnetic Field y (\u{B5}T)\","
        + "\"Magnetic Field z (\u{B5}T)\"\n0,20,-5,-42\n", to: "mag.csv")
    let field = try Tool.run("replay", "mag.csv", in: scratch)
    #expect(field.errors.hasPrefix("mag.csv: recorded by phyphox: magneticField\n"))
    try scratch.write(
      "\"Time (s)\",\"X (m/s^2)\",\"Y (m/s^2)\",\"Z (m/s^2)\"\n0,1,0,0\n",
      to: "Linear Accelerometer.csv")
    let linear = try Tool.run("replay", "Linear Accelerometer.csv", in: scratch)
    #expect(linear.status == 65 && linear.errors.contains("linear acceleration lacks gravity"))
  }

  /// The options in the hint are used unchanged.
  @Test func `another logger's columns are read as the hint says`() throws {
    try scratch.write(
      """
      Time (s),Gyroscope X (deg/s),Gyroscope Y (deg/s),Gyroscope Z (deg/s),Accelerometer X (g),Accelerometer Y (g),Accelerometer Z (g)
      0,0,0,90,0.2,0,-1
      0.01,0,0,90,0.2,0,-1

      """, to: "log.csv")
    let refused = try Tool.run("replay", "log.csv", in: scratch)
    let options =
      "--columns 'timestamp=Time (s),rotationRate=Gyroscope,acceleration=Accelerometer' "
      + "--units deg/s"
    #expect(
      refused.errors
        == "log.csv:1:1: no column 'timestamp', expected a header row with 'timestamp'; say "
        + "\(options)\n")
    let read = try Tool.shell("\"$OTOLITH\" replay log.csv \(options)", in: scratch)
    #expect(read.status == 0 && read.errors.isEmpty, "\(read.errors)")
    let row = try last(read)
    #expect(row["timestamp"] == 0.01)
    try expectForce(row, [0.2, 0, -1])
    try expect(row, "rotationRate", [0, 0, 1.5708], within: 0.1)
  }

  @Test func `columns are named for one of several files`() throws {
    try scratch.write("t,x,y,z\n0,0,0,-1\n1,0,0,-1\n", to: "acc.csv")
    try scratch.write("t,x,y,z\n0,0.1,0,0\n1,0.1,0,0\n", to: "gyr.csv")
    let read = try Tool.shell(
      "\"$OTOLITH\" replay acc.csv gyr.csv --columns "
        + "timestamp=t,acc.csv:acceleration.x=x,acc.csv:acceleration.y=y,acc.csv:acceleration.z=z,"
        + "gyr.csv:rotationRate.x=x,gyr.csv:rotationRate.y=y,gyr.csv:rotationRate.z=z", in: scratch)
    #expect(read.status == 0 && read.lines.count == 3, "\(read.errors)")
    let wrong = try Tool.run(
      "replay", "acc.csv", "gyr.csv", "--columns", "mag.csv:timestamp=t", in: scratch)
    #expect(
      wrong.errors
        == "acc.csv: no file 'mag.csv' for --columns, expected one of the recordings\n")
    let nowhere = try Tool.run(
      "replay", "acc.csv", "gyr.csv", "--columns",
      "timestamp=t,acceleration=,acc.csv:pressure=x,gyr.csv:temperature=x,humidity=h", in: scratch)
    #expect(nowhere.status == 64 || nowhere.status == 65)
  }

  /// Each cell of a recording contains numbers that exceed integers or any sensor.
  @Test func `no number in a recording ends the command by a signal`() throws {
    let values = [
      "1e19", "-1e19", "1e30", "1e308", "-1e308", "1e-320", "inf", "-inf", "nan",
      "9223372036854775807", "-9223372036854775808", "18446744073709551616", "9223372036.8",
      "-9223372036.8", "1e9",
    ]
    let lines = rows(Self.ours).split(separator: "\n").map(String.init)
    var names: [String] = []
    for (index, value) in values.enumerated() {
      for cell in 0..<7 {
        var changed = lines
        for row in index % 3 == 0 ? [5, 6, 7] : [90] {
          var cells = changed[row].split(separator: ",").map(String.init)
          cells[cell] = value
          changed[row] = cells.joined(separator: ",")
        }
        names.append("v-\(index)-\(cell).csv")
        try scratch.write(changed.joined(separator: "\n") + "\n", to: names.last ?? "")
      }
    }
    for option in ["", "--smooth", "--smoothing-lag-s 1", "--strict"] {
      let ending = try Tool.shell(
        "for f in v-*.csv; do \"$OTOLITH\" replay $f \(option) > /dev/null 2>> errors; "
          + "s=$?; [ $s = 0 ] || [ $s = 65 ] || echo $f $s; done", in: scratch)
      #expect(ending.output == "", "\(option)")
    }
    #expect(names.count == 105)
  }

  private func expect(
    _ row: [String: Double], _ name: String, _ values: [Double], within tolerance: Double
  ) throws {
    for (axis, value) in zip(["x", "y", "z"], values) {
      let found = try #require(row["\(name).\(axis)"], "\(name).\(axis)")
      #expect(abs(found - value) <= tolerance, "\(name).\(axis) is \(found), not \(value)")
    }
  }

  /// Gravity plus user acceleration is what the accelerometer has measured.
  private func expectForce(_ row: [String: Double], _ values: [Double]) throws {
    for (axis, value) in zip(["x", "y", "z"], values) {
      let gravity = try #require(row["gravity.\(axis)"])
      let user = try #require(row["userAcceleration.\(axis)"])
      #expect(abs(gravity + user - value) < 1e-9, "\(axis) is \(gravity + user), not \(value)")
    }
  }
}
