// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Redundancy
import Testing

struct SensorGroupTests {
  static let noise = 0.1 * degree

  static func members(_ rates: [Scalar], batch: Int = 1) -> [SimulatedMember] {
    rates.enumerated().map { index, rate in
      // One density for all.
      SimulatedMember(
        rate: rate, phase: 0.37 * Scalar(index).truncatingRemainder(dividingBy: 1),
        noise: noise * (rate / 200).squareRoot(), batch: batch)
    }
  }

  @Test(
    arguments: [
      [200, 200], [200, 200, 200, 200], [100, 400], [1000, 100], [1000, 400, 200, 100],
    ] as [[Scalar]])
  func `the density of white noise falls with the root of the number`(rates: [Scalar]) {
    var bench = GroupBench(members: Self.members(rates))
    var group = bench.group()
    var (means, sum, count, block) = ([Vector3](), Vector3.zero, Scalar(0), 0)
    bench.run(&group, seconds: 150) { combined, _ in
      let now = Int(combined.time.seconds / 0.5)
      if now != block {
        if now > 10 { means.append(sum / count) }
        (sum, count, block) = (.zero, 0, now)
      }
      sum += combined.value
      count += 1
    }
    var square = Scalar(0)
    for (a, b) in zip(means, means.dropFirst()) { square += (b - a).dot(b - a) }
    // Half of the mean square difference of neighbours, of three axes; variance times time is the
    // density.
    let density = (square / Scalar(6 * (means.count - 1)) * 0.5).squareRoot()
    let one = Self.noise / Scalar(200).squareRoot()
    let formula = one / Scalar(rates.count).squareRoot()
    #expect(abs(density / formula - 1) < 0.05, "\(density / formula)")
  }

  @Test func `the integral is that of the motion, whatever the rates and phases`() {
    var bench = GroupBench(members: [
      SimulatedMember(rate: 200, phase: 0, noise: 0),
      SimulatedMember(rate: 90, phase: 0.4, noise: 0),
      SimulatedMember(rate: 170, phase: 0.8, noise: 0),
    ])
    for k in bench.members.indices { bench.members[k].noise = 1e-6 }
    bench.motion = { time in
      Vector3(2 * sin(5 * time), 1.5 * cos(3 * time) - 1.5, sin(11 * time))
    }
    var group = bench.group()
    var (angle, last) = (Vector3.zero, Combined?.none)
    var worst = Scalar(0)
    bench.run(&group, seconds: 20) { combined, _ in
      defer { last = combined }
      guard let last else { return }
      angle += (combined.value + last.value) * (0.5 * (combined.time - last.time).seconds)
      let t = Scalar(combined.time.seconds)
      let truth = Vector3(
        2 * (1 - cos(5 * t)) / 5, 1.5 * sin(3 * t) / 3 - 1.5 * t, (1 - cos(11 * t)) / 11)
      worst = max(worst, (angle - truth).norm)
    }
    // Trapezoids of 5.9 ms leave a thousandth of this motion's radian.
    #expect(worst < 0.002, "\(worst / degree)")
  }

  @Test func `scale and offset become the mean of the members, weighted by their errors`() {
    var bench = GroupBench(members: Self.members([200, 200]))
    bench.motion = { time in
      time < 2 ? .zero : Vector3(2 * sin(4 * time), 2 * sin(5.3 * time), 2 * sin(6.1 * time))
    }
    bench.members[0].sense = { value, _ in 1.02 * value + Vector3(2 * degree, 0, 0) }
    bench.members[1].sense = { value, _ in 0.98 * value }
    var group = bench.group()
    var (product, square, still, number) = (Scalar(0), Scalar(0), Vector3.zero, Scalar(0))
    let motion = bench.motion
    bench.run(&group, seconds: 30) { combined, _ in
      let time = Scalar(combined.time.seconds)
      if time > 1, time < 2 {
        still += combined.value
        number += 1
      }
      guard time > 10 else { return }
      product += combined.value.y * motion(time).y
      square += motion(time).y * motion(time).y
    }
    #expect(abs(product / square - 1) < 0.002, "\(product / square)")
    #expect(abs(still.x / number / degree - 1) < 0.05, "\(still.x / number / degree)")
  }

  @Test(arguments: [0, 1, 2])
  func `a member that falls silent leaves no gap over two intervals`(sick: Int) {
    var bench = GroupBench(members: Self.members([200, 200, 200]))
    bench.members[sick].sense = { value, time in time < 5 ? value : nil }
    var group = bench.group()
    var (gap, last) = (Scalar(0), Timestamp?.none)
    bench.run(&group, seconds: 10) { combined, _ in
      if let last { gap = max(gap, (combined.time - last).seconds) }
      last = combined.time
    }
    #expect(gap <= 2 * 0.005 * 1.001, "\(gap)")
    #expect(group.condition(of: sick).worst == .silent)
    #expect((0..<3).allSatisfy { group.condition(of: $0).isUsed == ($0 != sick) })
  }

  @Test func `values go forward in time, one for each sample of the lead, when queues are read`() {
    var bench = GroupBench(members: Self.members([200, 190], batch: 16))
    var group = bench.group()
    var (count, last, isForward) = (0, Timestamp(nanoseconds: -1), true)
    bench.run(&group, seconds: 20) { combined, _ in
      if combined.time <= last { isForward = false }
      last = combined.time
      count += 1
    }
    #expect(isForward)
    #expect(count > 3700 && count <= 4000, "\(count)")
  }

  @Test func `a sample older than the newest of its member is not used`() {
    var group = GroupBench(members: Self.members([200, 200])).group()
    let early = Timestamp(seconds: 1)
    #expect(group.add(.zero, at: early, from: 0) != nil)
    #expect(group.add(.zero, at: early, from: 0) == nil)
    #expect(group.add(.zero, at: early - .milliseconds(1), from: 0) == nil)
    #expect(group.add(.zero, at: early, from: 7) == nil)
  }

  @Test func `a group holds eight members`() {
    var group = SensorGroup(.rotationRate)
    for k in 0..<8 { #expect(group.add(SensorTraits(.rotationRate, interval: 0.01)) == k) }
    #expect(group.add(SensorTraits(.rotationRate, interval: 0.01)) == nil)
  }
}
