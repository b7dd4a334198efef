// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Sensors
import BringUp
import Simulation
import Boards
import Testing

@Suite struct KnownNoiseTests {
  /// Returns one hour of a gyroscope at rest, four samples per second.
  private static func hour(_ process: KnownNoise.Process, seed: UInt64) -> [[Double]] {
    let world = HeldWorld(Sample(timestamp: .zero, channels: .rotationRate))
    let chip = ChipInput(
      world, mounting: Mounting(), known: KnownNoise([.rotationRate: process]), seed: seed)
    var axes: [[Double]] = [[], [], []]
    for index in 1...14_400 as ClosedRange<Int64> {
      let rate = chip.reading(at: Timestamp(nanoseconds: index * 250_000_000)).rotationRate
      axes[0].append(rate.x)
      axes[1].append(rate.y)
      axes[2].append(rate.z)
    }
    return axes
  }

  /// The formulas are from IEEE Std 952-1997: N / sqrt(tau) for white noise, where N is the density
  /// over sqrt(2); 0.664 B for flicker noise; K sqrt(tau / 3) for a random walk.
  @Test func `the true Allan deviation is that of the standard`() {
    let white = KnownNoise.Process(density: 0.02)
    #expect(abs(white.allanDeviation(at: 4, sampledEvery: 0.01) - 0.0070710678) < 1e-9)
    let walk = KnownNoise.Process(randomWalk: 0.001)
    #expect(abs(walk.allanDeviation(at: 300, sampledEvery: 0.01) - 0.01) < 1e-10)
    let flicker = KnownNoise.Process(instability: 2)
    for time in [10, 30, 100, 300, 1000.0] {
      #expect(abs(flicker.allanDeviation(at: time, sampledEvery: 0.01) / (2 * 0.664282) - 1) < 0.01)
    }
    // At 0.01 of 16384 s the computation changes from a formula to a series, without a step.
    let below = flicker.allanDeviation(at: 163.83, sampledEvery: 0.01)
    let above = flicker.allanDeviation(at: 163.85, sampledEvery: 0.01)
    #expect(abs(below / above - 1) < 1e-4)
    let all = KnownNoise.Process(density: 0.02, instability: 2, randomWalk: 0.001)
    let squares = [white, walk, flicker].map { $0.allanDeviation(at: 50, sampledEvery: 0.01) }.map {
      $0 * $0
    }
    #expect(
      abs(all.allanDeviation(at: 50, sampledEvery: 0.01) - squares.reduce(0, +).squareRoot())
        < 1e-12)
  }

  /// Tests each kind of noise alone and all together: within 10 percent where an hour suffices for
  /// that, and up to a tenth of the hour within four standard deviations of the estimator.
  @Test(arguments: [
    KnownNoise.Process(density: 0.01, instability: 0.01),
    KnownNoise.Process(density: 0.01, instability: 0.01, randomWalk: 0.001),
  ])
  func `an hour has the Allan deviation that was asked for`(process: KnownNoise.Process) {
    for (axis, values) in Self.hour(process, seed: 4).enumerated() {
      let allan = AllanDeviation(of: values, interval: 0.25)
      var certain = 0
      for point in allan.points where point.averagingTime <= 360 {
        let error =
          point.deviation
          / process.allanDeviation(
            at: point.averagingTime, sampledEvery: 0.25) - 1
        #expect(abs(error) < 4 * point.relativeError, "\(axis) \(point) \(error)")
        guard point.degreesOfFreedom >= 400 else { continue }
        certain += 1
        #expect(abs(error) < 0.1, "\(axis) \(point) \(error)")
      }
      #expect(certain >= 8)
      // The bias instability is given by the lowest point of the true curve.
      let lowest = allan.points.map {
        process.allanDeviation(at: $0.averagingTime, sampledEvery: 0.25)
      }.min()
      let found = NoiseCoefficients(allan).instability
      let error = (found?.value ?? 0) * 0.664282 / (lowest ?? 0) - 1
      #expect(abs(error) < 0.1, "\(axis) \(error)")
      #expect(found?.isBound == false)
    }
  }

  @Test func `white noise follows the sample rate`() {
    let world = HeldWorld(Sample(timestamp: .zero, channels: .acceleration))
    for rate in [10, 1000] as [Int64] {
      let chip = ChipInput(
        world, mounting: Mounting(),
        known: KnownNoise([.acceleration: .init(density: 0.001)]), seed: 8)
      var moments = Moments()
      for index in 1...4000 as ClosedRange<Int64> {
        let time = Timestamp(nanoseconds: index * 1_000_000_000 / rate)
        moments.add(chip.reading(at: time).specificForce.y)
      }
      // The standard deviation is 0.001 times the root of half the rate.
      let truth = 0.001 * (Double(rate) / 2).squareRoot()
      #expect(abs(moments.standardDeviation / truth - 1) < 0.05)
    }
  }

  @Test func `a second reading of a moment is the same, and a seed repeats itself`() {
    let noise = KnownNoise([
      .pressure: .init(density: 1), .magneticField: .init(density: 1, instability: 1),
    ])
    func chip(_ seed: UInt64) -> ChipInput {
      let world = HeldWorld(
        Sample(timestamp: .zero, channels: [.pressure, .magneticField, .acceleration]))
      return ChipInput(world, mounting: Mounting(), known: noise, seed: seed)
    }
    let first = chip(1)
    let time = Timestamp(nanoseconds: 5_000_000_000)
    let reading = first.reading(at: time)
    #expect(first.reading(at: time) == reading)
    #expect(chip(1).reading(at: time) == reading)
    #expect(chip(2).reading(at: time) != reading)
    #expect(reading.specificForce == .zero && reading.pressure != 0)
  }
}
