// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Redundancy
import Testing

struct SensorFaultTests {
  /// What a run has shown of a member with a fault from two seconds on.
  struct Result {
    var named = SensorCondition.State.good
    /// The time from the fault to its name, in intervals of 5 ms.
    var delay = Scalar.infinity
    var isUsedAtEnd = true
    var stateAtEnd = SensorCondition.State.good
    var count: UInt32 = 0
    /// The largest error of a value after the fault, rad/s, and of the integral, rad.
    var error = Scalar(0)
    var turn = Scalar(0)
    /// The number of values with another member out of use.
    var wronged = 0
    var disputed = 0
    var largestVariance = Scalar(0)
  }

  static let moving: @Sendable (Scalar) -> Vector3 = { time in
    Vector3(sin(4 * time), sin(5.3 * time), sin(6.1 * time))
  }

  static func run(
    _ number: Int = 3, sick: Int, motion: @escaping (Scalar) -> Vector3 = moving,
    step: Scalar = 0, seconds: Scalar = 6, until end: Scalar = .infinity,
    _ fault: @escaping (Vector3, Scalar) -> Vector3?
  ) -> Result {
    var bench = GroupBench(
      members: SensorGroupTests.members([Scalar](repeating: 200, count: number)))
    bench.motion = motion
    for k in bench.members.indices { bench.members[k].step = step }
    bench.members[sick].sense = { value, time in
      time < 2 || time > end ? value : fault(value, time)
    }
    var group = bench.group()
    var result = Result()
    var (angle, last) = (Vector3.zero, Timestamp?.none)
    bench.run(&group, seconds: seconds) { combined, group in
      let time = Scalar(combined.time.seconds)
      let condition = group.condition(of: sick)
      if time >= 2, result.named == .good, !condition.isGood {
        result.named = condition.worst
        result.delay = (time - 2) / 0.005
      }
      for k in 0..<number where k != sick && !group.condition(of: k).isUsed { result.wronged += 1 }
      if group.isDisputed { result.disputed += 1 }
      let variance = combined.addedVariance
      result.largestVariance = max(
        result.largestVariance, max(variance.x, max(variance.y, variance.z)))
      guard time >= 2 else { return }
      let off = combined.value - motion(time)
      result.error = max(result.error, off.norm)
      if let last { angle += off * (combined.time - last).seconds }
      last = combined.time
      result.turn = max(result.turn, angle.norm)
    }
    result.isUsedAtEnd = group.condition(of: sick).isUsed
    result.stateAtEnd = group.condition(of: sick).worst
    result.count = group.condition(of: sick).count
    return result
  }

  @Test(arguments: [0, 1, 2])
  func `a jump of five degrees per second is named within two intervals of three`(sick: Int) {
    let result = Self.run(sick: sick) { value, _ in value + Vector3(0, 5 * degree, 0) }
    #expect(result.named == .biased)
    // Two of the sick one's, and the next sample of another to judge by.
    #expect(result.delay <= 3, "\(result.delay)")
    #expect(!result.isUsedAtEnd)
    #expect(result.wronged == 0)
    #expect(result.turn < 0.1 * degree, "\(result.turn / degree)")
  }

  @Test(arguments: [0, 1, 2])
  func `a slow error of one degree per second is found in motion`(sick: Int) {
    let result = Self.run(sick: sick) { value, _ in value + Vector3(0, 0, 1 * degree) }
    #expect(result.stateAtEnd == .biased)
    #expect(!result.isUsedAtEnd)
    #expect(result.wronged == 0)
    #expect(result.turn < 0.3 * degree, "\(result.turn / degree)")
  }

  @Test(arguments: [0, 1, 2])
  func `a sensor that is well again is used again, and both are counted`(sick: Int) {
    let result = Self.run(sick: sick, until: 3) { value, _ in value + Vector3(0, 5 * degree, 0) }
    #expect(result.isUsedAtEnd)
    #expect(result.count == 1)
    #expect(result.wronged == 0)
  }

  @Test(arguments: [2, 3], [0, 1])
  func `a sensor that returns after an outage is silent once and nothing else`(
    number: Int, sick: Int
  ) {
    let result = Self.run(number, sick: sick, seconds: 4, until: 3) { _, _ in nil }
    #expect(result.named == .silent)
    #expect(result.count == 1)
    #expect(result.stateAtEnd == .good)
    #expect(result.isUsedAtEnd)
    #expect(result.wronged == 0)
  }

  @Test(arguments: [2, 3], [0, 1])
  func `a glitch does not come out, and its sensor stays in use`(number: Int, sick: Int) {
    let result = Self.run(number, sick: sick) { value, time in
      abs(time - 3) < 0.0024 ? value + Vector3(20, 0, 0) : value
    }
    #expect(result.named == .glitching)
    #expect(result.isUsedAtEnd)
    #expect(result.error < 1 * degree, "\(result.error / degree)")
    #expect(result.wronged == 0)
  }

  @Test(arguments: [2, 3], [0, 1])
  func `a frozen sensor is named while the others move`(number: Int, sick: Int) {
    var bench = GroupBench(
      members: SensorGroupTests.members([Scalar](repeating: 200, count: number)))
    bench.motion = Self.moving
    var group = bench.group()
    bench.members[sick].noise = 0
    bench.members[sick].sense = { value, time in time < 2 ? value : Self.moving(2) }
    bench.run(&group, seconds: 4) { _, _ in }
    #expect(group.condition(of: sick).worst == .frozen)
    #expect(!group.condition(of: sick).isUsed)
    #expect((0..<number).allSatisfy { group.condition(of: $0).isUsed == ($0 != sick) })
  }

  @Test(arguments: [2, 3], [0, 1])
  func `ten times the noise is named by the samples of that sensor alone`(number: Int, sick: Int) {
    let noise = 10 * SensorGroupTests.noise
    var state = UInt64(1)
    let result = Self.run(number, sick: sick, motion: { _ in .zero }) { value, _ in
      func even() -> Scalar {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (Scalar(state >> 11) / 9_007_199_254_740_992 - 0.5) * 3.46 * noise
      }
      return value + Vector3(even(), even(), even())
    }
    #expect(!result.isUsedAtEnd)
    #expect(result.wronged == 0)
    #expect(result.turn < 0.1 * degree)
  }

  @Test func `values that no gyroscope has are left out`() {
    let result = Self.run(2, sick: 0) { _, _ in Vector3(.nan, 0, 0) }
    #expect(result.named == .implausible)
    #expect(!result.isUsedAtEnd)
    #expect(result.error < 1 * degree)
  }

  @Test func `two that differ slowly are both used, and the variance says so`() {
    // The offset grows within a second: neither jumps.
    let result = Self.run(2, sick: 1, motion: { _ in .zero }) { value, time in
      value + Vector3(min(time - 2, 1) * 6 * degree, 0, 0)
    }
    #expect(result.isUsedAtEnd)
    #expect(result.wronged == 0)
    #expect(result.disputed > 100, "\(result.disputed)")
    // The mean of two that differ by d is off by half of d.
    let half = 3 * degree
    #expect(abs(result.largestVariance.squareRoot() - half) < 0.2 * half)
  }

  @Test func `an axis at the end of one range is taken from the sensor with a wider one`() {
    var bench = GroupBench(members: SensorGroupTests.members([200, 200]))
    bench.motion = { time in Vector3(6 * sin(3 * time), 0, 0) }
    bench.members[0].noise = 0.001
    bench.members[0].sense = { value, _ in Vector3(min(max(value.x, -4), 4), value.y, value.z) }
    var group = SensorGroup(.rotationRate)
    var traits = bench.members[0].traits
    traits.range = SensorRange(end: 4.005)
    let alignment = SensorAlignment(rotationSigma: 0, timeOffsetSigma: 0.000_5)
    _ = group.add(traits, alignment)
    _ = group.add(bench.members[1].traits, alignment)
    bench.members[0].sense = { value, _ in
      Vector3(value.x > 4 ? 4.005 : value.x < -4 ? -4.005 : value.x, value.y, value.z)
    }
    bench.members[0].noise = 0
    var (worst, hasClipped) = (Scalar(0), false)
    let motion = bench.motion
    bench.run(&group, seconds: 10) { combined, group in
      let time = Scalar(combined.time.seconds)
      if time > 3 { worst = max(worst, (combined.value - motion(time)).norm) }
      if group.condition(of: 0).x == .clipping { hasClipped = true }
    }
    #expect(hasClipped)
    #expect(worst < 1 * degree, "\(worst / degree)")
    #expect(group.condition(of: 1).isGood)
  }

  /// The first chip is turned by 45 degrees about z: its x and y hold (x + y) and (y - x) over the
  /// square root of 2. At a force of 1.8 g on both of the device's axes its x is at 2 g instead of
  /// 2.55, though neither of the device's components reaches 2 g.
  @Test func `of a chip that is turned in the device both components end with an axis`() throws {
    let half = Scalar(0.5).squareRoot()
    let toChip = Matrix3(
      rows: Vector3(half, half, 0), Vector3(-half, half, 0), Vector3(0, 0, 1))
    var bench = GroupBench(members: SensorGroupTests.members([200, 200]))
    bench.motion = { time in Vector3(1.8, 1.8, 0) * sin(2 * time) }
    bench.members[0].noise = 0
    bench.members[0].sense = { value, _ in
      let own = toChip * value
      let x = min(max(own.x, -2), 2)
      return toChip.transposed * Vector3(x, own.y, own.z)
    }
    var group = SensorGroup(.acceleration)
    var traits = bench.members[0].traits
    traits.range = SensorRange(end: 2, matrix: toChip)
    _ = group.add(traits, SensorAlignment(rotationSigma: 0, timeOffsetSigma: 0.000_5))
    _ = group.add(bench.members[1].traits, SensorAlignment())
    var (worst, clipped, others) = (Scalar(0), 0, 0)
    let motion = bench.motion
    bench.run(&group, seconds: 10) { combined, group in
      let time = Scalar(combined.time.seconds)
      if time > 3 { worst = max(worst, (combined.value - motion(time)).norm) }
      let condition = group.condition(of: 0)
      if condition.x == .clipping, condition.y == .clipping, condition.z == .good { clipped += 1 }
      if ![.good, .clipping].contains(condition.worst) || !group.condition(of: 1).isGood {
        others += 1
      }
    }
    #expect(clipped > 200 && others == 0, "\(clipped), \(others)")
    #expect(worst < 0.05, "\(worst) g")
  }

  /// At a low rate each sample has much weight in the mean of the noise.
  @Test(arguments: [25, 50, 100, 400] as [Scalar])
  func `a sensor whose offset jumps is biased and never noisy`(rate: Scalar) {
    var bench = GroupBench(members: SensorGroupTests.members([rate, rate, rate]))
    bench.motion = { time in Vector3(0.8 * sin(2 * time), 0.3 * cos(time), 0) }
    bench.members[1].sense = { value, time in
      time < 5 ? value : value + Vector3(0.6, -0.6, 0)
    }
    var group = bench.group()
    var states: [SensorCondition.State] = []
    bench.run(&group, seconds: 12) { _, group in
      let worst = group.condition(of: 1).worst
      if worst != states.last { states.append(worst) }
    }
    #expect(states == [.good, .biased], "\(states)")
  }

  /// Held values have no noise; the sensors differ only in which began first.
  @Test func `of two sensors that both hold their values neither is frozen`() {
    for lag in 0..<25 {
      var group = SensorGroup(.rotationRate)
      var traits = SensorTraits(.rotationRate, interval: 0.005)
      traits.step = traits.noise
      for _ in 0..<2 { _ = group.add(traits) }
      for number in 0..<200 {
        for member in 0..<2 where member == 0 || number >= lag {
          let time = Timestamp(nanoseconds: Int64(number * 5_000_000 + member * 1_000_000))
          _ = group.add(.zero, at: time, from: member)
          for k in 0..<2 { #expect(group.condition(of: k).worst != .frozen) }
        }
      }
    }
  }

  @Test func `a sensor whose samples become rare is called slow and stays in use`() {
    var number = 0
    let result = Self.run(sick: 1) { value, _ in
      number += 1
      return number % 4 == 0 ? value : nil
    }
    #expect(result.named == .slow || result.named == .silent)
    #expect(result.wronged == 0)
    #expect(result.error < 1 * degree)
  }
}
