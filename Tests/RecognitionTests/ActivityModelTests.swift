// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import Foundation
import Quantities
import Recognition
import SeededRandom
import Testing

/// The numbers behind an activity, compared with numpy's for the same samples.
@Suite struct ActivityModelTests {
  static let names = ["walk-hand", "run-wrist", "drive", "cycle-phone", "rest-wrist"]

  /// Returns the features and evidence of the window that ends at `end`, resampled from the
  /// beginning on.
  static func window(
    of rows: [(time: Timestamp, values: [Double])], endingAt end: Timestamp
  ) throws -> InlineArray<128, Vector3> {
    var window = ActivityWindow()
    let first = try #require(rows.first)
    window.begin(Vector3(first.values), at: first.time)
    var last = first.time
    for row in rows.dropFirst() {
      window.add(Vector3(row.values), interval: (row.time - last).seconds)
      last = row.time
      while window.advance() {
        if abs((window.end - end).seconds) < 0.001 { return ordered(window) }
      }
    }
    throw CancellationError()
  }

  static func ordered(_ window: ActivityWindow) -> InlineArray<128, Vector3> {
    var window = window
    var values = InlineArray<128, Vector3>(repeating: .zero)
    window.copy(into: &values)
    return values
  }

  static func features(_ window: InlineArray<128, Vector3>) -> InlineArray<36, Double> {
    var window = window
    return ActivityFeatures(takingApart: &window).values
  }

  /// `Training/activity` writes these numbers with the parameters: 50 Hz, 26 Hz, 52 Hz, 15 Hz and
  /// 26 Hz.
  @Test func `the model agrees with Python`() throws {
    let golden = try recording("activity-golden")
    #expect(golden.count == 10)
    for row in golden {
      let name = Self.names[Int(row.values[0])]
      let window = try Self.window(of: recording(name), endingAt: row.time)
      let features = Self.features(window)
      for index in 0..<ActivityFeatures.count {
        let expected = row.values[1 + index]
        #expect(
          abs(features[index] - expected) < 1e-6 * max(1, abs(expected)),
          "\(name), feature \(index): \(features[index]), not \(expected)")
      }
      let evidence = ActivityModel.evidence(features)
      for index in 0..<6 {
        #expect(
          abs(evidence[index] - row.values[1 + ActivityFeatures.count + index]) < 1e-5,
          "\(name), class \(index)")
      }
    }
  }

  /// A sine of 0.2 g at bin 10 (1.95 Hz) along gravity, computed by hand: the power is 0.02 g^2; a
  /// Hann window leaves 2/3 of it in the bin and 1/6 in each neighbour; the mean fourth power of a
  /// sine is 1.5 times the squared mean square.
  @Test func `a sine has the features worked out by hand`() {
    var window = InlineArray<128, Vector3>(repeating: .zero)
    for n in 0..<128 {
      let value = 0.2 * sin(2 * Double.pi * 10 * Double(n) / 128)
      window[n] = Vector3(0, 0, -1 - value)
    }
    let values = Self.features(window)
    let floor = 2.5e-5
    func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-6 }
    #expect(isNear(values[4], log(0.02 * 5 / 6 + floor)), "bins 10 to 12: itself and one neighbour")
    #expect(isNear(values[3], log(0.02 / 6 + floor)), "bins 7 to 9: the other neighbour")
    #expect(isNear(values[12], log(floor)), "nothing across gravity")
    #expect(isNear(values[16], log(0.02 + floor)))
    #expect(isNear(values[18], log(250.0 / 128)), "the peak")
    #expect(isNear(values[19], 0.02 / (0.02 + floor)))
    #expect(isNear(values[27], 0), "a sine leans to neither side")
    #expect(abs(values[28] - log(1.5 * pow(0.02 / (0.02 + floor), 2) + 0.1)) < 1e-3)
    #expect(isNear(values[29], log(1e-4)), "gravity stays where it is")
  }

  /// Rotation, mirroring and negation do not change the features.
  @Test func `features are the same turned, mirrored or negated`() throws {
    let rows = try recording("walk-hand")
    let end = Timestamp(seconds: rows[0].time.seconds + 5.12)
    let plain = try Self.features(Self.window(of: rows, endingAt: end))
    var random = SplitMix(state: 4)
    for _ in 0..<5 {
      let turn = Quaternion(
        angle: Double.random(in: 0..<6, using: &random), axis: random.vector(1).normalized ?? .zero)
      let turned = rows.map { row in
        let a = turn.rotate(-1 * Vector3(row.values))
        return (time: row.time, values: [a.x, a.y, a.z])
      }
      let values = try Self.features(Self.window(of: turned, endingAt: end))
      for index in 0..<ActivityFeatures.count {
        #expect(abs(values[index] - plain[index]) < 1e-6, "feature \(index)")
      }
    }
  }

  /// A line is resampled exactly at any rate, because the mean over 40 ms is its middle.
  @Test(arguments: [12.5, 15, 26, 104, 400])
  func `a line is resampled exactly at any rate`(_ hz: Double) {
    var window = ActivityWindow()
    window.begin(.zero, at: .zero)
    for k in 1...Int(5.5 * hz) {
      let t = Double(k) / hz
      window.add(Vector3(t, -2 * t, 0.5), interval: 1 / hz)
      while window.advance() {}
    }
    #expect(window.isFull)
    let values = Self.ordered(window)
    for n in 0..<128 {
      let middle = window.end.seconds - 0.04 * (Double(127 - n) + 0.5)
      #expect(abs(values[n].x - middle) < 1e-9 && abs(values[n].y + 2 * middle) < 1e-9)
    }
  }

  @Test func `recognising activities allocates nothing`() {
    var recognizer = ActivityRecognizer()
    func run(_ range: Range<Int>) -> Int {
      var changes = 0
      for k in range {
        let t = Double(k) / 50
        let swing = Int(t / 30) % 2 == 0 ? 0.0 : 0.6
        let felt = Vector3(0.1 * sin(6 * t) * swing, 0, -1 + swing * sin(12 * t))
        if recognizer.update(felt, at: Timestamp(seconds: t)) != nil { changes += 1 }
      }
      return changes
    }
    _ = run(0..<500)
    let before = otolith_allocations_of_thread()
    let changes = run(500..<6000)
    let count = otolith_allocations_of_thread() - before
    #expect(count == 0 && changes > 1)
  }
}
