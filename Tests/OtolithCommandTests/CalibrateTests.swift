// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct CalibrateTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.board, to: "board.yaml")
  }

  /// The chip is rotated by a quarter turn: device x is chip y, device y is minus chip x.
  static let board = """
    otolith-board: 1
    name: Test
    buses: { bus: { simulated: i2c } }
    chips:
      imu:
        chip: "invensense,mpu6050"
        on: bus
        address: 0x68
        mounting: [y, "-x", z]
    simulation: { motion: still }

    """

  /// 30 s at rest at 100 Hz: a bias of 0.01, -0.02, 0.005 rad/s in device axes, whose x grows by
  /// 0.001 per kelvin; 20 to 26 degrees. In second 7 the board is shaken.
  static var resting: String {
    var text =
      "timestamp,acceleration.x,acceleration.y,acceleration.z,"
      + "rotationRate.x,rotationRate.y,rotationRate.z,temperature\n"
    for sample in 0...3000 {
      let time = Double(sample) / 100
      let temperature = 20 + time / 5
      let shaken = time >= 7 && time < 8 ? sin(time * 40) : 0
      let x = 0.01 + 0.001 * (temperature - 23) + shaken
      text += "\(time),0,0,-1,\(x),-0.02,0.005,\(temperature)\n"
    }
    return text
  }

  /// Each face points up for three seconds, with a second of turning in between. Chip x reads 0.05
  /// too much, chip z 2 percent too much. Chip x is minus device y.
  static func positions(_ count: Int = 6) -> String {
    let up: [(Double, Double, Double)] = [
      (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1),
    ]
    var text = "timestamp,acceleration.x,acceleration.y,acceleration.z\n"
    for (index, chip) in up.prefix(count).enumerated() {
      for sample in 0..<400 {
        let time = Double(index) * 4 + Double(sample) / 100
        let shaken = sample >= 300 ? 0.5 * sin(Double(sample)) : 0
        // The specific force in chip axes, then in device axes, then with Core Motion's sign.
        let f = (chip.0 + 0.05 + shaken, chip.1, chip.2 * 1.02)
        text += "\(time),\(-f.1),\(f.0),\(-f.2)\n"
      }
    }
    return text
  }

  @Test func `the gyroscope is calibrated from a recording`() throws {
    try scratch.write(Self.resting, to: "rest.csv")
    let ending = try Tool.run(
      "calibrate", "gyroscope", "--board", "board.yaml", "--recording", "rest.csv", "--duration",
      "29", "--notes", "on the bench", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.errors.contains("it moved at 8 s; that second does not count"))
    #expect(ending.output.hasPrefix("gyroscope of imu, invensense,mpu6050: "))
    let text = try scratch.text("calibration/board.yaml")
    #expect(text.contains("chip: \"invensense,mpu6050\"") && text.contains("address: 0x68"))
    #expect(text.contains("notes: \"on the bench\""))
    // Chip x is minus device y, chip y is device x, so the slope belongs to chip y.
    let bias = try Self.vector("gyro-bias-rad-s", text)
    #expect(abs(bias[0] - 0.02) < 1e-9 && abs(bias[2] - 0.005) < 1e-9)
    let slope = try Self.vector("gyro-bias-slope-rad-s-k", text)
    #expect(slope[0] == 0 && abs(slope[1] - 0.001) < 1e-6 && slope[2] == 0)
    // The board can be read with the new file.
    #expect(try Tool.run("boards", "check", "board.yaml", in: scratch).status == 0)
  }

  @Test func `the accelerometer is calibrated from a recording`() throws {
    try scratch.write(Self.positions(), to: "six.csv")
    let ending = try Tool.run(
      "calibrate", "accelerometer", "--board", "board.yaml", "--recording", "six.csv", "--json",
      in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    let result = try #require(
      try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
    let offset = try #require(result["offsetG"] as? [Double])
    #expect(abs(offset[0] - 0.05) < 1e-6 && abs(offset[1]) < 1e-6 && abs(offset[2]) < 1e-6)
    let matrix = try #require(result["matrix"] as? [[Double]])
    #expect(abs(matrix[0][0] - 1) < 1e-6 && abs(matrix[2][2] - 1 / 1.02) < 1e-6)
    #expect(result["positions"] as? Int == 6)
    #expect(
      ending.errors.contains(
        "position 1: +x is up; still to do, facing up: -x, +y, -y, +z, "
          + "-z"))
    #expect(try scratch.text("calibration/board.yaml").contains("acceleration-offset-g: [0.05"))
  }

  /// The gyroscope's entry is kept when the accelerometer's is added.
  @Test func `one calibration leaves the other's entry`() throws {
    try scratch.write(Self.resting, to: "rest.csv")
    try scratch.write(Self.positions(), to: "six.csv")
    let gyroscope = ["calibrate", "gyroscope", "--recording", "rest.csv", "--duration", "20"]
    let accelerometer = ["calibrate", "accelerometer", "--recording", "six.csv"]
    for arguments in [gyroscope, accelerometer] {
      let line = "\"$OTOLITH\" \(arguments.joined(separator: " ")) --board board.yaml"
      #expect(try Tool.shell(line, in: scratch).status == 0)
    }
    let text = try scratch.text("calibration/board.yaml")
    #expect(text.contains("gyro-bias-rad-s") && text.contains("acceleration-offset-g"))
    #expect(scratch.names == ["board.yaml", "calibration", "rest.csv", "six.csv"])
  }

  /// Three times two revolutions, about the chip's x, y and z; z reads 1 percent too much. Without
  /// a calibrated accelerometer the vertical is unknown.
  @Test func `whole turns give the gyroscope's scale`() throws {
    var text =
      "timestamp,acceleration.x,acceleration.y,acceleration.z,"
      + "rotationRate.x,rotationRate.y,rotationRate.z\n"
    for (index, up) in [(1.0, 0.0, 0.0), (0, 1, 0), (0, 0, 1)].enumerated() {
      for sample in 0..<1200 {
        let time = Double(index) * 12 + Double(sample) / 100
        let isTurning = sample >= 300 && sample < 800
        let rate = isTurning ? (1 - cos(Double(sample - 300) / 250 * .pi)) * 4 * .pi / 5 : 0
        // The chip's x, y, z are the device's -y, x, z.
        text += "\(time),\(-up.1 * 1.01),\(up.0),\(-up.2),"
        text += "\(up.1 * rate),\(-up.0 * rate),\(up.2 * rate * 1.01)\n"
      }
    }
    try scratch.write(text, to: "turns.csv")
    let arguments = "calibrate gyroscope-scale --board board.yaml --recording turns.csv --json"
    let refused = try Tool.shell("\"$OTOLITH\" \(arguments)", in: scratch)
    #expect(refused.status == 64 && refused.errors.contains("calibrate accelerometer' first"))
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/calibration", withIntermediateDirectories: true)
    try scratch.write(
      """
      otolith-calibration: 1
      chips:
        imu:
          chip: "invensense,mpu6050"
          acceleration-matrix: [[1, 0, 0], [0, 0.99, 0], [0, 0, 1]]

      """, to: "calibration/board.yaml")
    let ending = try Tool.shell("\"$OTOLITH\" \(arguments)", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.errors.contains("turn 3 at"))
    let result = try #require(
      try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
    let matrix = try #require(result["matrix"] as? [[Double]])
    #expect(abs(matrix[0][0] - 1) < 1e-4 && abs(matrix[1][1] - 1) < 1e-4)
    #expect(abs(matrix[2][2] - 1 / 1.01) < 1e-4 && abs(matrix[0][1]) < 1e-4)
    let file = try scratch.text("calibration/board.yaml")
    #expect(file.contains("gyro-matrix: [[") && file.contains("acceleration-matrix: [[1, 0, 0]"))
  }

  @Test func `missing faces are named, and nothing is written`() throws {
    try scratch.write(Self.positions(4), to: "four.csv")
    let ending = try Tool.run(
      "calibrate", "accelerometer", "--board", "board.yaml", "--recording", "four.csv", in: scratch)
    #expect(ending.status == 65)
    #expect(
      ending.errorLines.last
        == "not all faces were measured; missing, facing up: +z, -z (chip axes); nothing was "
        + "written")
    #expect(scratch.names == ["board.yaml", "four.csv"])
  }

  /// The model of an MPU-6050 has a bias of 0.6, -0.4 and 0.3 degrees/s, as docs/simulation.md
  /// states.
  @Test func `the simulated gyroscope's bias is found`() throws {
    let ending = try Tool.run(
      "calibrate", "gyroscope", "--board", "board.yaml", "--duration", "3", "--dry-run", "--json",
      in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    let result = try #require(
      try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
    let bias = try #require(result["biasRadS"] as? [Double]).map { $0 * 180 / .pi }
    #expect(abs(bias[0] - 0.6) < 0.02 && abs(bias[1] + 0.4) < 0.02 && abs(bias[2] - 0.3) < 0.02)
    #expect(ending.errorLines.last == "nothing was written" && scratch.names == ["board.yaml"])
  }

  /// A board that sways is not at rest.
  @Test func `a board that moves is refused, and nothing is written`() throws {
    try scratch.write(Self.board.replacing("still", with: "sway"), to: "board.yaml")
    let ending = try Tool.run(
      "calibrate", "gyroscope", "--board", "board.yaml", "--duration", "2", in: scratch)
    #expect(ending.status == 65)
    #expect(ending.errors.contains("it moved at 1 s"))
    #expect(ending.errorLines.last?.hasSuffix("s of 2; nothing was written") ?? false)
    #expect(scratch.names == ["board.yaml"])
  }

  @Test func `a board that is no file or has no gyroscope is refused`() throws {
    let ending = try Tool.run(
      "calibrate", "gyroscope", "simulated", "--duration", "2", in: scratch)
    #expect(ending.status == 64)
    #expect(ending.errors.contains("is not a file, so there is no folder for its calibration"))
    try scratch.write(
      Self.board.replacing("invensense,mpu6050", with: "st,lis3mdl")
        .replacing("0x68", with: "0x1C"), to: "board.yaml")
    let compass = try Tool.run("calibrate", "gyroscope", "--board", "board.yaml", in: scratch)
    #expect(compass.status == 64 && compass.errors.contains("board.yaml has no gyroscope"))
  }

  @Test func `a folder that cannot be made is an error`() throws {
    try scratch.write(Self.resting, to: "rest.csv")
    try scratch.write("", to: "calibration")
    let ending = try Tool.run(
      "calibrate", "gyroscope", "--board", "board.yaml", "--recording", "rest.csv", "--duration",
      "10", in: scratch)
    #expect(ending.status == 73)
    #expect(ending.errorLines.last?.contains("cannot be written: ") ?? false)
  }

  /// Returns the three numbers of a key.
  static func vector(_ key: String, _ text: String) throws -> [Double] {
    let line = try #require(text.split(separator: "\n").first { $0.contains(key + ": [") })
    let list = try #require(line.split(separator: "[").last?.split(separator: "]").first)
    return list.split(separator: ",").compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
  }
}
