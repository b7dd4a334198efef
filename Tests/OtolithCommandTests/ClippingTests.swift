// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Chips whose measured value exceeds their range.
@Suite struct ClippingTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// A QMC5883L sets the status bit OVL if an axis exceeds its range, at most 8 gauss or 800 uT
  /// (QST 1.0, section 9.2.2).
  static let compass = """
    otolith-board: 1
    name: Compass
    buses: { i2c1: { simulated: i2c } }
    chips: { compass: { chip: "qst,qmc5883l", on: i2c1, address: 0x0D, rate-hz: 100 } }
    simulation: { motion: still }

    """

  static let imu = """
    otolith-board: 1
    name: Imu
    buses: { i2c1: { simulated: i2c } }
    chips:
      imu: { chip: mpu6050, on: i2c1, address: 0x68, rate-hz: 100, acceleration-range-g: 2 }
    simulation: { motion: still }

    """

  static let withoutValue =
    "compass: it samples, but reports each time that the value is beyond its range, so that there "
    + "is no value: move magnets, steel and currents away, or set a wider 'magnetic-field-range-ut'"

  @Test func `a magnetometer near a magnet is not reported to give no samples`() throws {
    try scratch.write(Self.compass, to: "compass.yaml")
    let ending = try Tool.run(
      "run", "compass.yaml", "--hold", "magnetic-field=2000,0,0", "--format", "csv",
      "--duration", "1", in: scratch)
    #expect(ending.status == 69)
    #expect(ending.errorLines.contains(Self.withoutValue), "\(ending.errors)")
    #expect(ending.errorLines.last == "no motion: " + Self.withoutValue, "\(ending.errors)")
    let counts = try #require(ending.errorLines.first { $0.hasPrefix("received ") })
    #expect(
      counts.contains(
        /^received (\d+) samples, .*; compass: \1 samples without a value, beyond its range$/),
      "\(counts)")
  }

  @Test func `bring-up and noise say that a magnetometer is beyond its range`() throws {
    try scratch.write(Self.compass, to: "compass.yaml")
    let bringUp = try Tool.run(
      "bringup", "compass.yaml", "--hold", "magnetic-field=2000,0,0", "--no-report",
      "--duration", "0.5", in: scratch)
    #expect(bringUp.status == 69)
    #expect(
      bringUp.output.contains("It measures more than its range holds (compass)"),
      "\(bringUp.output)")
    let noise = try Tool.run(
      "noise", "compass.yaml", "--hold", "magnetic-field=2000,0,0", "--duration", "2", in: scratch)
    #expect(noise.status == 69 && noise.errorLines.last == Self.withoutValue, "\(noise.errors)")
  }

  /// 3 g exceed the range of 2 g, at which the chip stays; up is positive in its own sign.
  @Test func `samples at the end of a range are counted with chip, axis and range`() throws {
    try scratch.write(Self.imu, to: "imu.yaml")
    for command in [["run", "--format", "csv"], ["record", "--output", "walk.csv"]] {
      let ending = try Tool.run(
        command + ["--board", "imu.yaml", "--hold", "acceleration=0.2,0,-3", "--duration", "2"],
        in: scratch)
      #expect(ending.status == 0)
      #expect(
        ending.errorLines.contains(
          "imu: acceleration.z stays at 2.0 g, the end of a range of 2.0 g: what is beyond is lost; "
            + "set 'acceleration-range-g: 4' in the board file"),
        "\(ending.errors)")
      let counts = try #require(
        ending.errorLines.first { $0.contains("samples, lost") }, "\(ending.errors)")
      #expect(
        counts.contains(
          /; imu: acceleration\.z stays at 2\.0 g in \d+ samples, the end of a range of 2\.0 g/),
        "\(counts)")
    }
    let quiet = try Tool.run(
      "run", "imu.yaml", "--format", "csv", "--duration", "1", in: scratch)
    #expect(quiet.status == 0 && !quiet.errors.contains("stays at"), "\(quiet.errors)")
  }

  @Test func `bring-up names the range to choose`() throws {
    try scratch.write(Self.imu, to: "imu.yaml")
    let bringUp = try Tool.run(
      "bringup", "imu.yaml", "--hold", "acceleration=0.2,0,-3", "--no-report", "--duration", "0.5",
      in: scratch)
    #expect(bringUp.output.contains("set 'acceleration-range-g: 4' in the board file"))
    try scratch.write(
      Self.imu.replacingOccurrences(of: "range-g: 2", with: "range-g: 16"), to: "imu.yaml")
    let widest = try Tool.run(
      "run", "imu.yaml", "--hold", "acceleration=0.2,0,-30", "--duration", "1", "--format", "csv",
      in: scratch)
    #expect(
      widest.errorLines.contains(
        "imu: acceleration.z stays at 16 g, the end of a range of 16 g: what is beyond is lost, and "
          + "the chip has no wider range"), "\(widest.errors)")
  }

  /// 20 s at 250 degrees/s: the lines of an axis without any variation are from rounding.
  @Test func `an axis that is always at the end of its range shows no motor`() throws {
    var rows = "timestamp,rotationRate.x,rotationRate.y,rotationRate.z\n"
    for index in 0..<2000 {
      let noise = 0.001 * sin(Double(index * 7919 % 1000))
      rows += "\(Double(index) / 100),\(noise),\(-noise),4.36319\n"
    }
    try scratch.write(rows, to: "stop.csv")
    let noise = try Tool.run("noise", "--recording", "stop.csv", in: scratch)
    #expect(
      noise.output.contains(
        "rotationRate.z stays at 250 deg/s in 2000 samples, the end of a range of 250 deg/s"),
      "\(noise.output)")
    #expect(noise.lines.filter { $0.hasPrefix("    z: ") }.isEmpty, "\(noise.output)")
    let replay = try Tool.run("replay", "stop.csv", in: scratch)
    #expect(
      replay.errors.contains("rotationRate.z stays at 250 deg/s in 2000 samples"),
      "\(replay.errors)")
  }

  /// A vibration of 7 Hz and 3 g, clipped at 2 g, has lines at 21 and 35 Hz that are not from a
  /// motor.
  @Test func `the harmonics of a cut are no motor`() throws {
    var rows = "timestamp,acceleration.x,acceleration.y,acceleration.z\n"
    for index in 0..<2000 {
      let time = Double(index) / 200
      let x = min(max(3 * sin(2 * .pi * 7 * time), -2), 2)
      let y = 0.001 * sin(Double(index * 7919 % 1000))
      rows += "\(time),\(x),\(y),\(-1 + y)\n"
    }
    try scratch.write(rows, to: "cut.csv")
    let ending = try Tool.run("noise", "--recording", "cut.csv", in: scratch)
    #expect(ending.status == 0)
    #expect(ending.output.contains("acceleration.x stays at 2.0 g in "), "\(ending.output)")
    let lines = ending.lines.filter { $0.hasPrefix("    x: ") }
    #expect(lines.count == 4, "\(ending.output)")
    for line in lines where !line.hasPrefix("    x: 7.0") {
      #expect(
        line.hasSuffix(
          "no vibration: the axis stays at the end of its range, and the cut makes harmonics"
        ),
        "\(line)")
    }
  }
}
