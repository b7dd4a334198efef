// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recordings
import SeededRandom
import Testing

@Suite struct MotionFormatTests {
  private func csv(_ row: MotionRow) -> String {
    var buffer: [UInt8] = []
    MotionFormat.appendCSV(row, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  private func json(_ row: MotionRow) -> String {
    var buffer: [UInt8] = []
    MotionFormat.appendJSON(row, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  private var full: MotionRow {
    var row = MotionRow(timestamp: Timestamp(nanoseconds: 1_700_000_000_000_000_010))
    row.attitude = Quaternion(angle: 0.5, axis: Vector3(1, 0, 0))
    row.rotationRate = Vector3(0.1, -2e-7, 1e20)
    row.gravity = Vector3(0, 0, -1)
    row.userAcceleration = Vector3(-0.0, .leastNonzeroMagnitude, 1.7976931348623157e308)
    row.magneticField = Vector3(20, -5, -42)
    row.magneticFieldAccuracy = -1
    row.heading = 359.5
    row.pressure = 98.7
    row.relativeAltitude = 0.1 + 0.2
    row.numberOfSteps = 12
    row.distance = 8.5
    row.currentCadence = 1.75
    row.currentPace = 0.7
    row.floorsAscended = 1
    row.floorsDescended = 0
    row.activity = "automotive+stationary"
    row.activityConfidence = 2
    return row
  }

  // Typed from the description of the format.
  private let header = """
    timestamp,attitude.x,attitude.y,attitude.z,attitude.w,roll,pitch,yaw,\
    rotationRate.x,rotationRate.y,rotationRate.z,gravity.x,gravity.y,gravity.z,\
    userAcceleration.x,userAcceleration.y,userAcceleration.z,\
    magneticField.x,magneticField.y,magneticField.z,magneticField.accuracy,heading,pressure,\
    relativeAltitude,numberOfSteps,distance,currentCadence,currentPace,\
    floorsAscended,floorsDescended,activity,activityConfidence

    """

  private var columns: Int { header.split(separator: ",").count }

  @Test func `the header is that of the format`() {
    #expect(MotionFormat.csvHeader() == header)
    #expect(MotionFormat.columns().count == columns)
  }

  @Test func `a full row has every value to its last digit`() {
    #expect(
      csv(full)
        == """
        1700000000.00000001,0.24740395925452294,0.0,0.0,0.9689124217106447,0.0,0.5,0.0,\
        0.1,-2e-07,1e+20,0.0,0.0,-1.0,-0.0,5e-324,1.7976931348623157e+308,20.0,-5.0,-42.0,-1,\
        359.5,98.7,0.30000000000000004,12,8.5,1.75,0.7,1,0,automotive+stationary,2

        """)
  }

  @Test func `channels that are not part of motion come last, where they are sampled`() {
    var row = MotionRow(timestamp: Timestamp(nanoseconds: 2_000_000_000))
    row.auxiliary[.proximity] = 0.5
    row.auxiliaryChannels = .proximity
    #expect(
      MotionFormat.csvHeader(with: [.acceleration, .illuminance, .proximity])
        == header.dropLast() + ",illuminance,proximity\n")
    // Pressure is part of motion, humidity is not.
    #expect(MotionFormat.csvHeader(with: [.pressure, .humidity]) == header)
    var buffer: [UInt8] = []
    MotionFormat.appendCSV(row, with: [.illuminance, .proximity], to: &buffer)
    #expect(
      String(decoding: buffer, as: UTF8.self)
        == "2" + String(repeating: ",", count: columns + 1) + "0.5\n")
    #expect(json(row) == #"{"timestamp":2,"proximity":0.5}"# + "\n")
    #expect(
      MotionFormat.columns(with: [.illuminance, .proximity]).suffix(2).map(\.unit) == [
        "lx", "of 1",
      ])
  }

  @Test func `unavailable values are empty cells or absent keys`() {
    var row = MotionRow(timestamp: Timestamp(nanoseconds: -1_250_000))
    row.pressure = 98.5
    row.heading = .nan
    row.gravity = Vector3(0, .infinity, -1)
    let cells = csv(row).split(separator: ",", omittingEmptySubsequences: false)
    #expect(cells.count == columns)
    #expect(cells.filter { !$0.isEmpty && $0 != "\n" } == ["-0.00125", "0.0", "-1.0", "98.5"])
    #expect(
      json(row) == #"{"timestamp":-0.00125,"gravity.x":0.0,"gravity.z":-1.0,"pressure":98.5}"#
        + "\n")
  }

  @Test func `JSON has the same names and values`() throws {
    let object = try JSONSerialization.jsonObject(with: Data(json(full).utf8))
    let values = try #require(object as? [String: Any])
    #expect(Set(values.keys) == Set(MotionFormat.columns().map(\.name)))
    #expect(values["pitch"] as? Double == 0.5)
    #expect(values["numberOfSteps"] as? Int == 12)
    #expect(values["activity"] as? String == "automotive+stationary")
  }

  @Test func `strange words stay in their cell`() throws {
    var row = MotionRow(timestamp: .zero)
    row.activity = "a,\"b\"\\\n\u{1}"
    #expect(csv(row).hasSuffix(",\"a,\"\"b\"\"\\\n\u{1}\",\n"))
    let object = try JSONSerialization.jsonObject(with: Data(json(row).utf8)) as? [String: Any]
    #expect(object?["activity"] as? String == row.activity)
  }

  @Test func `an empty activity is a word in JSON`() {
    var row = MotionRow(timestamp: .zero)
    row.activity = ""
    #expect(json(row) == "{\"timestamp\":0,\"activity\":\"\"}\n")
  }

  @Test func `timestamps read back to the nanosecond`() throws {
    var text = "timestamp,pressure\n"
    var times: [Int64] = [.min + 1, -1, 0, 1, 10, 999_999_999, 1_000_000_000, .max]
    var random = SplitMix(state: 7)
    for _ in 0..<1000 { times.append(Int64(bitPattern: random.next() >> 1)) }
    times.sort()
    for time in times {
      let row = MotionRow(timestamp: Timestamp(nanoseconds: time))
      text += csv(row).prefix { $0 != "," } + ",98\n"
    }
    #expect(try samples(text).map(\.timestamp.nanoseconds) == times)
  }

  @Test(.enabled(if: Python.isThere, "python3 is the outside reader of this test"))
  func `Python reads both formats`() throws {
    let lines = MotionFormat.csvHeader() + csv(full) + json(full)
    let program = """
      import csv, json, sys
      text = sys.stdin.read().split('\\n')
      row = next(csv.DictReader(text[:2]))
      made = json.loads(text[2], parse_constant=lambda name: sys.exit('not JSON: ' + name))
      assert list(row) == list(made), 'names or order'
      for name in row:
          if name != 'activity':
              assert float(row[name]) == made[name], name
      print(repr(made['relativeAltitude']), made['userAcceleration.y'], made['activity'], len(row))
      """
    #expect(
      try Python.run(program, input: lines)
        == "0.30000000000000004 5e-324 automotive+stationary \(columns)\n")
  }
}
