// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import Foundation
import Quantities
import Recognition
import SeededRandom
import Testing

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

@Suite struct StepTests {
  static func steps(of rows: [(time: Timestamp, values: [Double])]) -> [Step] {
    var recognizer = StepRecognizer()
    return rows.flatMap { take(&recognizer, Vector3($0.values), $0.time) }
  }

  static func take(_ recognizer: inout StepRecognizer, _ felt: Vector3, _ time: Timestamp) -> [Step]
  {
    recognizer.update(felt, at: time)
    return rest(&recognizer)
  }

  static func rest(_ recognizer: inout StepRecognizer) -> [Step] {
    var steps: [Step] = []
    while let step = recognizer.next() { steps.append(step) }
    return steps
  }

  /// A person who stands for 3 s, walks `count` steps at `cadence` per second, and stands again for
  /// 4 s. The vertical acceleration of a step is highest as the foot is loaded and has a second,
  /// smaller wave; left and right differ by 10 percent; the device is tilted and sways with the
  /// stride.
  struct Walker {
    var cadence: Double
    var count: Int
    var swing: Double
    var random: SplitMix
    var duration: Double { 7 + Double(count) / cadence }

    mutating func felt(_ t: Double) -> Vector3 {
      let phase = (t - 3) * cadence
      var up = 0.0
      var side = 0.0
      if phase >= 0, phase < Double(count) {
        let foot = Int(phase) % 2 == 0 ? 1.1 : 0.9
        up = swing / 2 * foot * (-cos(2 * .pi * phase) + 0.3 * sin(4 * .pi * phase))
        side = 0.3 * swing * sin(.pi * phase)
      }
      let down = Quaternion(angle: 0.2 + 0.3 * side, axis: Vector3(0.6, 0.8, 0)).rotate(
        Vector3(0, 0, -1))
      return down * (1 + up) + Vector3(side, 0, 0) + random.vector(0.01)
    }
  }

  /// Every step of a walk or a run is found, from the first to the last, at all rates of boards.
  @Test(arguments: [12.5, 25, 104, 400.0])
  func `every simulated step is found at all rates`(_ hz: Double) {
    for (cadence, swing) in [(1.3, 0.3), (1.8, 0.4), (2.2, 0.6), (2.9, 1.6)] {
      var walker = Walker(
        cadence: cadence, count: 40, swing: swing, random: SplitMix(state: UInt64(10 * cadence)))
      var recognizer = StepRecognizer()
      var steps: [Step] = []
      for k in 0..<Int(walker.duration * hz) {
        let t = Double(k) / hz
        steps += Self.take(&recognizer, walker.felt(t), Timestamp(seconds: t))
      }
      #expect(abs(steps.count - 40) <= 1, "\(cadence) at \(hz) Hz: \(steps.count)")
      let times = steps.map(\.timestamp.seconds)
      #expect(times == times.sorted() && (times.first ?? 0) > 2.9)
      #expect((times.last ?? 99) < 3.3 + 40 / cadence)
      // 70 to 130 percent of the input, except for the fastest steps, which the filter halves.
      let typical = steps.map(\.swing).sorted()[steps.count / 2]
      #expect((0.4 * swing...1.3 * swing).contains(typical), "\(typical) of \(swing)")
      #expect(steps.allSatisfy { (0...1).contains($0.confidence) })
    }
  }

  /// Recordings with counted steps: unchanged, reversed, upside down, negated, and from a coarse
  /// sensor.
  @Test(arguments: [("walk-swinging-arm", 265, 4), ("walk-pocket", 268, 9), ("walk-wrist", 99, 5)])
  func `recordings have the steps that were counted, turned and negated too`(
    _ name: String, _ count: Int, _ tolerance: Int
  ) throws {
    let rows = try recording(name)
    let turn = Quaternion(angle: 2, axis: Vector3(0.48, 0.6, 0.64))
    for (what, change) in [
      ("as it is", { $0 }), ("turned", { turn.rotate($0) }), ("negated", { -1 * $0 }),
      ("badly calibrated", { 1.05 * $0 + Vector3(0.06, -0.06, 0.05) }),
    ] as [(String, (Vector3) -> Vector3)] {
      var recognizer = StepRecognizer()
      var found = 0
      for row in rows {
        found += Self.take(&recognizer, change(Vector3(row.values)), row.time).count
      }
      #expect(abs(found - count) <= tolerance, "\(name) \(what): \(found)")
    }
  }

  /// A runner's wrist: the spectrum of the magnitude over 40 s has its peak at 2.104 Hz, which
  /// gives 84 steps.
  @Test func `a runner's wrist has the steps of its spectrum`() throws {
    let steps = Self.steps(of: try recording("run-wrist"))
    #expect(abs(steps.count - 84) <= 2, "\(steps.count)")
  }

  /// Other motions: a car, a desk, noise, a table, one bump, a device that is turned over
  /// repeatedly, a pendulum.
  @Test func `what is not walking has no steps`() throws {
    #expect(Self.steps(of: try recording("drive")).isEmpty)
    // 76 s; at most 8 steps per minute are allowed.
    #expect(Self.steps(of: try recording("desk-wrist")).count <= 10)
    var random = SplitMix(state: 4)
    let things: [(String, (Double) -> Vector3)] = [
      ("a table", { _ in Vector3(0, 0, -1) }),
      ("a bump a minute", { t in Vector3(0, 0, -1 - 4 * exp(-50 * abs(t - 30))) }),
      ("turned over", { t in Vector3(sin(2 * t), 0, cos(2 * t)) }),
      ("a motor", { t in Vector3(0, 0.3 * sin(2 * .pi * 7 * t), -1 - 0.3 * sin(2 * .pi * 7 * t)) }),
      ("a boat", { t in Vector3(0, 0, -1 - 0.2 * sin(2 * .pi * 0.3 * t)) }),
    ]
    for (name, felt) in things {
      var recognizer = StepRecognizer()
      var found = 0
      for k in 0..<1500 {
        let t = Double(k) / 25
        found += Self.take(&recognizer, felt(t) + random.vector(0.01), Timestamp(seconds: t)).count
      }
      #expect(found == 0, "\(name): \(found)")
    }
  }

  /// An arm swings once per stride and rotates gravity with it, with four times the power of the
  /// steps, which rise and fall by 2 cm.
  @Test(arguments: [12.5, 25, 100])
  func `an arm whose swing is louder than its steps has the steps`(_ hz: Double) {
    for (cadence, phase) in [(1.7, 0.0), (1.9, 1.0), (2.1, 0.5)] {
      var random = SplitMix(state: 5)
      var recognizer = StepRecognizer()
      var steps: [Step] = []
      for k in 0..<Int(70 * hz) {
        let t = Double(k) / hz
        let walks = t >= 5 && t < 65
        let stride = .pi * cadence * t
        let up = walks ? 0.14 * cos(2 * stride + phase) : 0
        let swing = walks ? 0.28 * cos(stride) : 0
        let down = Quaternion(angle: swing, axis: Vector3(1, 0, 0)).rotate(Vector3(0, 0, -1))
        let felt = down * (1 + up + swing) + random.vector(0.02)
        steps += Self.take(&recognizer, felt, Timestamp(seconds: t))
      }
      #expect(
        abs(Double(steps.count) - 60 * cadence) <= 3, "\(cadence) at \(hz) Hz: \(steps.count)")
    }
  }

  /// A pedalling thigh lifts a device in the pocket by 7 cm once per turn, sharply down and slowly
  /// up, and the road shakes it. Slow steps never rise so high.
  @Test(arguments: [12.5, 25, 100])
  func `pedalling with a device in the pocket has no steps`(_ hz: Double) {
    for turns in [1.0, 1.15, 1.3] {
      var random = SplitMix(state: 6)
      var recognizer = StepRecognizer()
      var steps: [Step] = []
      let lift = 0.07 * pow(2 * .pi * turns, 2) / 9.81
      for k in 0..<Int(90 * hz) {
        let t = Double(k) / hz
        let turn = 2 * .pi * turns * t
        let up = lift * (cos(turn) - 0.3 * cos(2 * turn))
        let down = Quaternion(angle: 0.35 * sin(turn), axis: Vector3(0, 1, 0)).rotate(
          Vector3(0, 0, -1))
        steps += Self.take(
          &recognizer, down * (1 + up) + random.vector(0.03), Timestamp(seconds: t))
      }
      #expect(steps.count <= 3, "\(turns) turns a second at \(hz) Hz: \(steps.count)")
    }
  }

  /// Returns the steps found for twenty steps followed by three soft and slow ones after `pause`
  /// seconds; `sharper` decides whether they are sharper upwards, like steps, or downwards.
  private func steps(before pause: Double, at hz: Double, sharper: Double) -> Int {
    let cadence = 1.2
    let begins = [3, 3 + 20 / cadence + pause]
    var recognizer = StepRecognizer()
    var count = 0
    for k in 0..<Int((begins[1] + 8) * hz) {
      let t = Double(k) / hz
      var up = 0.0
      for (begin, steps) in zip(begins, [20.0, 3]) {
        let phase = (t - begin) * cadence
        guard phase >= 0, phase < steps else { continue }
        up = 0.055 * (-cos(2 * .pi * phase) + 0.3 * cos(4 * .pi * phase)) * sharper
      }
      count += Self.take(&recognizer, Vector3(0, 0, -1 - up), Timestamp(seconds: t)).count
    }
    return count
  }

  @Test(arguments: [25.0, 50, 100])
  func `three soft steps are a walk where there was one within a minute`(_ hz: Double) {
    #expect(steps(before: 20, at: hz, sharper: 1) == 23)
    #expect(steps(before: 100, at: hz, sharper: 1) == 20)
    #expect(
      steps(before: 20, at: hz, sharper: -1) == steps(before: 100, at: hz, sharper: -1),
      "pedals are no feet")
  }

  /// A gap during a walk removes no step and loses fewer than two; no step is made up for it.
  @Test func `a gap costs less than two steps and makes none up`() {
    var walker = Walker(cadence: 2, count: 80, swing: 0.5, random: SplitMix(state: 9))
    var recognizer = StepRecognizer()
    var times: [Double] = []
    for k in 0..<Int(walker.duration * 50) {
      let t = Double(k) / 50
      let felt = walker.felt(t)
      // 20 steps, then 5 s without samples, which would have had 10.
      if t > 13, t < 18 { continue }
      times += Self.take(&recognizer, felt, Timestamp(seconds: t)).map(\.timestamp.seconds)
    }
    #expect(!times.contains { $0 > 13.1 && $0 < 17.9 })
    #expect((67...71).contains(times.count), "\(times.count)")
  }

  /// `interrupt` reports the newest steps immediately; the first ones are dropped if they cannot be
  /// distinguished from a bump.
  @Test func `an interruption gives the newest steps at once`() {
    var walker = Walker(cadence: 2, count: 40, swing: 0.5, random: SplitMix(state: 9))
    var recognizer = StepRecognizer()
    var count = 0
    for k in 0..<Int(13 * 50) {
      let t = Double(k) / 50
      count += Self.take(&recognizer, walker.felt(t), Timestamp(seconds: t)).count
    }
    recognizer.interrupt()
    let late = Self.rest(&recognizer)
    #expect((1...3).contains(late.count), "\(late.count)")
    #expect((19...21).contains(count + late.count), "\(count) and \(late.count)")
    recognizer.interrupt()
    #expect(recognizer.next() == nil)

    recognizer = StepRecognizer()
    for k in 0..<Int(4.2 * 50) {
      let t = Double(k) / 50
      recognizer.update(walker.felt(t), at: Timestamp(seconds: t))
    }
    recognizer.interrupt()
    #expect(recognizer.next() == nil)
  }

  /// NaN, infinity, and samples out of order or repeated have no effect. A clock set back by an
  /// hour costs only the time to recognise the walk again.
  @Test func `samples out of order change no step`() {
    var walker = Walker(cadence: 2, count: 60, swing: 0.5, random: SplitMix(state: 3))
    var plain = StepRecognizer()
    var disturbed = StepRecognizer()
    var expected: [Step] = []
    var found: [Step] = []
    for k in 0..<Int(walker.duration * 50) {
      let time = Timestamp(seconds: Double(k) / 50)
      let felt = walker.felt(Double(k) / 50)
      expected += Self.take(&plain, felt, time)
      found += Self.take(&disturbed, felt, time)
      found += Self.take(&disturbed, Vector3(.nan, 0, 1), time + .milliseconds(3))
      found += Self.take(&disturbed, Vector3(0, .infinity, 1), time + .milliseconds(4))
      found += Self.take(&disturbed, Vector3(0, 0, 9), time)
      found += Self.take(&disturbed, Vector3(0, 0, 9), time - .milliseconds(100))
    }
    #expect(found == expected && abs(found.count - 60) <= 1)

    var back = StepRecognizer()
    walker = Walker(cadence: 2, count: 60, swing: 0.5, random: SplitMix(state: 3))
    var count = 0
    for k in 0..<Int(walker.duration * 50) {
      let t = Double(k) / 50
      let clock = t < 18 ? t + 3600 : t
      count += Self.take(&back, walker.felt(t), Timestamp(seconds: clock)).count
    }
    #expect((57...61).contains(count), "\(count)")
  }

  /// A caller that does not read the steps loses the oldest ones, and no others.
  @Test func `of steps that are not taken the oldest are lost`() {
    var walker = Walker(cadence: 2, count: 100, swing: 0.5, random: SplitMix(state: 3))
    var recognizer = StepRecognizer()
    for k in 0..<Int(walker.duration * 50) {
      recognizer.update(walker.felt(Double(k) / 50), at: Timestamp(seconds: Double(k) / 50))
    }
    let steps = Self.rest(&recognizer)
    #expect(steps.count == 48)
    #expect((52...53.2).contains(steps.last?.timestamp.seconds ?? 0))
  }

  @Test(.enabled(if: isOptimised, "unoptimised code allocates"))
  func `recognising steps allocates nothing`() throws {
    let rows = try recording("walk-pocket").map { (time: $0.time, felt: Vector3($0.values)) }
    var recognizer = StepRecognizer()
    var count = 0
    let before = otolith_allocations_of_thread()
    for row in rows {
      recognizer.update(row.felt, at: row.time)
      while recognizer.next() != nil { count += 1 }
    }
    let allocations = otolith_allocations_of_thread() - before
    #expect(allocations == 0)
    #expect(count > 200)
  }
}
