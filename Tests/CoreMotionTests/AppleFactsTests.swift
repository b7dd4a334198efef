// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Otolith
import ServedSources
import Testing

extension HubSuites {
  /// Facts measured on an iPhone, compared with this library: the phone's raw samples are played to
  /// a manager.
  @Suite struct AppleFactsTests {
    /// All values of a `CMDeviceMotion`.
    struct Row: Sendable {
      var time: Double
      var q: [Double]
      var m: [[Double]]
      var angles: [Double]
      var gravity: [Double]
      var user: [Double]
    }

    static let path =
      Bundle.module.url(
        forResource: "iphone_xs_rotate", withExtension: "csv", subdirectory: "Recordings")?
      .path ?? ""

    /// Plays twelve seconds eight times as fast, and returns the motions and the raw accelerations.
    static func play(_ frame: CMAttitudeReferenceFrame) throws -> (rows: [Row], raw: [Timed]) {
      #expect(Rig.eventually { MotionHub.shared.reset() }, "somebody still listens")
      try MotionHub.shared.use(served(RecordingSource(path: path, speed: 8)))
      let manager = CMMotionManager()
      manager.deviceMotionUpdateInterval = 0
      manager.accelerometerUpdateInterval = 0
      let rows = Collected<Row>()
      let raw = Collected<Timed>()
      manager.startAccelerometerUpdates(to: Rig.queue()) { raw.add($0?.timed, $1) }
      manager.startDeviceMotionUpdates(using: frame, to: Rig.queue()) { motion, error in
        let row = motion.map { motion in
          let a = motion.attitude
          let m = a.rotationMatrix
          let g = motion.gravity
          let u = motion.userAcceleration
          return Row(
            time: motion.timestamp,
            q: [a.quaternion.x, a.quaternion.y, a.quaternion.z, a.quaternion.w],
            m: [[m.m11, m.m12, m.m13], [m.m21, m.m22, m.m23], [m.m31, m.m32, m.m33]],
            angles: [a.yaw, a.pitch, a.roll], gravity: [g.x, g.y, g.z], user: [u.x, u.y, u.z])
        }
        rows.add(row, error)
      }
      // Twelve seconds at 100 Hz; the first rows have no attitude yet.
      #expect(Rig.eventually(10) { rows.values.count > 1180 && raw.values.count > 1195 })
      manager.stopDeviceMotionUpdates()
      manager.stopAccelerometerUpdates()
      #expect(rows.errors.isEmpty && raw.errors.isEmpty)
      return (rows.values, raw.values)
    }

    @Test func `what holds for Apple's output holds for ours`() throws {
      let (rows, raw) = try Self.play(.xArbitraryZVertical)
      for row in rows {
        let (x, y, z, w) = (row.q[0], row.q[1], row.q[2], row.q[3])
        #expect(abs(x * x + y * y + z * z + w * w - 1) < 1e-12)
        // Gravity is down in device coordinates: R(q)^T (0, 0, -1).
        let down = [-2 * (x * z - w * y), -2 * (y * z + w * x), -(1 - 2 * (x * x + y * y))]
        #expect(AttitudeTests.isNear(row.gravity, down, 1e-12))
        // The matrix converts reference to device coordinates, so its third column is up.
        #expect(AttitudeTests.isNear(row.m.map { -$0[2] }, row.gravity, 1e-12))
        // The order of the angles is yaw, pitch, roll.
        #expect(
          AttitudeTests.isNear(
            row.angles,
            [
              atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z)), asin(2 * (y * z + w * x)),
              atan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y)),
            ], 1e-12))
      }
      // Gravity plus user acceleration is the last measured acceleration.
      var next = 0
      for row in rows {
        while next + 1 < raw.count, raw[next + 1].time <= row.time { next += 1 }
        let sum = zip(row.gravity, row.user).map { $0 + $1 }
        #expect(AttitudeTests.isNear(sum, raw[next].v, 1e-15), "at \(row.time)")
      }
    }

    /// The phone's own attitudes for the same seconds: gravity agrees within 0.5 degrees, and so do
    /// the rotations from second to second, although both frames are arbitrary.
    @Test func `attitudes agree with those of the phone`() throws {
      let (rows, raw) = try Self.play(.xArbitraryZVertical)
      let (truth, first) = try Self.truth()
      // Both clocks start at the first acceleration.
      let begin = try #require(raw.first).time
      var ours: [Row] = []
      var worst = 0.0
      var next = 0
      for apple in truth {
        let time = apple.time - first + begin
        while next + 1 < rows.count, rows[next + 1].time <= time + 0.002 { next += 1 }
        ours.append(rows[next])
        guard apple.time - first > 1 else { continue }
        let cosine = zip(apple.gravity, rows[next].gravity).reduce(0) { $0 + $1.0 * $1.1 }
        worst = max(worst, acos(min(1, cosine)) * 180 / .pi)
      }
      #expect(worst < 1.5, "gravity, degrees")
      // The rotation over each second, as CMAttitude.multiply(byInverseOf:) computes it.
      var turns = 0.0
      for index in stride(from: 200, to: truth.count - 100, by: 100) {
        let apple = Self.turn(truth[index].q, truth[index + 100].q)
        let own = Self.turn(ours[index].q, ours[index + 100].q)
        let difference = Self.angle(apple, own)
        // The phone's raw gyroscope has a bias of 1.2 degrees/s, which the phone knows and this
        // library learns meanwhile. With the wrong sign the difference would be twice the rotation.
        #expect(difference < 3, "degrees")
        turns = max(turns, Self.angle(CMAttitude(.identity), apple))
      }
      #expect(turns > 25, "it does turn")
    }

    private static func attitude(_ q: [Double]) -> CMAttitude {
      CMAttitude(Quaternion(w: q[3], x: q[0], y: q[1], z: q[2]).normalized)
    }

    private static func turn(_ from: [Double], _ to: [Double]) -> CMAttitude {
      let attitude = attitude(to)
      attitude.multiply(byInverseOf: Self.attitude(from))
      return attitude
    }

    private static func angle(_ a: CMAttitude, _ b: CMAttitude) -> Double {
      let (p, q) = (a.quaternion, b.quaternion)
      let cosine = abs(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w)
      return 2 * acos(min(1, cosine)) * 180 / .pi
    }

    /// Reads the columns `truth.*` without code of the library.
    private static func truth() throws -> (rows: [Row], firstAcceleration: Double) {
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      let header = try #require(lines.first).split(separator: ",").map(String.init)
      func column(_ name: String) throws -> Int { try #require(header.firstIndex(of: name)) }
      let q = try ["x", "y", "z", "w"].map { try column("truth.attitude." + $0) }
      let g = try ["x", "y", "z"].map { try column("truth.gravity." + $0) }
      let acceleration = try column("acceleration.x")
      var first: Double?
      let rows: [Row] = lines.dropFirst().compactMap { line in
        let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if first == nil, !cells[acceleration].isEmpty { first = Double(cells[0]) }
        let values = (q + g).compactMap { Double(cells[$0]) }
        guard values.count == 7, let time = Double(cells[0]) else { return nil }
        return Row(
          time: time, q: Array(values[0..<4]), m: [], angles: [], gravity: Array(values[4..<7]),
          user: [])
      }
      return (rows, try #require(first))
    }
  }
}
