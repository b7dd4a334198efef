// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Commands that use a recording instead of a board, and boards that a recording moves.
@Suite struct LenientRecordingTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// As with `replay`, a truncated row loses only that row.
  @Test func `noise, calibrate and a board that is moved read a recording as replay does`() throws {
    var rows = "timestamp,acceleration.x,acceleration.y,acceleration.z,rotationRate.x,"
    rows += "rotationRate.y,rotationRate.z\n"
    for index in 0..<800 {
      let y = 0.001 * sin(Double(index * 7919 % 1000))
      rows += index == 200 ? ",,,,,,\nbroken\n" : ""
      rows += "\(Double(index) / 100),\(y),\(-y),\(-1 + y),\(y / 10),\(-y / 20),\(y / 7)\n"
    }
    try scratch.write(rows, to: "rest.csv")
    try scratch.write(
      ClippingTests.imu.replacing("motion: still", with: "motion: rest.csv"),
      to: "moved.yaml")
    try scratch.write(ClippingTests.imu, to: "imu.yaml")
    let noise = try Tool.run("noise", "--recording", "rest.csv", in: scratch)
    #expect(noise.status == 0, "\(noise.errors)")
    #expect(noise.errors.contains("skipped") && noise.errors.contains("--strict refuses it"))
    let strict = try Tool.run("noise", "--recording", "rest.csv", "--strict", in: scratch)
    #expect(strict.status == 65 && strict.output.isEmpty, "\(strict.errors)")
    let calibrate = [
      "calibrate", "gyroscope", "--board", "imu.yaml", "--recording", "rest.csv", "--duration", "3",
      "--dry-run",
    ]
    let gyroscope = try Tool.run(calibrate, in: scratch)
    #expect(gyroscope.status == 0, "\(gyroscope.errors)")
    let refused = try Tool.run(calibrate + ["--strict"], in: scratch)
    #expect(refused.status == 65, "\(refused.errors)")
    let moved = try Tool.run(
      "run", "moved.yaml", "--format", "csv", "--duration", "1", in: scratch)
    #expect(moved.status == 0, "\(moved.errors)")
    #expect(moved.errors.contains("skipped"), "\(moved.errors)")
    let without = try Tool.run("noise", "simulated", "--strict", in: scratch)
    #expect(
      without.status == 64
        && without.errors == "--strict needs --recording\n")
  }
}
