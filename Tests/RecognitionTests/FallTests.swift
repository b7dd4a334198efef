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

/// Falls by their physics: reduced weight, impact, rotation, stillness. Played falls are in
/// FallBench and docs/movement.md.
@Suite struct FallTests {
  static let upright = Vector3(0, -1, 0)
  static let flat = Vector3(0, 0, -1)

  /// Returns the acceleration of a person who stands, loses `weight` g for 0.5 s from 5 s on, has
  /// an impact of `blow` g at 5.5 s, and then lies as `after`.
  static func fall(
    weight: Double = 0.5, blow: Double = 4, after: Vector3 = flat, seed: UInt64 = 1
  ) -> (Double) -> Vector3 {
    var random = SplitMix(state: seed)
    return { time in
      let noise = random.vector(0.02)
      if time < 5 { return upright + noise }
      if time < 5.5 { return (1 - weight) * upright + noise }
      if time < 5.55 { return blow * (upright + flat) / 2.0.squareRoot() + noise }
      return after + noise
    }
  }

  static func reported(
    _ hz: Double, _ duration: Double, _ felt: (Double) -> Vector3
  ) -> [(fall: Fall, time: Double)] {
    var recognizer = PersonFallRecognizer()
    return (0..<Int(duration * hz)).compactMap { number in
      let time = Double(number) / hz
      return recognizer.update(felt(time), at: Timestamp(seconds: time)).map { ($0, time) }
    }
  }

  @Test(arguments: [25, 50, 100, 400.0])
  func `a fall is reported three seconds after the impact, and that the person stayed down`(
    _ hz: Double
  ) throws {
    let reported = Self.reported(hz, 80, Self.fall())
    try #require(reported.count == 2)
    let (first, second) = (reported[0], reported[1])
    #expect(abs(first.time - 8.5) < 0.2 && first.fall.aftermath == .unknown)
    #expect(
      abs(first.fall.timestamp.seconds - 5.53) < 0.05 && (2...4.1).contains(first.fall.impact))
    #expect(abs(first.fall.turn - .pi / 2) < 0.05)
    #expect(abs(second.time - 68.6) < 0.5 && second.fall.aftermath == .stayedDown)
    #expect(second.fall.timestamp == first.fall.timestamp)
  }

  @Test func `a person who rises within the minute is reported to have risen`() throws {
    let down = Self.fall()
    let reported = Self.reported(100, 60) { $0 < 30 ? down($0) : Self.upright }
    try #require(reported.count == 2)
    #expect(reported[1].fall.aftermath == .roseAgain && abs(reported[1].time - 32) < 0.5)
  }

  @Test func `a hard impact of a movement that continues is no fall`() {
    var random = SplitMix(state: 3)
    // Jumps, and a run that ends in standing.
    let reported = Self.reported(100, 40) { time in
      guard time < 30 else { return Self.upright + random.vector(0.02) }
      let phase = 2 * Double.pi * 2.5 * time
      return (1 + 2.5 * max(0, sin(phase)) - 0.9 * max(0, -sin(phase))) * Self.upright
        + random.vector(0.1)
    }
    #expect(reported.isEmpty)
  }

  @Test func `dropping into a chair, or lying down gently, is no fall`() {
    #expect(Self.reported(100, 20, Self.fall(blow: 4, after: Self.upright)).isEmpty)
    #expect(Self.reported(100, 20, Self.fall(blow: 1.5)).isEmpty)
  }

  @Test func `a person who moves on after an impact did not fall`() {
    let fall = Self.fall()
    let reported = Self.reported(100, 20) {
      fall($0) + ($0 > 6 ? 0.5 * sin(9 * $0) * Self.upright : .zero)
    }
    #expect(reported.isEmpty)
  }

  /// A drop from 1.2 m, from the hand to the floor: 0.5 s without weight.
  @Test func `a device that is dropped is no fall of its bearer`() {
    #expect(Self.reported(100, 20, Self.fall(weight: 0.9, blow: 8)).isEmpty)
    #expect(Self.reported(100, 20, Self.fall(weight: 0.55, blow: 8)).count == 1)
  }

  @Test func `a sensor that falls silent leaves the aftermath unknown`() throws {
    var recognizer = PersonFallRecognizer()
    let felt = Self.fall()
    var reported: [Fall] = []
    for number in 0..<1200 {
      let time = Double(number) / 100
      let pause = time > 10 ? 3.0 : 0
      if let fall = recognizer.update(felt(time), at: Timestamp(seconds: time + pause)) {
        reported.append(fall)
      }
    }
    #expect(reported.map(\.aftermath) == [.unknown, .unknown])
    #expect(recognizer.interrupt() == nil)
  }

  @Test(.enabled(if: isOptimised, "unoptimised code allocates"))
  func `a sample allocates nothing`() {
    var recognizer = PersonFallRecognizer()
    let samples = (0..<3000).map { Self.fall()(Double($0) / 100) }
    var reported = 0
    let before = otolith_allocations_of_thread()
    for number in samples.indices {
      let time = Timestamp(seconds: Double(number) / 100)
      if recognizer.update(samples[number], at: time) != nil { reported += 1 }
    }
    let count = otolith_allocations_of_thread() - before
    #expect(count == 0 && reported == 1)
  }
}
