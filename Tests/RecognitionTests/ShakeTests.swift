// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recognition
import SeededRandom
import Testing

@Suite struct ShakeTests {
  typealias Event = (phase: ShakePhase, time: Double)

  /// Returns the events that are found in `felt(t)` over `duration` seconds.
  static func events(
    _ hz: Double, _ duration: Double, _ felt: (Double) -> Vector3
  ) -> [Event] {
    var recognizer = ShakeRecognizer()
    return (0..<Int(duration * hz)).compactMap { k in
      let t = Double(k) / hz
      return recognizer.update(felt(t), at: Timestamp(seconds: t)).map { ($0, t) }
    }
  }

  /// Returns a hand that shakes for `length` seconds from 2 s on: a sine of `peak` g along `axis`
  /// with rise and fall of 0.15 s, while the device, held askew, rocks by 0.3 rad, with noise.
  static func hand(
    _ frequency: Double, peak: Double, length: Double, axis: Vector3, seed: UInt64
  ) -> (Double) -> Vector3 {
    var random = SplitMix(state: seed)
    let start = Double.random(in: 0..<1, using: &random)
    let unit = axis.normalized ?? .zero
    return { t in
      let into = min((t - 2) / 0.15, (2 + length - t) / 0.15)
      let strength = max(0, min(1, into))
      let phase = 2 * Double.pi * (frequency * (t - 2) + start)
      let rock = 0.3 * strength * sin(phase + 0.5)
      let down = Vector3(sin(rock), -0.7 * cos(rock), -0.7 * cos(rock))
      return down + unit * (peak * strength * sin(phase)) + random.vector(0.03)
    }
  }

  static let axes = [
    Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(1, 1, 0.3), Vector3(-1, 0.4, 1),
  ]

  /// 3.5 to 7 Hz and 1.75 to 4 g (2 to 6 cm to either side) for a second: began and ended once,
  /// each in time.
  @Test(arguments: [25, 100, 400, 1600.0])
  func `a shake begins and ends once, each in time`(_ hz: Double) throws {
    for frequency in [3.5, 4, 5, 6] {
      for peak in [1.75, 2.5, 4] {
        for (index, axis) in Self.axes.enumerated() {
          let felt = Self.hand(
            frequency, peak: peak, length: 1.5, axis: axis, seed: UInt64(index + 1))
          let events = Self.events(hz, 6, felt)
          let what = "\(frequency) Hz, \(peak) g, axis \(index): \(events)"
          #expect(events.map(\.phase) == [.began, .ended], "\(what)")
          // It begins within three periods and the rise, and ends within the quiet time after the
          // last swing.
          #expect((2.2...(2.3 + 3 / frequency)).contains(events.first?.time ?? 0), "\(what)")
          #expect((3.6...4.1).contains(events.last?.time ?? 0), "\(what)")
        }
      }
    }
  }

  /// The slowest rate of boards still shows a strong shake of 4 Hz.
  @Test func `the slowest rate shows a strong shake`() {
    let felt = Self.hand(4, peak: 3, length: 1.5, axis: Vector3(1, 0, 0), seed: 5)
    #expect(Self.events(12.5, 6, felt).map(\.phase) == [.began, .ended])
  }

  /// A shake that continues is cancelled after three seconds, and no other is found until it has
  /// been quiet.
  @Test func `a shake is cancelled after three seconds`() throws {
    let felt = Self.hand(5, peak: 2.5, length: 8, axis: Vector3(1, 0.2, 0), seed: 2)
    let events = Self.events(100, 14, felt)
    #expect(events.map(\.phase) == [.began, .cancelled])
    let (first, last) = (try #require(events.first), try #require(events.last))
    #expect(abs(last.time - first.time - 3) < 0.02)
  }

  @Test func `a shake may follow a shake`() {
    let felt = Self.hand(5, peak: 2.5, length: 1, axis: Vector3(1, 0.2, 0), seed: 2)
    let events = Self.events(100, 10) { t in felt(t < 5 ? t : t - 3) }
    #expect(events.map(\.phase) == [.began, .ended, .began, .ended])
  }

  /// A gap ends a shake; so does a caller that knows that no samples will come.
  @Test func `a gap cuts a shake off`() {
    let felt = Self.hand(5, peak: 2.5, length: 3, axis: Vector3(1, 0.2, 0), seed: 2)
    var recognizer = ShakeRecognizer()
    var events: [Event] = []
    for k in 0..<600 where !(300..<360).contains(k) {
      let t = Double(k) / 100
      if let phase = recognizer.update(felt(t), at: Timestamp(seconds: t)) {
        events.append((phase, t))
      }
    }
    #expect(events.map(\.phase) == [.began, .cancelled, .began, .ended])
    #expect(events.count == 4 && events[1].time == 3.6)

    recognizer = ShakeRecognizer()
    #expect(recognizer.interrupt() == nil)
    for k in 0..<300 {
      _ = recognizer.update(felt(Double(k) / 100), at: Timestamp(seconds: Double(k) / 100))
    }
    #expect(recognizer.isShaking)
    #expect(recognizer.interrupt() == .cancelled && !recognizer.isShaking)
    #expect(recognizer.interrupt() == nil)
  }

  /// Other strong motions: a bump, putting it on a table, a throw and catch, a turn, a steady
  /// tremble below 1 g.
  @Test(arguments: [25, 100, 1600.0])
  func `a bump, a throw, a turn and a tremble are no shake`(_ hz: Double) {
    func quiet(_ name: String, _ felt: (Double) -> Vector3) {
      let events = Self.events(hz, 8, felt)
      #expect(events.isEmpty, "\(name) at \(hz) Hz: \(events)")
    }
    let down = Vector3(0.1, -0.2, -0.97)
    func burst(_ t: Double, _ at: Double, _ peak: Double, _ ring: Double, _ decay: Double) -> Double
    {
      t < at ? 0 : peak * exp(-(t - at) / decay) * cos(2 * .pi * ring * (t - at))
    }
    // Impacts vibrate at tens of hertz and end within 50 ms.
    quiet("a bump") { t in down + Vector3(0.4, 0.1, 1) * burst(t, 2, 8, 40, 0.03) }
    quiet("two taps") { t in
      down + Vector3(0, 0, 1) * (burst(t, 2, 5, 60, 0.02) + burst(t, 2.25, 5, 60, 0.02))
    }
    quiet("set down") { t in
      let lowering = t > 1.5 && t < 2 ? 0.3 * sin(2 * .pi * (t - 1.5) / 0.5) : 0
      return down + Vector3(0, 0, 1) * (lowering + burst(t, 2, 4, 25, 0.04))
    }
    quiet("thrown and caught") { t in
      if t > 2, t < 2.2 { return down * 2.5 }
      if t >= 2.2, t < 2.8 { return .zero }
      if t >= 2.8, t < 2.95 { return down * 3.5 }
      return down
    }
    quiet("turned over") { t in
      let angle = .pi * max(0, min(1, (t - 2) / 0.4))
      return Quaternion(angle: angle, axis: Vector3(0, 1, 0)).rotate(down)
    }
    quiet("a tremble") { t in down + Vector3(1, 0, 0) * (0.9 * sin(2 * .pi * 5 * t)) }
    quiet("a pump of 2 Hz") { t in down + Vector3(1, 0, 0) * (3 * sin(2 * .pi * 2 * t)) }
  }

  /// People and a car without a shake.
  @Test(arguments: ["walk-hand", "run-wrist", "drive"])
  func `walking, running and driving are no shake`(_ name: String) throws {
    var recognizer = ShakeRecognizer()
    let rows = try recording(name)
    let phases = rows.compactMap { recognizer.update(Vector3($0.values), at: $0.time) }
    #expect(phases.isEmpty && rows.count > 900)
  }

  /// The same people, who also shake for a second: it is found there and nowhere else. This shows
  /// that shakes can be found in these recordings at all.
  @Test(arguments: ["walk-hand", "drive"])
  func `a shake in a walk or a drive is found where it is`(_ name: String) throws {
    var recognizer = ShakeRecognizer()
    var events: [Event] = []
    for row in try recording(name) {
      let t = row.time.seconds
      let strength = t > 10 && t < 11.5 ? 3.0 : 0
      let felt = Vector3(row.values) + Vector3(0.7, 0.7, 0.14) * (strength * sin(2 * .pi * 4.5 * t))
      if let phase = recognizer.update(felt, at: row.time) { events.append((phase, t)) }
    }
    #expect(events.map(\.phase) == [.began, .ended], "\(events)")
    #expect((10...11.5).contains(events.first?.time ?? 0))
  }

  @Test func `samples out of order change no shake`() {
    var recognizer = ShakeRecognizer()
    let felt = Self.hand(5, peak: 2.5, length: 1.5, axis: Vector3(1, 0.2, 0), seed: 2)
    var phases: [ShakePhase] = []
    for k in 0..<600 {
      let t = Double(k) / 100
      let time = Timestamp(seconds: t)
      if let phase = recognizer.update(felt(t), at: time) { phases.append(phase) }
      // Invalid values in between.
      #expect(recognizer.update(Vector3(.nan, 9, 0), at: time + .milliseconds(2)) == nil)
      #expect(recognizer.update(Vector3(99, 0, 0), at: time - .milliseconds(300)) == nil)
    }
    #expect(phases == [.began, .ended])
  }
}
