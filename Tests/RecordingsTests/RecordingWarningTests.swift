// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recordings
import Testing

/// Warnings about the numbers of a recording.
@Suite struct RecordingWarningTests {
  /// Returns the warnings for rows of acceleration and rotation rate at 50 Hz, given over the
  /// seconds.
  private func warnings(
    _ units: [String] = [], seconds: Double = 10,
    _ row: (Double) -> (Vector3, Vector3)
  ) throws -> [String] {
    var text =
      "timestamp,acceleration.x,acceleration.y,acceleration.z,rotationRate.x,rotationRate.y,"
      + "rotationRate.z\n"
    for k in 0..<Int(seconds * 50) {
      let t = Double(k) / 50
      let (a, w) = row(t)
      text += [t, a.x, a.y, a.z, w.x, w.y, w.z].map { "\($0)" }.joined(separator: ",") + "\n"
    }
    var reader = try RecordingReader(
      bytes: Array(text.utf8), file: "x.csv", order: .lenient,
      RecordingConventions(units: units.compactMap(MeasuredUnit.named)))
    while try reader.next() != nil {}
    return reader.warnings.map { $0.text + ($0.remedy.map { "; \($0)" } ?? "") }
  }

  private static let down = Vector3(0, 0, -1)
  private static let degrees =
    "x.csv: rotationRate turns the board but acceleration does not, as if it were in deg/s; "
    + "--units deg/s"

  @Test func `a board that lies still in degrees a second is doubted`() throws {
    #expect(try warnings { _ in (Self.down, Vector3(-2.3, 1.1, 1)) } == [Self.degrees])
    // A gyroscope's bias and rotation about the vertical cause no warning.
    #expect(try warnings { _ in (Self.down, Vector3(0.05, -0.05, 0.05)) } == [])
    #expect(try warnings { _ in (Self.down, Vector3(0, 0, 3)) } == [])
    #expect(try warnings(["deg/s"]) { _ in (Self.down, Vector3(-2.3, 1.1, 1)) } == [])
  }

  /// A clock of whole seconds, no clock, and repeated rows: one warning, about the clock only.
  @Test(arguments: [(1, "490 of 500"), (0, "499 of 500"), (25, "250 of 500")])
  func `samples of one sensor at one time are doubted`(_ ticks: Int, _ count: String) throws {
    var text = "timestamp,acceleration.x,acceleration.y,acceleration.z\n"
    for k in 0..<500 {
      let time = ticks == 0 ? 5 : Double(k * ticks / 50) / Double(ticks)
      text += "\(time),0.1,0.2,\(-1 - 0.001 * Double(k % 7))\n"
    }
    var reader = try RecordingReader(bytes: Array(text.utf8), file: "x.csv", order: .lenient)
    while try reader.next() != nil {}
    #expect(
      reader.warnings.map(\.text) == [
        "x.csv: \(count) samples of acceleration have the same time as the previous one: is the "
          + "clock too coarse, or are two sensors mixed?"
      ])
  }

  @Test(arguments: [1, 180 / Double.pi]) func `a board that turns tells its unit`(_ factor: Double)
    throws
  {
    // Oscillation about x by 0.5 rad, once in 4 s.
    let found = try warnings { t in
      let angle = 0.5 * sin(1.57 * t)
      return (
        Vector3(0, -sin(angle), -cos(angle)), Vector3(factor * 0.785 * cos(1.57 * t), 0, 0)
      )
    }
    #expect(found.contains { $0.contains("deg/s") } == (factor > 1), "\(found)")
  }

  @Test func `acceleration without gravity is doubted in any unit`() throws {
    for size in [0.2, 2] {
      let found = try warnings { t in
        (Vector3(size * sin(9 * t), size * cos(11 * t), size * sin(13 * t)), Vector3.zero)
      }
      #expect(found.contains { $0.contains("as if gravity had been removed") }, "\(found)")
    }
    let walk = try warnings { t in (Vector3(0, 0.4 * sin(12 * t), -1), Vector3(0.1, 0, 0)) }
    #expect(walk == [])
  }

  @Test func `samples at the end of a range are counted by axis`() throws {
    let found = try warnings { t in
      (Vector3(0, 0, max(-2, -1 - 1.5 * sin(6 * t))), Vector3.zero)
    }
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("x.csv: acceleration.z stays at -2.0 g in "))
    #expect(
      found[0].hasSuffix(
        " samples, the end of a range of 2.0 g: larger values are lost; record with a wider range")
    )
    // At the end of the range from the first row to the last.
    let always = try warnings(seconds: 20) { t in
      (Vector3(0.02 * sin(40 * t), 0.02 * cos(55 * t), -2), Vector3(0, 0, 4.363))
    }
    #expect(
      always == [
        "x.csv: acceleration.z stays at -2.0 g in 1000 samples, the end of a range of 2.0 g: larger "
          + "values are lost; record with a wider range"
      ])
    // A peak that is not clipped, and one of a coarse sensor.
    #expect(try warnings { t in (Vector3(0, 0, -1 - 1.5 * sin(6 * t)), .zero) } == [])
    let coarse = try warnings { t in (Vector3(0, 0, (-1 - 1.5 * sin(6 * t)) * 10).rounded, .zero) }
    #expect(!coarse.contains { $0.contains("stays at") }, "\(coarse)")
  }

  @Test func `what was said is not said again`() throws {
    #expect(try warnings(["m/s2"]) { _ in (Vector3(0, 0, -9.80665), .zero) } == [])
    #expect(
      try warnings(["m/s2"]) { _ in (Vector3(0, 0, -75), .zero) }
        == ["x.csv: acceleration is 7.6 g on the mean, read in m/s2; is that its unit?"])
    #expect(
      try warnings(["mg"]) { _ in (Vector3(0, 0, -9.8), .zero) }.first
        == "x.csv: acceleration is 9.8 mg on the mean, as if it were in m/s2; --units m/s2")
  }

  @Test(arguments: ["1e19", "1e30", "1e308"]) func `a size that no integer has is reported`(
    _ number: String
  ) throws {
    let value = try #require(Double(number))
    let found = try warnings { t in (Self.down, Vector3(t == 1 ? value : 0, 0, 0)) }
    #expect(
      found == [
        "x.csv: a sample of rotationRate of up to \(value) rad/s, beyond the range of any sensor, "
          + "and not used"
      ])
  }
}

extension Vector3 {
  /// Rounded to tenths, like the values of a coarse sensor.
  fileprivate var rounded: Vector3 {
    Vector3((x).rounded() / 10, (y).rounded() / 10, (z).rounded() / 10)
  }
}
