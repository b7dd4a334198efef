// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Runtime
import SeededRandom
import Testing

/// Tests with a device that turns back and forth and is pushed around, and whose attitude is known.
@Suite("Smoothed motion") struct SmoothedMotionTests {
  static let hertz = 100.0

  /// The rotation from the device's axes to those of the world, whose z axis points up.
  static func attitude(at t: Double) -> Quaternion {
    Quaternion(angle: 0.6 * sin(1.1 * t), axis: Vector3(1, 0, 0))
      * Quaternion(angle: 0.5 * sin(0.7 * t + 1), axis: Vector3(0, 1, 0))
  }

  static func samples(seconds: Double) -> [Sample] {
    var random = SplitMix(state: 3)
    return (0..<Int(seconds * hertz)).map { k in
      let t = Double(k) / hertz
      let (now, before) = (attitude(at: t), attitude(at: t - 1 / hertz))
      let turn = (before.conjugate * now).normalized
      var sample = Sample(timestamp: Timestamp(seconds: t))
      sample.channels = [.rotationRate, .acceleration]
      sample.rotationRate =
        Vector3(turn.x, turn.y, turn.z) * (2 * hertz) + Vector3(0.01, -0.02, 0.01)
        + random.vector(0.003)
      // The device is pushed back and forth along the horizon.
      let push = Vector3(0.08 * sin(2.3 * t), 0.05 * sin(3.1 * t), -1)
      sample.acceleration = now.conjugate.rotate(push) + random.vector(0.01)
      return sample
    }
  }

  static func error(_ motion: MotionSample) -> Double {
    let down = attitude(at: motion.timestamp.seconds).conjugate.rotate(Vector3(0, 0, -1))
    return acos(min(1, motion.gravity.dot(down)))
  }

  static func rms(_ motions: [MotionSample], from start: Double) -> Double {
    let errors = motions.filter { $0.timestamp.seconds >= start }.map { pow(error($0), 2) }
    return (errors.reduce(0, +) / Double(errors.count)).squareRoot()
  }

  @Test func `a lag of a second is better than none, and the whole better still`() {
    let samples = Self.samples(seconds: 60)
    var params = FusionEngine.Params()
    params.gyroDelay = 0.5 / Self.hertz
    params.accelerationDelay = 0
    let estimator = MotionEstimator(channels: [.rotationRate, .acceleration], params: params)
    var live = estimator
    let filtered = samples.compactMap { live.update($0) }
    func smoothed(lag: Double, block: Double) -> [MotionSample] {
      var smoother = MotionSmoother(estimator: estimator, lag: lag, block: block)
      var motions: [MotionSample] = []
      for sample in samples { smoother.update(sample) { motions.append($0.motion) } }
      smoother.finish { motions.append($0.motion) }
      return motions
    }
    let second = smoothed(lag: 1, block: 0)
    let whole = smoothed(lag: 600, block: 600)
    // Each motion comes once and in order.
    #expect(second.map(\.timestamp) == filtered.map(\.timestamp))
    #expect(whole.map(\.timestamp) == filtered.map(\.timestamp))
    let errors = [filtered, second, whole].map { Self.rms($0, from: 0) }
    #expect(errors[1] < 0.9 * errors[0], "\(errors)")
    #expect(errors[2] < 0.7 * errors[1], "\(errors)")
    // Smoothing divides what was measured differently, but the sum remains what was measured.
    for (a, b) in zip(filtered, whole) {
      #expect((a.gravity + a.userAcceleration - b.gravity - b.userAcceleration).norm < 1e-12)
      #expect((a.rotationRate + a.gyroBias - b.rotationRate - b.gyroBias).norm < 1e-12)
    }
  }

  @Test func `over minutes a smoothed covariance stays one, and below the filter's`() {
    let field = Vector3(20, 0, -45)
    let samples = Self.samples(seconds: 180).map { sample in
      var sample = sample
      let attitude = Self.attitude(at: sample.timestamp.seconds)
      sample.channels.insert(.magneticField)
      sample.magneticField = attitude.conjugate.rotate(field)
      return sample
    }
    func estimator(crossAxisSigma: Double) -> MotionEstimator {
      var params = FusionEngine.Params()
      params.accelerationCrossAxisSigma = crossAxisSigma
      return MotionEstimator(
        channels: [.rotationRate, .acceleration, .magneticField], params: params)
    }
    func outputs(crossAxisSigma: Double) -> [MotionSmoother.Output] {
      var smoother = MotionSmoother(
        estimator: estimator(crossAxisSigma: crossAxisSigma), lag: 600, block: 600)
      var outputs: [MotionSmoother.Output] = []
      for sample in samples { smoother.update(sample) { outputs.append($0) } }
      smoother.finish { outputs.append($0) }
      return outputs
    }
    var live = estimator(crossAxisSigma: 0)
    let filtered = samples.compactMap { live.update($0) }
    let square = outputs(crossAxisSigma: 0)
    // The last epoch is not smoothed.
    for (motion, output) in zip(filtered, square).dropLast(30) {
      let p = output.covariance
      #expect(p.m33 > 0 && p.m11 > 0 && p.m11 * p.m22 > p.m12 * p.m12, "\(p)")
      #expect(output.motion.inclinationSigma < 1.05 * motion.inclinationSigma)
    }
    // No measurement shows the accelerometer's cross-axis error, so that later measurements do not
    // reduce the covariance that it adds.
    for (output, crossed) in zip(square, outputs(crossAxisSigma: 0.01)) {
      #expect(abs(crossed.covariance.m11 - output.covariance.m11 - 1e-4) < 1e-12)
      #expect(abs(crossed.covariance.m22 - output.covariance.m22 - 1e-4) < 1e-12)
      let (with, without) = (crossed.motion.inclinationSigma, output.motion.inclinationSigma)
      #expect(abs(with * with - without * without - 1e-4) < 1e-12)
    }
  }

  @Test func `what is smoothed is late by the lag and an epoch, and no more is held`() {
    let samples = Self.samples(seconds: 10)
    var smoother = MotionSmoother(
      estimator: MotionEstimator(channels: [.rotationRate, .acceleration]), lag: 0.5)
    for sample in samples {
      smoother.update(sample) { output in
        let late = (sample.timestamp - output.motion.timestamp).seconds
        #expect(late >= 0.5 && late < 0.75, "\(late)")
      }
    }
  }

  @Test func `a recording in blocks is smoothed as at once`() {
    let samples = Self.samples(seconds: 40)
    let estimator = MotionEstimator(channels: [.rotationRate, .acceleration])
    func smoothed(block: Double) -> [MotionSample] {
      var smoother = MotionSmoother(estimator: estimator, lag: 12, block: block)
      var motions: [MotionSample] = []
      for sample in samples { smoother.update(sample) { motions.append($0.motion) } }
      smoother.finish { motions.append($0.motion) }
      return motions
    }
    let (often, once) = (smoothed(block: 0), smoothed(block: 12))
    #expect(often.count == once.count)
    // At the start, the smoother without blocks has seen the 12 s that follow, and the one with
    // blocks 24 s; the second knows the bias better.
    for (a, b) in zip(often, once) where a.timestamp.seconds > 12 {
      let angle = acos(min(1, a.gravity.dot(b.gravity)))
      #expect(angle < 0.002, "\(a.timestamp.seconds) s: \(angle) rad")
    }
  }
}

extension SplitMix {
  /// Returns a vector whose components are evenly distributed within `limit` of zero.
  fileprivate mutating func vector(_ limit: Double) -> Vector3 {
    func component(_ random: inout SplitMix) -> Double {
      Double.random(in: -limit...limit, using: &random)
    }
    return Vector3(component(&self), component(&self), component(&self))
  }
}
