// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import Foundation
import Quantities
import Recognition
import SeededRandom
import Testing

@Suite struct OrientationTests {
  /// The accelerometer's values at rest in each orientation, from Apple's documents.
  static let atRest: [(Vector3, DeviceOrientation)] = [
    (Vector3(0, -1, 0), .portrait), (Vector3(0, 1, 0), .portraitUpsideDown),
    (Vector3(-1, 0, 0), .landscapeLeft), (Vector3(1, 0, 0), .landscapeRight),
    (Vector3(0, 0, -1), .faceUp), (Vector3(0, 0, 1), .faceDown),
  ]

  @Test func `raw values are those of UIKit`() {
    #expect(DeviceOrientation.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
    let portrait = DeviceOrientation.allCases.filter { $0.isPortrait }
    #expect(portrait == [.portrait, .portraitUpsideDown])
    #expect(DeviceOrientation.allCases.filter { $0.isLandscape }.map(\.rawValue) == [3, 4])
    #expect(DeviceOrientation.allCases.filter { $0.isFlat } == [.faceUp, .faceDown])
    let drawable = DeviceOrientation.allCases.filter { $0.isValidInterfaceOrientation }
    #expect(drawable.map(\.rawValue) == [1, 2, 3, 4])
  }

  @Test func `the first sample at rest gives an orientation`() {
    for (acceleration, orientation) in Self.atRest {
      var recognizer = OrientationRecognizer()
      #expect(recognizer.orientation == .unknown)
      #expect(recognizer.update(acceleration, at: .zero) == orientation)
      #expect(recognizer.orientation == orientation)
    }
  }

  /// A first sample during motion is not accepted, but the following rest is.
  @Test func `a first sample in motion is not trusted`() {
    var recognizer = OrientationRecognizer()
    #expect(recognizer.update(Vector3(1.5, 0.8, 0), at: .zero) == nil)
    var answer: (DeviceOrientation, Double)?
    for k in 1...200 where answer == nil {
      let time = Timestamp(seconds: Double(k) / 100)
      if let new = recognizer.update(Vector3(0, -1, 0), at: time) { answer = (new, time.seconds) }
    }
    #expect(answer?.0 == .portrait)
    #expect((0.2...1).contains(answer?.1 ?? 0), "\(answer?.1 ?? 0)")
  }

  /// Rotates `from` slowly about `axis` and back, and returns the angles in degrees at which the
  /// orientation changed.
  static func sweep(
    _ from: Vector3, about axis: Vector3, to end: Double, hz: Double
  ) -> [(angle: Double, new: DeviceOrientation)] {
    var recognizer = OrientationRecognizer()
    var changes: [(Double, DeviceOrientation)] = []
    var k = 0.0
    // A third of a degree per second, so that filter and dwell add less than half a degree.
    func turn(_ angle: Double) {
      let down = Quaternion(angle: angle * .pi / 180, axis: axis).rotate(from)
      if let new = recognizer.update(down, at: Timestamp(seconds: k / hz)) {
        changes.append((angle, new))
      }
      k += 1
    }
    let steps = Int(end * hz * 3)
    for step in 0...steps { turn(Double(step) / hz / 3) }
    for step in 0...steps { turn(end - Double(step) / hz / 3) }
    return changes
  }

  /// Around the four edges and back: each change is 22.5 degrees beyond the middle, in both
  /// directions.
  @Test(arguments: [12.5, 100])
  func `each edge comes well beyond halfway, in both directions`(_ hz: Double) {
    let changes = Self.sweep(Vector3(0, -1, 0), about: Vector3(0, 0, 1), to: 360, hz: hz)
    // Down turns from -y over +x to +y and -x.
    let forth: [DeviceOrientation] = [
      .portrait, .landscapeRight, .portraitUpsideDown, .landscapeLeft, .portrait,
    ]
    let back = forth.reversed().dropFirst()
    #expect(changes.map(\.new) == forth + back)
    let angles: [Double] = [0, 67.5, 157.5, 247.5, 337.5, 292.5, 202.5, 112.5, 22.5]
    for (change, expected) in zip(changes, angles) {
      #expect(abs(change.angle - expected) < 0.6, "\(change.angle) for \(expected)")
    }
  }

  /// From flat to standing on each edge, over to the other face and back: flat within 15 degrees,
  /// upright from 25.
  @Test func `flat holds within 15 degrees, upright from 25`() {
    for (down, edge) in Self.atRest where !edge.isFlat {
      let axis = Vector3(0, 0, -1).cross(down)
      let changes = Self.sweep(Vector3(0, 0, -1), about: axis, to: 180, hz: 25)
      #expect(changes.map(\.new) == [.faceUp, edge, .faceDown, edge, .faceUp])
      for (change, expected) in zip(changes, [0.0, 25, 165, 155, 15]) {
        #expect(abs(change.angle - expected) < 0.6, "\(edge): \(change.angle) for \(expected)")
      }
    }
  }

  /// All edges are equivalent: a sweep rotated by quarter turns gives the rotated results.
  @Test func `no edge is preferred`() {
    let ring: [DeviceOrientation] = [
      .portrait, .landscapeRight, .portraitUpsideDown, .landscapeLeft,
    ]
    var random = SplitMix(state: 11)
    // A path of a hand that rotates slowly and randomly over all directions.
    var path: [Vector3] = []
    var down = Vector3(0, -1, 0)
    var rate = Vector3.zero
    for _ in 0..<60_000 {
      rate = 0.999 * rate + random.vector(0.015)
      let turn = Quaternion(angle: rate.norm * 0.01, axis: rate.normalized ?? Vector3(1, 0, 0))
      down = turn.rotate(down)
      path.append(down)
    }
    func answers(_ quarters: Int) -> [(Int, DeviceOrientation)] {
      var recognizer = OrientationRecognizer()
      return path.enumerated().compactMap { k, down in
        var turned = down
        for _ in 0..<quarters { turned = Vector3(-turned.y, turned.x, turned.z) }
        return recognizer.update(turned, at: Timestamp(seconds: Double(k) / 100)).map { (k, $0) }
      }
    }
    let plain = answers(0)
    #expect(Set(plain.map(\.1)).count == 6 && plain.count > 20)
    for quarters in 1...3 {
      let expected = plain.map { entry in
        (entry.0, ring.firstIndex(of: entry.1).map { ring[($0 + quarters) % 4] } ?? entry.1)
      }
      let turned = answers(quarters)
      #expect(turned.map(\.0) == expected.map(\.0) && turned.map(\.1) == expected.map(\.1))
    }
  }

  /// Walking: 1.8 steps per second of a third of a g, a hand that sways by 12 degrees, and noise,
  /// in any direction away from a threshold. Only the first orientation is reported.
  @Test(arguments: [12.5, 50, 100, 1600]) func `walking changes no orientation`(_ hz: Double) {
    var random = SplitMix(state: 3)
    for (down, orientation) in Self.atRest {
      var recognizer = OrientationRecognizer()
      var changes: [DeviceOrientation] = []
      for k in 0..<Int(min(60 * hz, 20_000)) {
        let t = Double(k) / hz
        let phase = 2 * Double.pi * 1.8 * t
        let sway = Quaternion(
          angle: 0.21 * sin(phase / 2), axis: Vector3(0.3, 0.9, 0.3).normalized ?? .zero)
        let step = down * (0.3 * sin(phase) + 0.15 * sin(2 * phase + 1))
        let side = Vector3(down.y, down.z, down.x) * (0.15 * sin(phase / 2 + 0.4))
        let felt = sway.rotate(down + step + side) + random.vector(0.05)
        if let new = recognizer.update(felt, at: Timestamp(seconds: t)) { changes.append(new) }
      }
      #expect(changes == [orientation], "\(hz) Hz")
    }
  }

  /// A person who reads while walking holds a phone near the threshold between flat and upright: it
  /// may change once, and then stays.
  @Test func `walking and reading near a threshold settles once`() {
    var random = SplitMix(state: 8)
    for degrees in stride(from: 14.0, through: 26, by: 2) {
      var recognizer = OrientationRecognizer()
      var changes = 0
      let tilt = degrees * .pi / 180
      let down = Vector3(0, -sin(tilt), -cos(tilt))
      for k in 0..<6000 {
        let t = Double(k) / 100
        let phase = 2 * Double.pi * 1.8 * t
        let step = down * (0.3 * sin(phase)) + Vector3(0, 0.35 * sin(phase + 1), 0)
        let sway = Quaternion(angle: 0.12 * sin(phase / 2), axis: Vector3(1, 0, 0))
        let felt = sway.rotate(down + step) + random.vector(0.05)
        if recognizer.update(felt, at: Timestamp(seconds: t)) != nil { changes += 1 }
      }
      #expect((1...2).contains(changes), "\(degrees) degrees: \(changes)")
    }
  }

  /// A phone in the hand of a person who walks.
  @Test func `a recorded walk changes no orientation`() throws {
    var recognizer = OrientationRecognizer()
    var changes: [DeviceOrientation] = []
    for row in try recording("walk-hand") {
      if let new = recognizer.update(Vector3(row.values), at: row.time) { changes.append(new) }
    }
    #expect(changes.count == 1, "\(changes)")
  }

  /// Shaken by 2 g at 4 Hz in any direction, the orientation is kept.
  @Test func `shaking changes no orientation`() {
    for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(0.6, 0.6, 0.5)] {
      var recognizer = OrientationRecognizer()
      var changes: [DeviceOrientation] = []
      for k in 0..<1000 {
        let t = Double(k) / 100
        let shake = t > 1 && t < 9 ? 2 * sin(2 * .pi * 4 * t) : 0
        let felt = Vector3(0, -0.9, -0.436) + axis * shake
        if let new = recognizer.update(felt, at: Timestamp(seconds: t)) { changes.append(new) }
      }
      #expect(changes == [.portrait])
    }
  }

  /// In free fall and after it there is no change while nothing is known.
  @Test func `free fall changes no orientation`() {
    var recognizer = OrientationRecognizer()
    var changes: [Double] = []
    for k in 0..<400 {
      let t = Double(k) / 100
      let felt = t < 1 ? Vector3(0, -1, 0) : t < 1.6 ? Vector3(0.01, 0, 0) : Vector3(0, 0, -1)
      if recognizer.update(felt, at: Timestamp(seconds: t)) != nil { changes.append(t) }
    }
    #expect(changes.count == 2 && changes.first == 0)
    #expect((2.6...3.4).contains(changes.last ?? 0), "\(changes)")
  }

  @Test func `samples without direction or from the past change no orientation`() {
    var recognizer = OrientationRecognizer()
    #expect(recognizer.update(Vector3(0, -1, 0), at: Timestamp(seconds: 10)) == .portrait)
    // NaN, no direction, and a time in the past.
    #expect(recognizer.update(Vector3(.nan, 0, 1), at: Timestamp(seconds: 10.1)) == nil)
    #expect(recognizer.update(Vector3(0, .infinity, 0), at: Timestamp(seconds: 10.2)) == nil)
    #expect(recognizer.update(.zero, at: Timestamp(seconds: 10.3)) == nil)
    #expect(recognizer.update(Vector3(0, 0, -1), at: Timestamp(seconds: 9.9)) == nil)
    #expect(recognizer.orientation == .portrait)
    // After a gap, and after the clock restarts, the orientation is found immediately, as at the
    // start.
    #expect(recognizer.update(Vector3(0, 0, -1), at: Timestamp(seconds: 20)) == .faceUp)
    #expect(recognizer.update(Vector3(1, 0, 0), at: Timestamp(seconds: 1)) == .landscapeRight)
  }

  @Test func `recognising orientations and shakes allocates nothing`() {
    var recognizer = OrientationRecognizer()
    var shakes = ShakeRecognizer()
    var smoother = PressureSmoother()
    func run(_ range: Range<Int>) -> Int {
      var events = 0
      for k in range {
        let time = Timestamp(seconds: Double(k) / 100)
        let t = Double(k) / 100
        let felt = Vector3(sin(t), 2 * sin(25 * t), cos(t))
        if recognizer.update(felt, at: time) != nil { events += 1 }
        if shakes.update(felt, at: time) != nil { events += 1 }
        if smoother.update(101.3 + 0.01 * sin(t), at: time) != nil { events += 1 }
      }
      return events
    }
    _ = run(0..<1000)
    let before = otolith_allocations_of_thread()
    let events = run(1000..<5000)
    let count = otolith_allocations_of_thread() - before
    #expect(count == 0 && events > 40)
  }
}
