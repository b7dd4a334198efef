// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Redundancy
import SeededRandom
import Testing

/// Two gyroscopes that differ, and nothing of their own that shows which of them is wrong.
struct OffsetDisputeTests {
  /// What a run of a minute shows in which the offset of one gyroscope grows from the tenth second
  /// on.
  struct Result {
    var groups: SensorGroups
    /// The time from the fault until a member was left out, s.
    var delay = Double.infinity
    /// The error of the tilt in the last ten seconds, and the largest one, radians.
    var tilt = 0.0
    var largestTilt = 0.0
  }

  /// A hand that tilts the device by up to 30 degrees to both sides.
  private static func angle(_ time: Double) -> Double { 0.5 * sin(0.7 * time) }

  private static func run(sick: Int, offset: Vector3) -> Result {
    var groups = SensorGroupsTests.twoIMUs()
    var engine = FusionEngine()
    var random = SplitMix(state: 58)
    var result = Result(groups: groups)
    func noise(_ sigma: Scalar) -> Vector3 {
      func draw() -> Scalar { sigma * Scalar.random(in: -1.7...1.7, using: &random) }
      return Vector3(draw(), draw(), draw())
    }
    for k in 0..<12_000 {
      let time = Double(k) * 0.005
      let angle = Scalar(angle(time))
      let rate = Vector3(0.35 * Scalar(cos(0.7 * time)), 0, 0)
      let gravity = Vector3(0, -sin(angle), -cos(angle))
      for chip in 0..<2 {
        var sample = Sample(
          timestamp: Timestamp(seconds: time), channels: [.rotationRate, .acceleration])
        sample.rotationRate = rate + noise(0.001)
        if chip == sick, time > 10 { sample.rotationRate += offset * min(Scalar(time - 10), 1) }
        sample.acceleration = gravity + noise(0.003)
        guard let combined = groups.add(sample, from: chip) else { continue }
        if combined.channels.contains(.rotationRate) {
          let correction = groups.doubts(of: .rotationRate) {
            (engine.gyroBias, engine.gyroBiasCovariance)
          }.bias
          engine.shift(
            gyroBias: correction.change, doubt: correction.doubt, lasting: correction.seconds)
          engine.update(rotationRate: combined.rotationRate, at: combined.timestamp)
        }
        if combined.channels.contains(.acceleration) {
          engine.update(acceleration: combined.acceleration, at: combined.timestamp)
        }
      }
      if time > 10 {
        let off = (FusionEngine.gravity(engine.attitude6) - gravity).norm
        result.largestTilt = max(result.largestTilt, Double(off))
        if time > 50 { result.tilt = max(result.tilt, Double(off)) }
      }
      let isOut = (0..<2).contains {
        groups.condition(ofChip: $0, channel: .rotationRate)?.isUsed == false
      }
      if isOut { result.delay = min(result.delay, time - 10) }
    }
    result.groups = groups
    return result
  }

  @Test(arguments: [0, 1], [-1, 1] as [Scalar])
  func `gravity shows which of two gyroscopes is wrong`(sick: Int, sign: Scalar) throws {
    let offset = Vector3(0, 5 * degree * sign, 0)
    let result = Self.run(sick: sick, offset: offset)
    let wrong = try #require(result.groups.condition(ofChip: sick, channel: .rotationRate))
    let right = try #require(result.groups.condition(ofChip: 1 - sick, channel: .rotationRate))
    #expect(!wrong.isUsed)
    #expect(wrong.y == .biased && wrong.x == .good && wrong.z == .good)
    #expect(right.isUsed && right.isGood)
    #expect(result.delay < 15, "\(result.delay)")
    #expect(result.tilt < 1 * Double(degree), "\(result.tilt)")
    // It takes 2.5 s, with the one in which the offset grows, until fusion knows of the dispute.
    #expect(result.largestTilt < 2.5 * 5 * Double(degree), "\(result.largestTilt)")
  }

  @Test func `two gyroscopes without a fault stay in use`() throws {
    let result = Self.run(sick: 0, offset: .zero)
    for chip in 0..<2 {
      let condition = try #require(
        result.groups.condition(ofChip: chip, channel: .rotationRate))
      #expect(condition.isUsed && condition.isGood)
    }
    #expect(result.tilt < 1 * Double(degree), "\(result.tilt)")
  }
}
