// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import Testing

/// The same motion measured by a chip in each of the 24 right-angled mountings. Mounting does not
/// round, so differences come from the engine: 1e-16 per operation, some ten operations per sample,
/// and 6000 samples per stream in a minute at 100 Hz. With one sign they would add up to 2e-11 rad;
/// measured are 2e-14.
@Suite("Rotation invariance")
struct InvarianceTests {
  static let bound = 1e-10

  struct Input {
    var time: Timestamp
    var rotationRate, acceleration, magneticField: Vector3
  }

  /// A minute with rest, motion with a bias, and a magnet nearby for some seconds.
  static let simulated: [Input] = (1...6000).map { k in
    let t = Double(k) / 100
    var motion = SimulatedMotion(turning: 1, shaking: 0.15, bias: Vector3(0.02, -0.01, 0.03))
    if (40..<45).contains(t) { motion.field = Vector3(25, 30, -60) }
    let rests = t < 5
    let last = max(t - 0.01, 5)
    return Input(
      time: Timestamp(seconds: t),
      rotationRate: rests ? motion.bias : motion.gyroscope(from: last, to: max(t, last + 1e-6)),
      acceleration: motion.accelerometer(at: rests ? 5 : t),
      magneticField: motion.magnetometer(at: rests ? 5 : t))
  }

  static func recorded() throws -> [Input] {
    try RecordingTests.rows().map {
      Input(
        time: Timestamp(seconds: $0.time), rotationRate: $0.rotationRate,
        acceleration: $0.acceleration, magneticField: $0.magneticField)
    }
  }

  @Test func `24 mounts are 24 and right-handed`() {
    #expect(Mount.all.count == 24)
    let v = Vector3(0.3, -1.7, 2.9)
    for (index, mount) in Mount.all.enumerated() {
      #expect((mount.rotation.rotate(v) - mount(v)).norm < 1e-14)
      #expect(mount(Vector3(1, 0, 0)).cross(mount(Vector3(0, 1, 0))) == mount(Vector3(0, 0, 1)))
      for other in Mount.all[..<index] { #expect(other(v) != mount(v)) }
    }
  }

  @Test
  func `mounts agree on a simulated minute, all nine axes`() {
    Self.compare(Self.simulated, nine: true)
  }

  @Test
  func `mounts agree on a simulated minute without magnetometer`() {
    Self.compare(Self.simulated, nine: false)
  }

  @Test
  func `mounts agree on a recording, all nine axes`() throws {
    Self.compare(try Self.recorded(), nine: true)
  }

  @Test
  func `mounts agree on a recording without magnetometer`() throws {
    Self.compare(try Self.recorded(), nine: false)
  }

  /// Runs all mountings in parallel, and compares each with the first after every sample.
  static func compare(_ inputs: [Input], nine: Bool) {
    // The first mounting is the identity.
    let turns = Mount.all.map(\.rotation)
    var engines = Mount.all.map { _ in FusionEngine() }
    var starts = [Quaternion?](repeating: nil, count: engines.count)
    var worst = (nine: 0.0, six: 0.0, corrected: 0.0, bias: 0.0, mount: 0)
    var differing = 0
    for input in inputs {
      for (k, mount) in Mount.all.enumerated() {
        engines[k].update(rotationRate: mount(input.rotationRate), at: input.time)
        engines[k].update(acceleration: mount(input.acceleration), at: input.time)
        if nine { engines[k].update(magneticField: mount(input.magneticField), at: input.time) }
        let (one, other) = (engines[0], engines[k])
        if nine {
          let off = separation(one.attitude9, (other.attitude9 * turns[k]).normalized)
          if off > worst.nine { (worst.nine, worst.mount) = (off, k) }
        }
        // Yaw is zero at the start in chip axes, so two attitudes may differ by a constant rotation
        // about the vertical.
        let between =
          (other.attitude6 * turns[k] * one.attitude6.conjugate).normalized
        let start = starts[k] ?? between
        starts[k] = start
        worst.six = max(worst.six, separation(between, start), abs(between.x), abs(between.y))
        let drift =
          (other.attitudeCorrected * turns[k] * one.attitudeCorrected.conjugate).normalized
        worst.corrected = max(worst.corrected, separation(drift, start))
        worst.bias = max(worst.bias, (mount(one.gyroBias) - other.gyroBias).norm)
        if one.isAtRest != other.isAtRest
          || one.isMagneticallyDisturbed != other.isMagneticallyDisturbed
          || one.magneticAccuracy != other.magneticAccuracy
        {
          differing += 1
        }
      }
    }
    #expect(worst.nine < bound, "mount \(Mount.all[worst.mount])")
    #expect(worst.six < bound)
    #expect(worst.corrected < bound)
    #expect(worst.bias < bound)
    #expect(differing == 0)
    // The test is meaningful only if there was motion and a bias to learn.
    #expect(engines[0].gyroBias.norm > 1e-3)
  }
}
