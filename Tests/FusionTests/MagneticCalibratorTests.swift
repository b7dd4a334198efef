// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

@Suite("Magnetic calibration while moving")
struct MagneticCalibratorTests {
  @Test func `hard iron is found in twenty seconds of turning`() throws {
    for iron in [Vector3(30, -60, 95), Vector3(-12, 4, 9), Vector3(0, 110, 0)] {
      var world = MagneticWorld(hardIron: iron)
      world.run(20)
      let known = world.calibrator.calibration
      #expect(world.error < 1)
      #expect(known.level >= .hardIron)
      #expect(known.sigma > 0.05 && known.sigma < 2)
      #expect(world.error < 4 * known.sigma)
      #expect(abs(known.fieldNorm - 49.244) < 1)
      #expect(abs(known.dip / degree - 66.04) < 1.5)
      // The world's field, in the frame of attitudes that have drifted.
      let field = try #require(world.calibrator.field)
      let drifted = Quaternion(angle: world.headingError, axis: Vector3(0, 0, 1))
      #expect((field - drifted.rotate(world.field)).norm < 2)
      #expect(world.replaced.isEmpty)
      #expect((world.refined - known.hardIron).norm < 1e-9)
    }
  }

  @Test func `a device without hard iron is given none`() {
    var world = MagneticWorld(noise: 2)
    // A field that differs by microteslas from place to place, as indoors.
    world.disturbance = { (_: Double, at: Vector3) -> Vector3 in
      Vector3(15 * at.y, -20 * at.x, 25 * at.x * at.y)
    }
    world.run(300) { #expect($0.calibrator.calibration.hardIron == .zero) }
    #expect(world.calibrator.calibration.level == .full)
    #expect(world.calibrator.calibration.softIron == .identity)
  }

  @Test func `with soft iron found the field is as strong from everywhere`() {
    let bending = Matrix3(
      rows: Vector3(1.10, 0.04, -0.02), Vector3(0.04, 0.93, 0.03), Vector3(-0.02, 0.03, 0.98))
    var world = MagneticWorld(hardIron: Vector3(20, 10, -35), bending: bending)
    world.run(150)
    let known = world.calibrator.calibration
    #expect(known.level == .full)
    #expect(abs(known.softIron.determinant - 1) < 1e-9)
    #expect(world.error < 1)
    var (least, most, spread) = (Double.infinity, 0.0, 0.0)
    world.run(60) { world in
      let norm = known.corrected(bending * world.seen + world.hardIron).norm
      least = min(least, norm)
      most = max(most, norm)
      spread = max(spread, (bending * world.seen).norm / 49.244 - 1)
    }
    #expect(spread > 0.05)
    #expect(most / least < 1.02)
  }

  @Test func `turning flat shows two components, and that the third is unknown`() {
    var world = MagneticWorld(hardIron: Vector3(25, -18, 30))
    world.run(60, .flat)
    let known = world.calibrator.calibration
    #expect(abs(known.hardIron.x - 25) < 1)
    #expect(abs(known.hardIron.y + 18) < 1)
    #expect(abs(known.hardIron.z) < 0.5)
    #expect(known.sigma > 30)
    #expect(known.level == .unknown)
  }

  @Test func `at rest nothing is learned`() {
    var world = MagneticWorld(hardIron: Vector3(25, -18, 30))
    world.run(600, .none)
    #expect(world.calibrator.calibration == MagneticCalibration())
    // A gyroscope with an unknown bias rotates the heading, and changes nothing else.
    world.drift = 3 * degree
    world.run(120, .none)
    #expect(world.calibrator.calibration == MagneticCalibration())
    world.drift = 0
    world.calibrator.restartHeading()
    world.run(30)
    let before = world.calibrator.calibration
    world.run(600, .none)
    #expect(world.calibrator.calibration == before)
  }

  @Test func `a magnet that passes leaves a good calibration as it was`() {
    for (closest, duration) in [(0.5, 5.0), (0.45, 20), (0.7, 60), (0.45, 60)] {
      var world = MagneticWorld(hardIron: Vector3(25, -18, 30))
      world.run(60)
      #expect(world.error < 1)
      let start = world.seconds
      var strongest = 0.0
      world.disturbance = { t, at in
        let passed = (t - start) / duration
        guard passed < 1 else { return .zero }
        let place = Vector3(2 * passed - 1, closest, 0.1)
        return 10 * MagneticWorld.magnet(at: place, seenFrom: at)
      }
      world.run(duration + 60) {
        strongest = max(strongest, $0.disturbance($0.seconds, $0.position).norm)
        #expect($0.error < 2)
      }
      #expect(strongest > 5)
      #expect(world.error < 1)
      #expect(world.replaced.isEmpty)
    }
  }

  @Test func `a magnet that is held to the device for ten seconds is waited out`() {
    var world = MagneticWorld(hardIron: Vector3(25, -18, 30))
    world.run(60)
    let own = world.hardIron
    #expect(!world.calibrator.isInconsistent)
    world.hardIron = own + Vector3(0, 60, -20)
    world.run(10)
    #expect(world.calibrator.isInconsistent)
    world.hardIron = own
    #expect(world.error < 1)
    world.run(60) { #expect($0.error < 1.5) }
    #expect(world.replaced.isEmpty)
  }

  @Test(arguments: [8.0, 40, 120])
  func `a change of the device is followed within a minute of turning`(size: Double) throws {
    var world = MagneticWorld(hardIron: Vector3(25, -18, 30))
    world.run(90)
    let step = Vector3(0.6, -0.48, 0.64) * size
    world.hardIron += step
    world.run(5)
    #expect(world.replaced.isEmpty)
    world.run(45)
    #expect(world.error < 1.5)
    let replaced = try #require(world.replaced.first)
    #expect((replaced - step).norm < 3)
    #expect(world.replaced.count == 1)
  }

  @Test func `another place with another field is not another device`() {
    var world = MagneticWorld(hardIron: Vector3(25, -18, 30))
    world.run(60)
    world.field = Vector3(14, 17, -36)
    world.run(60) { #expect($0.error < 2) }
    #expect(world.error < 1)
    #expect(world.replaced.isEmpty)
    #expect(abs(world.calibrator.calibration.fieldNorm - 42.2) < 1)
  }

  @Test func `after a gap the heading may be any; the hard iron stays`() {
    var world = MagneticWorld(hardIron: Vector3(25, -18, 30))
    world.run(40)
    for turn in [2.0, -1, 3] {
      world.headingError += turn
      world.calibrator.restartHeading()
      world.run(20) { #expect($0.error < 1) }
    }
    #expect(world.replaced.isEmpty)
  }

  @Test func `what the last run knew is used at once, and put right where wrong`() throws {
    var first = MagneticWorld(hardIron: Vector3(25, -18, 30))
    first.run(60)
    let known = first.calibrator.calibration

    var same = MagneticWorld(hardIron: Vector3(25, -18, 30))
    same.calibrator.assume(known)
    #expect(same.calibrator.calibration.hardIron == known.hardIron)
    #expect(same.calibrator.calibration.sigma > known.sigma)
    same.run(60) { #expect($0.error < 1) }

    var other = MagneticWorld(hardIron: Vector3(-40, 5, 30))
    other.calibrator.assume(known)
    other.run(60)
    #expect(other.error < 1.5)
    #expect(other.replaced.count == 1)
  }

  @Test func `what cannot be a calibration is not assumed`() {
    let fresh = MagneticCalibrator()
    var good = MagneticCalibration(hardIron: Vector3(1, 2, 3), sigma: 1, level: .hardIron)
    for spoil: (inout MagneticCalibration) -> Void in [
      { $0.hardIron.y = .nan }, { $0.sigma = -1 }, { $0.sigma = .nan }, { $0.level = .unknown },
      { $0.softIron.m22 = .infinity }, { $0.softIron.m11 = -1 }, { $0.softIron.m12 = .nan },
    ] {
      var calibration = good
      spoil(&calibration)
      var calibrator = fresh
      calibrator.assume(calibration)
      #expect(calibrator == fresh)
    }
    good.sigma = .infinity
    var calibrator = fresh
    calibrator.assume(good)
    #expect(calibrator.calibration.hardIron == Vector3(1, 2, 3))
    #expect(calibrator.calibration.sigma == 100)
  }

  @Test func `what is not a field at an attitude is ignored`() {
    var world = MagneticWorld(hardIron: Vector3(25, -18, 30))
    world.run(10)
    let attitude = (world.attitude * Quaternion(angle: 2, axis: Vector3(0, 1, 0))).normalized
    let before = world.calibrator
    var bad: [(Vector3, Quaternion, Double)] = []
    for odd in [Double.nan, .infinity, -.infinity, 1e200] {
      bad.append((Vector3(odd, 1, 1), attitude, 0))
      bad.append((Vector3(1, 1, odd), attitude, 0))
      bad.append((Vector3(20, 0, -45), Quaternion(w: odd, x: 0, y: 0, z: 0), 0))
    }
    bad.append((Vector3(20, 0, -45), Quaternion(w: 0, x: 0, y: 0, z: 0), 0))
    bad.append((Vector3(20, 0, -45), attitude, .nan))
    bad.append((Vector3(20, 0, -45), attitude, -1))
    var calibrator = before
    for drift in [Double.nan, -1, .infinity] {
      calibrator.update(
        magneticField: Vector3(20, 0, -45), attitude: attitude, interval: 0.01,
        headingDrift: drift)
      #expect(calibrator == before)
    }
    for (field, attitude, interval) in bad {
      #expect(
        calibrator.update(magneticField: field, attitude: attitude, interval: interval) == .none)
      #expect(calibrator == before)
    }
  }

  @Test func `a million random fields leave every number finite`() {
    var numbers = SplitMix(state: 11)
    var calibrator = MagneticCalibrator()
    for k in 0..<1_000_000 {
      let size = pow(10, numbers.number(-3...6))
      let attitude = Quaternion(
        w: numbers.number(-1...1), x: numbers.number(-1...1), y: numbers.number(-1...1),
        z: numbers.number(-1...1))
      let interval = k % 1000 == 0 ? 1e9 : k % 7 == 0 ? 0 : numbers.number(0...0.1)
      calibrator.update(
        magneticField: numbers.vector(size), attitude: attitude.normalized, interval: interval)
      if k % 5000 == 0 { calibrator.restartHeading() }
      let known = calibrator.calibration
      guard known.hardIron.isFinite, known.softIron.determinant.isFinite, !known.sigma.isNaN,
        known.sigma > 0, known.fieldNorm.isFinite, known.dip.isFinite
      else {
        Issue.record("not finite after \(k): \(known)")
        return
      }
    }
    var world = MagneticWorld(calibrator: calibrator, hardIron: Vector3(25, -18, 30))
    world.run(120)
    #expect(world.error < 2)
  }
}
