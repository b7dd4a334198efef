// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

/// Compares the promised accuracies with simulated headings that are known.
@Suite("Accuracy of the heading and the calibrated field")
struct AccuracyTests {
  /// A device with its own magnetism, held in a hand.
  struct Device {
    var estimator = MotionEstimator(
      channels: [.acceleration, .rotationRate, .magneticField], params: ideal)
    var motion = SimulatedMotion()
    /// The device's own field in microtesla, in device axes.
    var hardIron = Vector3.zero
    var softIron = Matrix3.identity
    var noise = Noise(seed: 7)
    var seconds = 0.0

    /// Advances by one sample; returns `nil` before the first attitude.
    mutating func step() -> MotionSample? {
      seconds += 0.01
      var sample = Sample(
        timestamp: Timestamp(seconds: seconds),
        channels: [.acceleration, .rotationRate, .magneticField])
      sample.rotationRate = motion.sample(.rotationRate, at: seconds)
      sample.acceleration = motion.sample(.acceleration, at: seconds)
      sample.magneticField = softIron * field + hardIron + noise.vector(0.5)
      return estimator.update(sample)
    }

    /// The local field in device axes.
    var field: Vector3 { motion.sample(.magneticField, at: seconds) }

    /// Returns the error of the heading of `sample` in degrees.
    func headingError(_ sample: MotionSample) -> Double {
      let off = motion.attitude(at: seconds) * sample.attitude9.conjugate
      return abs(EulerAngles(off).yaw) / degree
    }
  }

  @Test func `a planted hard iron is taken off after some turning`() throws {
    var device = Device()
    device.hardIron = Vector3(15, 35, 20)
    var worstAtFirst = 0.0
    var last: MotionSample?
    for _ in 0..<4000 {
      let update = device.step()
      let motion = try #require(update)
      if device.seconds < 1 {
        #expect(motion.magneticAccuracy == .uncalibrated, "nothing was turned yet")
        worstAtFirst = max(worstAtFirst, device.headingError(motion))
      }
      last = motion
    }
    let motion = try #require(last)
    #expect(worstAtFirst > 25)
    #expect((motion.magneticField - device.field).norm < 2)
    #expect(device.headingError(motion) < 5)
    #expect(motion.magneticAccuracy == .high)
    #expect(motion.headingSigma < 5 * degree && motion.inclinationSigma < 2 * degree)
  }

  @Test func `soft iron is taken off too: the field is as strong in every direction`() throws {
    var device = Device()
    device.softIron = Matrix3(
      rows: Vector3(1.1, 0.03, 0), Vector3(0.03, 0.95, 0), Vector3(0, 0, 0.98))
    device.hardIron = Vector3(-20, 15, 5)
    device.motion.turning = 2
    var weakest = Double.infinity
    var strongest = 0.0
    for step in 0..<9000 {
      let update = device.step()
      let motion = try #require(update)
      guard step > 7000 else { continue }
      weakest = min(weakest, motion.magneticField.norm)
      strongest = max(strongest, motion.magneticField.norm)
    }
    #expect(device.estimator.engine.magneticCalibration.level == .full)
    // The field is 50 microtesla; soft iron alone makes it 47.5 to 55.
    #expect(strongest - weakest < 3, "\(weakest) to \(strongest)")
  }

  @Test func `high is within 10 degrees and medium within 25, mostly`() throws {
    var random = SplitMix(state: 3)
    var seen = [0, 0, 0]
    var missed = [0, 0, 0]
    for _ in 0..<6 {
      var device = Device()
      device.hardIron = random.vector(40)
      device.motion.turning = random.number(0.2...1.5)
      device.motion.shaking = random.number(0...0.2)
      for _ in 0..<3000 {
        let update = device.step()
        guard let motion = update, motion.contents.contains(.heading) else { continue }
        // Uncalibrated promises no more than low.
        let accuracy = max(Int(motion.magneticAccuracy.rawValue), 0)
        seen[accuracy] += 1
        if device.headingError(motion) > [180.0, 25, 10][accuracy] { missed[accuracy] += 1 }
      }
    }
    #expect(seen.allSatisfy { $0 > 500 }, "\(seen)")
    #expect(missed[1] * 20 <= seen[1] && missed[2] * 20 <= seen[2], "\(missed) of \(seen)")
  }

  @Test func `turned about the vertical, a device knows its magnetism while flat`() {
    let iron = Vector3(10, -15, 30)
    var attitude = Quaternion.identity
    var engine = FusionEngine(ideal)
    var seconds = 0.0
    func turn(_ rate: Vector3, for duration: Double) {
      for _ in 0..<Int(duration * 100) {
        seconds += 0.01
        attitude = (attitude * Quaternion(rotationVector: rate / 100)).normalized
        let inverse = attitude.conjugate
        let time = Timestamp(seconds: seconds)
        engine.update(rotationRate: rate, at: time)
        engine.update(acceleration: inverse.rotate(Vector3(0, 0, -1)), at: time)
        engine.update(
          magneticField: inverse.rotate(Vector3(20, 0, -45)) + iron, at: time)
      }
    }
    turn(Vector3(0, 0, 0.8), for: 60)
    #expect(engine.magneticAccuracy == .high)
    #expect(angle(engine.attitude9, attitude) < 5)
    // The 30 microtesla on the z axis are now at 45 degrees to the field.
    turn(Vector3(1, 0, 0), for: 0.8)
    #expect(engine.magneticAccuracy == .uncalibrated)
    #expect(engine.headingSigma > 12.5 * degree)
  }

  @Test func `where the field is steep, a tilt that stays makes the heading as doubtful`() {
    // 50 microtesla at a dip of 85 degrees, as in northern Canada.
    let horizontal = 50 * cos(85 * degree)
    let vertical = 50 * sin(85 * degree)
    var params = ideal
    params.calibratesMagnetometer = false
    params.accelerationOffsetSigma = 0.0115
    // An offset of 20 mg to the west tilts the horizontal plane about north by 0.02 rad.
    let offset = Vector3(0, 0.02, 0)
    let expected = atan(vertical / horizontal * 0.02)
    #expect(expected > 12 * degree)
    var engine = FusionEngine(params)
    let attitude = Quaternion.identity
    for step in 1...9000 {
      let time = Timestamp(seconds: Double(step) / 100)
      engine.update(rotationRate: .zero, at: time)
      engine.update(acceleration: Vector3(0, 0, -1) - offset, at: time)
      engine.update(magneticField: Vector3(horizontal, 0, -vertical), at: time)
    }
    let error = angle(engine.attitude9, attitude) * degree
    #expect(abs(error - expected) < 3 * degree)
    #expect(error < 2 * engine.headingSigma)
    #expect(engine.magneticAccuracy < .high)
  }

  @Test func `a hard iron that was kept is known at once`() {
    func accuracy(_ memory: FusionMemory, calibrates: Bool = true, calibrated: Bool = false)
      -> MagneticAccuracy
    {
      var params = ideal
      params.calibratesMagnetometer = calibrates
      params.isMagnetometerCalibrated = calibrated
      var engine = FusionEngine(params)
      engine.assume(memory)
      engine.assume(fieldNorm: 50, dip: 60 * degree)
      var device = IdealDevice()
      _ = device.turn(.zero, for: 20, from: 0, into: &engine)
      return engine.magneticAccuracy
    }
    let known = FusionMemory(
      magnetometer: FusionMemory.Magnetometer(hardIron: .zero, sigma: 0.3, fieldNorm: 50))
    // 3 microtesla of 25 are 7 degrees.
    #expect(accuracy(known) == .medium)
    #expect(accuracy(FusionMemory()) == .uncalibrated)
    // 1 microtesla of 25 is 2 degrees.
    #expect(accuracy(FusionMemory(), calibrated: true) == .high)
    #expect(accuracy(known, calibrated: true) == .high)
    // Another program subtracts the device's field.
    #expect(accuracy(FusionMemory(), calibrates: false) == .high)
  }

  @Test func `a calibrated compass is one at rest already, and stays one while it is moved`() {
    var params = ideal
    params.isMagnetometerCalibrated = true
    var engine = FusionEngine(params)
    var device = IdealDevice()
    var time = device.turn(.zero, for: 10, from: 0, into: &engine)
    // A magnet near a device at rest cannot be distinguished from the local field, so no higher
    // accuracy is promised.
    #expect(engine.magneticAccuracy == .medium)
    #expect(engine.headingSigma < 12.5 * degree)
    #expect(engine.magneticCalibration.level == .hardIron)
    // A small movement shows little of the device's own field, and must not reduce the accuracy.
    for k in 0..<20 {
      let rate = Vector3(k % 2 == 0 ? 0.5 : -0.5, 0, 0)
      time = device.turn(rate, for: 0.8, from: time, into: &engine)
      #expect(engine.magneticAccuracy >= .medium)
    }
    #expect(engine.magneticAccuracy == .high)
    #expect(engine.magneticCalibration.level == .hardIron)
    #expect(angle(engine.attitude9, device.attitude) < 1)
  }

  @Test func `a calibrated compass that a magnet has changed since is found out`() {
    var params = ideal
    params.isMagnetometerCalibrated = true
    var engine = FusionEngine(params)
    var device = IdealDevice()
    device.hardIron = Vector3(12, -30, 18)
    var time = device.turn(.zero, for: 10, from: 0, into: &engine)
    #expect(engine.magneticAccuracy <= .medium)
    for k in 0..<40 {
      let axis = [Vector3(1, 0.2, 0), Vector3(0, 1, 0.3), Vector3(0.2, 0, 1)][k % 3]
      time = device.turn(axis * 1.5, for: 1.5, from: time, into: &engine)
    }
    #expect((engine.magneticCalibration.hardIron - device.hardIron).norm < 2)
    #expect(angle(engine.attitude9, device.attitude) < 5)
  }
}
