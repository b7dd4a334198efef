// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Testing

/// Sines of known amplitude pass the decimator.
@Suite struct DecimatorTests {
  /// Returns the output for a sine of 1 g at `frequency` in x and a constant in z; `jitter` is a
  /// fraction of the period.
  static func sine(
    _ frequency: Double, rate: Double, to output: Double = 50, jitter: Double = 0,
    seconds: Double = 6
  ) -> [TimedAcceleration] {
    var decimator = Decimator(from: rate, to: output)
    var random = Generator(state: 7)
    var samples: [TimedAcceleration] = []
    for index in 0..<Int(seconds * rate) {
      let late = jitter * Double.random(in: -0.5...0.5, using: &random)
      let time = TimeSpan(seconds: (Double(index) + late) / rate + 3)
      let value = sin(2 * .pi * frequency * time.seconds)
      decimator.add(
        TimedAcceleration(
          timestamp: .zero + time, acceleration: Vector3(value, 0, -1))
      ) { samples.append($0) }
    }
    return samples
  }

  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      // The generator of Knuth, The Art of Computer Programming, volume 2, 3.3.4, line 26.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test(arguments: [52.0, 100, 104, 119, 200, 833, 1000, 6660])
  func `samples come on the grid and keep a slow sine`(_ rate: Double) throws {
    let samples = Self.sine(3, rate: rate)
    // 6 s less the filter's length on both sides.
    #expect((275...278).contains(samples.count), "\(samples.count)")
    for (a, b) in zip(samples, samples.dropFirst()) {
      #expect((b.timestamp - a.timestamp).nanoseconds == 20_000_000)
    }
    for sample in samples {
      #expect(abs(sample.acceleration.z + 1) < 1e-12)
      // 3 Hz passes unchanged and without delay.
      let truth = sin(2 * .pi * 3 * sample.timestamp.seconds)
      #expect(abs(sample.acceleration.x - truth) < 0.002, "\(rate)")
    }
  }

  /// Below a third of the new rate amplitudes are kept; above half of it nothing remains that could
  /// alias.
  @Test(arguments: [100.0, 119, 1000])
  func `below a third of the new rate amplitudes stay, and nothing aliases`(_ rate: Double) {
    for frequency in [0.5, 5, 10, 16] {
      let worst =
        Self.sine(frequency, rate: rate).map {
          abs($0.acceleration.x - sin(2 * .pi * frequency * $0.timestamp.seconds))
        }.max() ?? 1
      #expect(worst < 0.005, "\(frequency) Hz at \(rate): \(worst)")
    }
    for frequency in stride(from: 25.5, to: rate - 25, by: 7.3) {
      let worst = Self.sine(frequency, rate: rate).map { abs($0.acceleration.x) }.max() ?? 1
      // The limit is 60 dB.
      #expect(worst < 0.0012, "\(frequency) Hz at \(rate): \(worst)")
    }
  }

  @Test func `uneven times cost no amplitude`() {
    let worst =
      Self.sine(4, rate: 1000, jitter: 0.5).map {
        abs($0.acceleration.x - sin(2 * .pi * 4 * $0.timestamp.seconds))
      }.max() ?? 1
    #expect(worst < 0.005, "\(worst)")
  }

  /// A gap stays a gap, and times stay on the grid of the new rate.
  @Test func `a gap stays a gap, and times stay on the grid`() {
    var decimator = Decimator(from: 200, to: 50)
    var times: [Int64] = []
    for index in 0..<2000 where !(800..<1000).contains(index) {
      decimator.add(
        TimedAcceleration(
          timestamp: Timestamp(nanoseconds: Int64(index) * 5_000_000), acceleration: .zero)
      ) { times.append($0.timestamp.nanoseconds) }
    }
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(steps.count { $0 != 20_000_000 } == 1)
    #expect(steps.allSatisfy { $0 % 20_000_000 == 0 })
    // The second without samples, and 0.23 s on either side.
    let gap = steps.max() ?? 0
    #expect((1_440_000_000...1_500_000_000).contains(gap), "\(gap)")
  }
}
