// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import SeededRandom
import Fusion
import Testing

@Suite struct StationaryDetectorTests {
  /// Returns, for each second, whether it was still, for a chip at 100 Hz with the noise of an
  /// MPU-6050.
  static func stretches(
    _ seconds: Int, _ motion: (Double) -> (force: Vector3, rate: Vector3)
  ) -> [StationaryDetector.Stretch] {
    var random = SplitMix(state: 5)
    var gate = StationaryDetector()
    var stretches: [StationaryDetector.Stretch] = []
    for sample in 0...(seconds * 100) {
      let time = Double(sample) / 100
      let (force, rate) = motion(time)
      if let stretch = gate.add(
        specificForce: force + random.vector(0.004),
        rotationRate: rate + random.vector(0.05 * degree), temperature: 25 + time,
        at: Timestamp(seconds: time))
      {
        stretches.append(stretch)
      }
    }
    return stretches
  }

  @Test func `a stretch of rest has the mean and the spread of its samples`() throws {
    let bias = Vector3(3, -2, 1) * degree
    let all = Self.stretches(10) { _ in (Vector3(0, 0, 1), bias) }
    #expect(all.count == 10 && all.allSatisfy(\.isStill))
    let first = try #require(all.first)
    // The mean of 100 samples is off by a tenth of their noise; four times that is allowed.
    #expect(((first.rotationRate?.mean ?? .zero) - bias).norm < 0.02 * degree * 3.0.squareRoot())
    #expect(abs((first.rotationRate?.spread ?? 0) / degree - 0.05) < 0.02)
    #expect(abs((first.rotationRate?.temperature ?? 0) - 25.495) < 1e-9)
    #expect(first.specificForce?.count == 100)
  }

  @Test func `a second of shaking is not rest`() {
    let all = Self.stretches(6) { time in
      let shaken = time >= 3 && time < 4 ? sin(50 * time) : 0
      return (Vector3(0.1 * shaken, 0, 1), Vector3(5 * degree * shaken, 0, 0))
    }
    #expect(all.map(\.isStill) == [true, true, true, false, true, true])
  }

  /// The device is turned over within a second: in that second it moves, and in the next it lies
  /// differently from before.
  @Test func `a second of turning over is not still, nor is the next`() {
    let all = Self.stretches(6) { time in
      let angle = min(max(time - 2, 0), 1) * Double.pi
      return (
        Vector3(0, sin(angle), cos(angle)),
        Vector3(time >= 2 && time < 3 ? .pi : 0, 0, 0)
      )
    }
    #expect(all.map(\.isStill) == [true, true, false, false, true, true])
  }

  /// A second of which half has no samples is not at rest.
  @Test func `half a second without samples is no rest`() {
    var gate = StationaryDetector()
    var count = 0
    for sample in 0..<1000 where sample % 100 < 60 {
      let stretch = gate.add(
        specificForce: Vector3(0, 0, 1), rotationRate: nil, temperature: nil,
        at: Timestamp(seconds: Double(sample) / 100))
      if stretch != nil { count += 1 }
    }
    #expect(count == 0)
  }

  @Test func `samples without number or order are left out`() throws {
    var gate = StationaryDetector()
    var stretch: StationaryDetector.Stretch?
    for sample in 0...100 {
      let time = Timestamp(seconds: Double(sample) / 100)
      stretch = gate.add(
        specificForce: nil, rotationRate: sample % 2 == 0 ? .zero : Vector3(.nan, 0, 0),
        temperature: .nan, at: time)
      // A sample that is older than the last one is ignored.
      _ = gate.add(
        specificForce: nil, rotationRate: Vector3(1, 0, 0), temperature: nil,
        at: time - .milliseconds(1))
    }
    let rate = try #require(stretch?.rotationRate)
    #expect(rate.count == 50 && rate.mean == .zero && rate.temperature == nil)
    #expect(stretch?.specificForce == nil && stretch?.isStill == true)
  }
}
