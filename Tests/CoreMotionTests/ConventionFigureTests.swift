// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Foundation
import Fusion
import Otolith
import Sensors
import Testing

/// The numbers in the figures of the conventions, computed by the library for chips in these poses.
/// The committed numbers must be equal. OTOLITH_RECORD=1 writes them; then run
/// `scripts/draw-conventions`.
@Suite struct ConventionFigureTests {
  /// A device at rest that is pushed by `push` in the last sample.
  struct Pose: Sendable {
    var name: String
    /// Degrees in the frame of magnetic north.
    var pitch = 0.0
    var roll = 0.0
    var yaw = 0.0
    /// The acceleration of the device in g, in device axes.
    var push = Vector3.zero
    /// True if the device falls freely.
    var isFalling = false

    var attitude: Quaternion {
      func about(_ degrees: Double, _ axis: Vector3) -> Quaternion {
        Quaternion(angle: degrees * .pi / 180, axis: axis)
      }
      return about(yaw, Vector3(0, 0, 1)) * about(pitch, Vector3(1, 0, 0))
        * about(roll, Vector3(0, 1, 0))
    }
  }

  static let poses = [
    Pose(name: "aligned"),
    Pose(name: "pitch", pitch: 30),
    Pose(name: "roll", roll: 30),
    Pose(name: "yaw", yaw: 30),
    Pose(name: "all-three", pitch: 20, roll: 35, yaw: 40),
    Pose(name: "portrait", pitch: 80),
    Pose(name: "pushed", push: Vector3(0.5, 0, 0)),
    Pose(name: "falling", isFalling: true),
    Pose(name: "heading-0", yaw: -90),
    Pose(name: "heading-60", yaw: -150),
    Pose(name: "heading-225", yaw: 45),
  ]

  /// The declination in radians, east positive.
  static let declination = 10 * Double.pi / 180

  struct Result {
    var force: Vector3
    var acceleration: CMAcceleration
    var motion: CMDeviceMotion
    var trueNorth: CMDeviceMotion
    var arbitrary: CMDeviceMotion
  }

  /// Returns the result of two seconds of samples at 100 Hz, from a chip along the device's axes.
  static func result(of pose: Pose) throws -> Result {
    var estimator = MotionEstimator(channels: [.acceleration, .rotationRate, .magneticField])
    let toDevice = pose.attitude.conjugate
    var reading = ChipReading(channels: [.acceleration, .rotationRate, .magneticField])
    // 20 microtesla to the north and 45 down, as in central Europe.
    reading.magneticField = toDevice.rotate(Vector3(20, 0, -45))
    var last: MotionSample?
    for index in 0..<200 {
      let isLast = index == 199
      // The specific force: the support against gravity, plus the push.
      var force = toDevice.rotate(Vector3(0, 0, 1))
      if isLast { force += pose.push }
      if isLast, pose.isFalling { force = .zero }
      reading.specificForce = force
      let time = Timestamp(nanoseconds: Int64(index) * 10_000_000)
      last = estimator.update(Mounting().sample(reading, at: time))
    }
    let motion = try #require(last)
    let north = try #require(
      CMDeviceMotion(motion, frame: .xMagneticNorthZVertical, declination: 0))
    return Result(
      force: reading.specificForce,
      acceleration: CMAcceleration(
        x: north.gravity.x + north.userAcceleration.x,
        y: north.gravity.y + north.userAcceleration.y,
        z: north.gravity.z + north.userAcceleration.z),
      motion: north,
      trueNorth: try #require(
        CMDeviceMotion(motion, frame: .xTrueNorthZVertical, declination: declination)),
      arbitrary: try #require(
        CMDeviceMotion(motion, frame: .xArbitraryZVertical, declination: 0)))
  }

  /// Returns the numbers with three decimals and without negative zero.
  static func text(_ numbers: [Double]) -> String {
    numbers.map { number in
      let text = String(format: "%.3f", number)
      return text == "-0.000" ? "0.000" : text
    }.joined(separator: " ")
  }

  static func lines(of pose: Pose) throws -> [String] {
    let result = try result(of: pose)
    let attitude = result.motion.attitude
    let q = attitude.quaternion
    let g = result.motion.gravity
    let user = result.motion.userAcceleration
    let a = result.acceleration
    let degrees = [attitude.pitch, attitude.roll, attitude.yaw].map { $0 * 180 / .pi }
    return [
      "pose \(pose.name)",
      "  quaternion \(text([q.x, q.y, q.z, q.w]))",
      "  matrix \(text(AttitudeTests.rows(attitude.rotationMatrix)))",
      "  angles \(text(degrees))",
      "  gravity \(text([g.x, g.y, g.z]))",
      "  user-acceleration \(text([user.x, user.y, user.z]))",
      "  acceleration \(text([a.x, a.y, a.z]))",
      "  specific-force \(text([result.force.x, result.force.y, result.force.z]))",
      "  heading \(text([result.motion.heading]))",
      "  arbitrary-yaw \(text([result.arbitrary.attitude.yaw * 180 / .pi]))",
      "  true-heading \(text([result.trueNorth.heading]))",
    ]
  }

  static let catalogue = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/Motion/CoreMotion/CoreMotion.docc")

  @Test func `the committed numbers are those of today`() throws {
    let url = Self.catalogue.appending(path: "conventions.txt")
    let today = try Self.poses.flatMap { try Self.lines(of: $0) }.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["OTOLITH_RECORD"] == "1" {
      try today.write(to: url, atomically: true, encoding: .utf8)
    }
    let committed = try String(contentsOf: url, encoding: .utf8)
    #expect(
      committed == today,
      "write them again with OTOLITH_RECORD=1, run scripts/draw-conventions and look at the figures"
    )
  }

  /// Each figure names the lines that it was drawn from.
  @Test func `the figures show the committed numbers`() throws {
    let today = Set(try Self.poses.flatMap { try Self.lines(of: $0) })
    let folder = Self.catalogue.appending(path: "Resources")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".svg") }
    #expect(names.count == 12, "six figures, each for light and for dark pages: \(names)")
    for name in names {
      let svg = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let parts = svg.components(separatedBy: "metadata>")
      try #require(parts.count == 3, "\(name) does not say what it was drawn from")
      let lines = parts[1].dropLast(2).split(separator: "\n").map(String.init)
      #expect(!lines.isEmpty, "\(name)")
      for line in lines { #expect(today.contains(line), "\(name) shows \(line)") }
    }
  }

  /// Computed by hand: the angles of a pose, gravity by trigonometry, and the heading as 270
  /// degrees less the yaw.
  @Test(arguments: poses)
  func `a pose's angles, gravity and heading are those by hand`(_ pose: Pose) throws {
    let motion = try Self.result(of: pose).motion
    let angles = [motion.attitude.pitch, motion.attitude.roll, motion.attitude.yaw]
    for (angle, truth) in zip(angles, [pose.pitch, pose.roll, pose.yaw]) {
      #expect(abs(angle * 180 / .pi - truth) < 0.05)
    }
    let (pitch, roll) = (pose.pitch * .pi / 180, pose.roll * .pi / 180)
    #expect(abs(motion.gravity.x - cos(pitch) * sin(roll)) < 0.001)
    #expect(abs(motion.gravity.y + sin(pitch)) < 0.001)
    #expect(abs(motion.gravity.z + cos(pitch) * cos(roll)) < 0.001)
    let heading = (270 - pose.yaw).truncatingRemainder(dividingBy: 360)
    let off = abs(motion.heading - heading)
    #expect(min(off, 360 - off) < 0.05)
  }
}
