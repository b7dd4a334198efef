// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Testing

@Suite("Recordings")
struct RecordingTests {
  struct Row {
    var time: Double
    var acceleration, rotationRate, magneticField: Vector3
    /// The true rotation from the device to east-north-up, from cameras.
    var truth: Quaternion?
  }

  static func rows() throws -> [Row] {
    let file = try #require(
      Bundle.module.url(forResource: "Recordings/fast_rotation", withExtension: "csv"))
    let text = try String(contentsOf: file, encoding: .utf8)
    return try text.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let n = try cells.prefix(10).map { try #require(Double($0)) }
      let q = cells.suffix(4).compactMap { Double($0) }
      return Row(
        time: n[0], acceleration: Vector3(n[1], n[2], n[3]),
        rotationRate: Vector3(n[4], n[5], n[6]), magneticField: Vector3(n[7], n[8], n[9]),
        truth: q.count == 4 ? Quaternion(w: q[0], x: q[1], y: q[2], z: q[3]) : nil)
    }
  }

  @Test func `fast rotation by hand is followed as cameras saw it`() throws {
    // Each sample is a mean of four samples 3.5 ms apart, so it is 1.5 intervals older.
    var params = FusionEngine.Params()
    params.gyroDelay = 0.00925
    params.accelerationDelay = 0.00925
    var engine = FusionEngine(params)
    var (tilt, total, six, count) = (0.0, 0.0, 0.0, 0.0)
    // A quarter turn converts north-west-up to east-north-up.
    let quarter = Quaternion(angle: .pi / 2, axis: Vector3(0, 0, 1))
    for row in try Self.rows() {
      let time = Timestamp(seconds: row.time)
      engine.update(rotationRate: row.rotationRate, at: time)
      engine.update(acceleration: row.acceleration, at: time)
      engine.update(magneticField: row.magneticField, at: time)
      guard let truth = row.truth, row.time > 3 else { continue }
      let down = truth.conjugate.rotate(Vector3(0, 0, -1))
      tilt += pow(angle(FusionEngine.gravity(engine.attitude9), down), 2)
      six += pow(angle(FusionEngine.gravity(engine.attitude6), down), 2)
      total += pow(angle(quarter * engine.attitude9, truth), 2)
      count += 1
    }
    #expect(count > 800)
    let (inclination, attitude) = ((tilt / count).squareRoot(), (total / count).squareRoot())
    #expect(inclination < 1)
    #expect(abs((six / count).squareRoot() - inclination) < 1e-9)
    #expect(attitude < 2.5)
  }
}
