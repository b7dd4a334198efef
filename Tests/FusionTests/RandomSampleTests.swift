// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import SeededRandom
import Testing

/// A million samples that no sensor would send, at intervals that no clock would have: whatever is
/// accepted, all outputs stay finite.
@Suite("Random samples")
struct RandomSampleTests {
  static let seeds: [UInt64] = [1, 2, 3, 5, 8, 13, 21, 34]

  @Test(arguments: seeds)
  func `a million random samples leave all numbers finite and norms 1`(seed: UInt64) {
    var random = SplitMix(state: seed)
    var engine = FusionEngine()
    var time = Timestamp.zero
    var taken = 0
    var mood: UInt64?
    for step in 0..<(isOptimised ? 1_000_000 / Self.seeds.count : 8_000) {
      // Stretches of one kind, so that filters settle on it, and mixtures in between.
      if step % 500 == 0 { mood = step / 500 % 4 == 0 ? nil : random.next() % 12 }
      time = time + Self.interval(&random)
      let stream = Stream.allCases[Int(random.next() % 3)]
      let sample = Self.sample(&random, mood: mood)
      if engine.update(stream, sample, at: time) { taken += 1 }
      guard Self.isSound(engine) else {
        Issue.record("seed \(seed), step \(step): \(stream) \(sample) at \(time)")
        return
      }
      if random.next() % 50_000 == 0 { engine.reset() }
    }
    // If most samples had been rejected, nothing would have been tested.
    #expect(taken > (isOptimised ? 50_000 : 3_000))
  }

  static func interval(_ random: inout SplitMix) -> TimeSpan {
    switch random.next() % 1000 {
    case 0..<250: .zero
    case 250..<300: TimeSpan(nanoseconds: Int64(random.next() % 10))
    case 300..<990: TimeSpan(seconds: random.number(0...0.02))
    case 990..<996: TimeSpan(seconds: random.number(0...3))
    case 996..<999: TimeSpan(seconds: random.number(0...1e5))
    // A year and more: a hundred of them reach the end of the clock, where time stops.
    default: TimeSpan(seconds: random.number(0...1e8))
    }
  }

  static func sample(_ random: inout SplitMix, mood: UInt64?) -> Vector3 {
    let kind = mood ?? random.next()
    return Vector3(
      component(&random, kind), component(&random, kind), component(&random, kind))
  }

  static func component(_ random: inout SplitMix, _ kind: UInt64) -> Double {
    switch kind % 12 {
    case 0: 0
    case 1: random.next() % 2 == 0 ? -0.0 : .leastNonzeroMagnitude
    case 2: random.number(-1...1) * .leastNormalMagnitude
    case 3: random.number(-1...1) * 1e-160
    case 4: random.number(-1...1) * 1e-8
    case 5...7: random.number(-2...2)
    case 8: random.number(-60...60)
    case 9: random.number(-1000...1000)
    case 10: random.number(-1...1) * 1e6
    // All kinds of values for a component, accepted or not.
    default:
      [
        .nan, .infinity, -.greatestFiniteMagnitude, 1e3, -1e4, 1e6, 1e-300, 1, -1, 0, 0.5, -0.0,
      ][Int(random.next() % 12)]
    }
  }

  static func isSound(_ engine: FusionEngine) -> Bool {
    guard Outputs(engine).isSound, engine.gyroBiasSigma >= 0, engine.hardIron.isFinite
    else { return false }
    for attitude in [engine.attitude6, engine.attitude9, engine.attitudeCorrected] {
      let gravity = FusionEngine.gravity(attitude)
      let angles = EulerAngles(attitude)
      guard abs(gravity.norm - 1) < 1e-9,
        angles.roll.isFinite && angles.pitch.isFinite && angles.yaw.isFinite,
        headingDegrees(of: attitude) >= 0 && headingDegrees(of: attitude) < 360
      else { return false }
    }
    return true
  }
}
