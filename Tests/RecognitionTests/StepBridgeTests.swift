// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recognition
import SeededRandom
import Testing

@Suite struct StepBridgeTests {
  /// Returns the steps that `StepRecognizer` finds at 50 Hz if `change` alters the walker's
  /// samples.
  private static func times(
    _ count: Int, _ change: (Double, Vector3) -> Vector3
  ) -> [Double] {
    var walker = StepTests.Walker(
      cadence: 2, count: count, swing: 0.4, random: SplitMix(state: 9))
    var recognizer = StepRecognizer()
    var times: [Double] = []
    for k in 0..<Int(walker.duration * 50) {
      let t = Double(k) / 50
      let felt = change(t, walker.felt(t))
      times += StepTests.take(&recognizer, felt, Timestamp(seconds: t)).map(\.timestamp.seconds)
    }
    return times
  }

  /// 60 steps from 3 s to 33 s; at 18 s the arm is raised and lowered within 1.2 s, whose
  /// acceleration hides the steps.
  @Test func `steps are counted through a gesture`() {
    let times = Self.times(60) { t, felt in
      guard (18..<19.2).contains(t) else { return felt }
      return Vector3(0, 0, -1 - 1.2 * sin(2 * .pi * (t - 18) / 1.2))
    }
    #expect(abs(times.count - 60) <= 1, "\(times.count)")
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < 0.9 })
  }

  /// A walker who stands for 2 s makes no steps, although four would fit.
  @Test func `a halt has no steps`() {
    let times = Self.times(60) { t, felt in (18..<20).contains(t) ? Vector3(0, 0, -1) : felt }
    #expect(!times.contains { $0 > 18.4 && $0 < 19.6 }, "\(times)")
    #expect((54...58).contains(times.count), "\(times.count)")
  }

  /// Computed by hand: of steps every 0.5 s, one that comes after 1.5 s hides two, if the device
  /// moved. Of twenty that come after 1 s six hide one each, up to the limit, and the rest are a
  /// slower walk.
  @Test func `a late step hides those that the interval has room for`() {
    func after(_ steps: Int) -> StepBridge {
      var bridge = StepBridge()
      for _ in 0..<steps { #expect(bridge.add(interval: 0.5, swing: 0.3, motion: 0) == 0) }
      return bridge
    }
    var known = after(10)
    #expect(abs(known.period - 0.5) < 1e-12)
    #expect(known.add(interval: 1.5, swing: 0.3, motion: 0.3) == 2)
    var halt = after(10)
    #expect(halt.add(interval: 1.5, swing: 0.3, motion: 0.1) == 0)
    var long = after(10)
    #expect(long.add(interval: 3.1, swing: 0.3, motion: 0.3) == 0)
    var early = after(4)
    #expect(early.add(interval: 1.5, swing: 0.3, motion: 0.3) == 0)

    var debtor = after(10)
    var hidden = 0
    for _ in 0..<20 { hidden += debtor.add(interval: 1, swing: 0.3, motion: 0.3) }
    #expect(hidden == 6)
  }

  /// At the end the estimator reports the steps of the last second, and nothing the second time.
  @Test func `a recording that ends reports the steps of its last second once`() {
    var walker = StepTests.Walker(cadence: 2, count: 40, swing: 0.5, random: SplitMix(state: 9))
    var estimator = MovementEstimator(channels: .acceleration)
    for k in 0..<Int(13 * 50) {
      let t = Double(k) / 50
      var sample = Sample(timestamp: Timestamp(seconds: t), channels: .acceleration)
      sample.acceleration = walker.felt(t)
      estimator.update(sample)
    }
    let before = estimator.movement.counts.steps
    estimator.finish()
    #expect((1...3).contains(estimator.movement.counts.steps - before))
    #expect((19...21).contains(estimator.movement.counts.steps))
    let after = estimator.movement
    estimator.finish()
    #expect(estimator.movement == after)
  }
}
