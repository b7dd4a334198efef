// SPDX-License-Identifier: Apache-2.0
import Foundation
import Otolith
import Testing

/// The value type compared with an iPhone's log (SensorLog; Marcel-vgl/ML4SCS, 2026-05-26) and with
/// values computed by hand.
@Suite struct AttitudeValueTests {
  static let logged = Attitude(
    Quaternion(
      w: 0.8768474017551064, x: 0.4790524792072328, y: 0.02943766064824734, z: 0.02794593734868988))

  @Test func `angles are those that an iPhone logged`() {
    #expect(abs(Self.logged.yaw - 0.03854622292890875) < 1e-12)
    #expect(abs(Self.logged.roll - 0.04604615196858543) < 1e-12)
    #expect(abs(Self.logged.pitch - 1.000529893680486) < 1e-12)
    let again = Attitude(roll: Self.logged.roll, pitch: Self.logged.pitch, yaw: Self.logged.yaw)
    // The norm of the log's quaternion differs from 1 by a ten millionth.
    #expect(again.angle(to: Self.logged) < 1e-6)
  }

  /// The log's gravity is down in device coordinates.
  @Test func `a vector goes between frames and back`() {
    let gravity = Self.logged.vector(Vector3(0, 0, -1), from: .reference, to: .device)
    #expect(
      (gravity - Vector3(0.02484953217208385, -0.8417571783065796, -0.5392842888832092)).norm < 1e-7
    )
    let down = Self.logged.vector(gravity, from: .device, to: .reference)
    #expect((down - Vector3(0, 0, -1)).norm < 1e-6)
    #expect(Self.logged.vector(gravity, from: .device, to: .device) == gravity)
  }

  /// A third of a quarter turn about z.
  @Test func `a fraction of a quarter turn is that much of its yaw`() {
    let quarter = Attitude(roll: 0, pitch: 0, yaw: .pi / 2)
    for (fraction, yaw) in [
      (0.0, 0.0), (1.0 / 3, Double.pi / 6), (0.5, Double.pi / 4), (1, Double.pi / 2),
    ] {
      #expect(abs(Attitude.identity.slerp(to: quarter, fraction: fraction).yaw - yaw) < 1e-12)
    }
    // The two quaternions of a rotation give the same interpolation.
    let other = Attitude(
      Quaternion(
        w: -quarter.quaternion.w, x: -quarter.quaternion.x, y: -quarter.quaternion.y,
        z: -quarter.quaternion.z))
    #expect(abs(Attitude.identity.slerp(to: other, fraction: 0.5).yaw - .pi / 4) < 1e-12)
    #expect(quarter.slerp(to: quarter, fraction: 0.3).angle(to: quarter) < 1e-12)
  }

  /// Relative to a device pitched by 30 degrees, one rolled by 20 after the same pitch is only
  /// rolled.
  @Test func `an attitude relative to another is the turn between them`() {
    let pitched = Attitude(roll: 0, pitch: .pi / 6, yaw: 1)
    let rolled = Attitude(roll: .pi / 9, pitch: .pi / 6, yaw: 1)
    let relative = rolled.relative(to: pitched)
    #expect(abs(relative.roll - .pi / 9) < 1e-12)
    #expect(abs(relative.pitch) < 1e-12 && abs(relative.yaw) < 1e-12)
    #expect(abs(rolled.angle(to: pitched) - .pi / 9) < 1e-12)
    #expect(rolled.relative(to: rolled).angle(to: .identity) < 1e-12)
    #expect(pitched.inverse.relative(to: .identity).angle(to: pitched.inverse) < 1e-12)
  }

  /// The frame's x is north and y west: with yaw -90 degrees the top edge points north.
  @Test(arguments: [(-90.0, 0.0), (0, 270), (90, 180), (180, 90), (-135, 45)])
  func `the top edge's heading goes clockwise from north`(yaw: Double, heading: Double) throws {
    for pitch in [0.0, 0.5, 1.4] {
      let attitude = Attitude(roll: 0, pitch: pitch, yaw: yaw * .pi / 180)
      #expect(abs(attitude.heading - heading) < 1e-9)
      let top = try #require(attitude.heading(of: Vector3(0, 1, 0)))
      // Rounding may give a direction just west of north.
      #expect(abs((top - heading + 180).truncatingRemainder(dividingBy: 360) - 180) < 1e-9)
    }
  }

  /// The direction of the back does not jump if the device is raised past vertical, unlike that of
  /// the top edge.
  @Test func `the back's heading does not jump past vertical`() throws {
    for pitch in [1.2, 1.5, 1.6, 1.9] {
      let attitude = Attitude(
        Quaternion(angle: -.pi / 2, axis: Vector3(0, 0, 1))
          * Quaternion(angle: pitch, axis: Vector3(1, 0, 0)))
      let back = try #require(attitude.heading(of: Vector3(0, 0, -1)))
      #expect(min(back, 360 - back) < 1e-9, "\(pitch): \(back)")
    }
    #expect(Attitude.identity.heading(of: Vector3(0, 0, 1)) == nil)
  }

  @Test func `an attitude is coded and decoded, and half of one refused`() throws {
    let data = try JSONEncoder().encode(Self.logged)
    #expect(try JSONDecoder().decode(Attitude.self, from: data).angle(to: Self.logged) < 1e-15)
    let half = #"{"x":0.5,"y":0,"z":0,"w":0}"#.data(using: .utf8) ?? Data()
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Attitude.self, from: half) }
  }

  @Test func `numbers that are no rotation give the identity`() {
    for q in [
      Quaternion(w: 0, x: 0, y: 0, z: 0), Quaternion(w: .nan, x: 0, y: 0, z: 0),
      Quaternion(w: .infinity, x: 1, y: 0, z: 0),
    ] {
      #expect(Attitude(q) == .identity)
    }
  }
}
