// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The columns of a file that a phone app wrote, recognised by their names. docs/recordings.md
/// gives formats, units and signs with their sources.
struct PhoneRecording {
  let app: String
  private(set) var columns: [RecordingColumn]
  var timeUnit = TimeUnit.s
  /// True if acceleration may be in g with Apple's sign or in m/s2 with Android's sign. The
  /// magnitude of the values decides which of the two applies.
  var mayBeGravities = false
  /// True if the app writes a separate file for each sensor.
  var hasFileForEach = true

  /// The reason why a phone app's file cannot be used.
  struct Refusal: Error {
    var found: String
    var expected: String
    var hint: String?
  }

  /// The factor from Android's acceleration in m/s2 to g with Core Motion's sign. A phone on its
  /// back measures +9.81 m/s2 on Android, in phyphox and in Sensor Logger's standardised files, and
  /// -1 here.
  static let androidFactor = -1 / MeasuredUnit.standardGravity

  private init(_ app: String, _ names: [String]) {
    self.app = app
    columns = names.map { _ in RecordingColumn() }
  }

  /// Returns the columns of a known app; `nil` if `names` belong to no known app. `file` is the
  /// file's path, whose name identifies the sensor for some apps.
  static func recognised(_ names: [String], file: String) throws(Refusal) -> PhoneRecording? {
    if names.contains("loggingTime(txt)") { return sensorLog(names) }
    if names.contains("Time (s)"), let file = try phyphox(names, file: file) { return file }
    if names.contains("seconds_elapsed") { return try sensorLogger(names, file: file) }
    return nil
  }

  /// Reads the column `name` into `slot`; if several columns have the same slot, the columns'
  /// values are added. Returns false if the column is missing.
  @discardableResult
  private mutating func read(
    _ names: [String], _ name: String, _ slot: String, _ factor: Double = 1
  ) -> Bool {
    guard let column = names.firstIndex(of: name),
      let slot = RecordingColumns.names.firstIndex(of: slot)
    else { return false }
    columns[column] = RecordingColumn(slot: slot, factor: factor)
    return true
  }

  /// Reads the columns of three axes. `#` in `name` stands for the axis.
  @discardableResult
  private mutating func readAxes(
    _ names: [String], _ name: String, _ vector: String, _ factor: Double = 1, capital: Bool = true
  ) -> Bool {
    let axes = ["x", "y", "z"]
    let wanted = axes.map { name.replacing("#", with: capital ? $0.uppercased() : $0) }
    guard wanted.allSatisfy({ names.contains($0) }) else { return false }
    for (axis, name) in zip(axes, wanted) { read(names, name, "\(vector).\(axis)", factor) }
    return true
  }
}

// MARK: - SensorLog
extension PhoneRecording {
  /// Returns the columns of SensorLog: one file for all sensors, in g with Core Motion's signs.
  /// Each sensor has its own time; the newest of these times is the time of the row.
  private static func sensorLog(_ original: [String]) -> PhoneRecording {
    // Two different Unicode characters are in use for the prefix micro of units.
    let names = original.map { $0.replacing("\u{B5}", with: "u").replacing("\u{3BC}", with: "u") }
    var file = PhoneRecording("SensorLog", names)
    file.hasFileForEach = false
    var clocks: [String] = []
    if file.readAxes(names, "accelerometerAcceleration#(G)", "acceleration") {
      clocks.append("accelerometer")
    } else if file.readAxes(names, "motionGravity#(G)", "acceleration"),
      file.readAxes(names, "motionUserAcceleration#(G)", "acceleration")
    {
      clocks.append("motion")
    }
    if file.readAxes(names, "gyroRotation#(rad/s)", "rotationRate") {
      clocks.append("gyro")
    } else if file.readAxes(names, "motionRotationRate#(rad/s)", "rotationRate") {
      clocks.append("motion")
    }
    if file.readAxes(names, "magnetometer#(uT)", "magneticField") {
      clocks.append("magnetometer")
    } else if file.readAxes(names, "motionMagneticField#(uT)", "magneticField") {
      clocks.append("motion")
    }
    if file.read(names, "altimeterPressure(kPa)", "pressure") { clocks.append("altimeter") }
    for clock in clocks { file.read(names, clock + "Timestamp_sinceReboot(s)", "timestamp") }
    return file
  }
}

// MARK: - phyphox
extension PhoneRecording {
  /// Returns the columns of phyphox; `nil` if the names belong to another program, which may have
  /// the same time column.
  private static func phyphox(
    _ original: [String], file path: String
  ) throws(Refusal) -> PhoneRecording? {
    let names = original.map {
      $0.replacing("\u{B5}", with: "u").replacing("\u{3BC}", with: "u")
        .replacing("Magnetic field", with: "Magnetic Field")
    }
    var file = PhoneRecording("phyphox", names)
    file.read(names, "Time (s)", "timestamp")
    let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
    // With one file per sensor, the names of the axes do not contain the sensor.
    let isLinear =
      names.contains("Linear Acceleration x (m/s^2)")
      || (name.contains("linear") && names.contains("X (m/s^2)"))
    for stem in ["Acceleration #", "Accelerometer #", "#"] where !isLinear {
      let isNew = file.readAxes(
        names, "\(stem) (m/s^2)", "acceleration", androidFactor, capital: stem == "#")
      if isNew { break }
    }
    for stem in ["Gyroscope #", "#"] {
      if file.readAxes(names, "\(stem) (rad/s)", "rotationRate", capital: stem == "#") { break }
    }
    for stem in ["Magnetic Field #", "#"] {
      if file.readAxes(names, "\(stem) (uT)", "magneticField", capital: stem == "#") { break }
    }
    file.read(names, "Pressure (hPa)", "pressure", 0.1)
    if !file.read(names, "Illuminance (lx)", "illuminance") {
      file.read(names, "Illuminance (lux)", "illuminance")
    }
    if file.columns.contains(where: { $0.isRead && $0.slot > 0 }) { return file }
    guard isLinear else { return nil }
    throw Refusal(
      found: "phyphox's columns, but no sensor with all of its columns",
      expected: "'Acceleration x (m/s^2)', 'Gyroscope x (rad/s)' or others of its raw sensors",
      hint: "linear acceleration lacks gravity: record 'Acceleration (with g)'")
  }
}

// MARK: - Sensor Logger
extension PhoneRecording {
  /// The quantities of files with x, y and z, by the names of the files; `nil` if a file with that
  /// name cannot be used.
  private static let kinds: [(word: String, vector: String?)] = [
    ("accelerometeruncalibrated", "acceleration"), ("totalacceleration", "acceleration"),
    ("gyroscope", "rotationRate"), ("magnetometer", "magneticField"),
    ("accelerometer", nil), ("gravity", nil),
  ]

  private static func sensorLogger(
    _ names: [String], file path: String
  ) throws(Refusal) -> PhoneRecording {
    var file = PhoneRecording("Sensor Logger", names)
    file.read(names, "seconds_elapsed", "timestamp")
    file.read(names, "pressure", "pressure", 0.1)
    file.read(names, "lux", "illuminance")
    // On a watch the phone app writes one file for all motion sensors.
    if file.readAxes(names, "gravity#", "acceleration", androidFactor) {
      file.readAxes(names, "acceleration#", "acceleration", androidFactor)
      file.readAxes(names, "rotationRate#", "rotationRate")
      (file.mayBeGravities, file.hasFileForEach) = (true, false)
    }
    if names.contains("x"), names.contains("y"), names.contains("z") {
      let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
      guard let kind = kinds.first(where: { name.contains($0.word) }) else {
        throw Refusal(
          found: "x, y and z of Sensor Logger, but the file name does not tell the sensor",
          expected: "TotalAcceleration, AccelerometerUncalibrated, Gyroscope or Magnetometer in it",
          hint: "restore the file name given by the app")
      }
      guard let vector = kind.vector else {
        throw Refusal(
          found: "Sensor Logger's acceleration without gravity, or gravity alone",
          expected: "both together",
          hint: "use TotalAcceleration.csv, or on iOS AccelerometerUncalibrated.csv")
      }
      let isForce = vector == "acceleration"
      file.readAxes(names, "#", vector, isForce ? androidFactor : 1, capital: false)
      file.mayBeGravities = kind.word == "accelerometeruncalibrated"
    }
    guard file.columns.contains(where: { $0.isRead && $0.slot > 0 }) else {
      throw Refusal(
        found: "a file of Sensor Logger without a sensor of motion or air",
        expected: "TotalAcceleration.csv, Gyroscope.csv, Magnetometer.csv or Barometer.csv")
    }
    return file
  }
}
