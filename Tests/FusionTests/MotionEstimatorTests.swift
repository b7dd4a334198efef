// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import SeededRandom
import Testing

@Suite struct MotionEstimatorTests {
  private func sample(_ milliseconds: Int64, _ channels: ChannelSet, missing: UInt32 = 0) -> Sample
  {
    var sample = Sample(
      timestamp: Timestamp(nanoseconds: milliseconds * 1_000_000), channels: channels)
    sample.missing = missing
    sample.acceleration = Vector3(0, 0, -1)
    sample.rotationRate = Vector3(0.1, 0.2, 0.3)
    sample.magneticField = Vector3(0, 20, -45)
    sample.pressure = 101.325
    sample.temperature = 21.5
    return sample
  }

  @Test func `gravity and user acceleration are the acceleration`() throws {
    var random = SplitMix(state: 11)
    var estimator = MotionEstimator(channels: [.acceleration, .rotationRate])
    for k in 0..<2000 {
      var input = sample(Int64(k) * 10, [.acceleration, .rotationRate])
      input.acceleration = random.vector(1.5)
      input.rotationRate = random.vector(3)
      let motionUpdate = estimator.update(input)
      let motion = try #require(motionUpdate)
      #expect((motion.gravity + motion.userAcceleration - input.acceleration).norm < 1e-15)
      #expect(abs(motion.gravity.norm - 1) < 1e-12)
    }
  }

  @Test func `each rotation rate makes one motion`() {
    var estimator = MotionEstimator(channels: [
      .acceleration, .rotationRate, .magneticField, .pressure,
    ])
    var times: [Int64] = []
    for k in 0..<400 {
      let milliseconds = Int64(k)
      var inputs: [Sample] = []
      if k % 5 == 0 { inputs.append(sample(milliseconds, .rotationRate)) }
      if k % 8 == 0 { inputs.append(sample(milliseconds, .acceleration)) }
      if k % 20 == 0 { inputs.append(sample(milliseconds, .magneticField)) }
      if k % 40 == 0 { inputs.append(sample(milliseconds, .pressure)) }
      for input in inputs {
        if let motion = estimator.update(input) {
          #expect(motion.timestamp == input.timestamp)
          times.append(motion.timestamp.nanoseconds / 1_000_000)
        }
      }
    }
    #expect(times == Array(stride(from: 0, to: 400, by: 5)))
  }

  @Test func `the contents of a sample grow with what is known`() throws {
    var estimator = MotionEstimator(channels: [
      .acceleration, .rotationRate, .magneticField, .pressure, .temperature,
    ])
    let firstUpdate = estimator.update(sample(0, .rotationRate))
    let first = try #require(firstUpdate)
    #expect(first.contents == .rotationRate)
    #expect(first.magneticAccuracy == .uncalibrated)
    #expect(first.attitude(in: .xArbitraryZVertical) == nil)
    #expect(first.attitude(in: .xArbitraryCorrectedZVertical) == nil)
    _ = estimator.update(sample(0, .acceleration))
    let secondUpdate = estimator.update(sample(10, .rotationRate))
    let second = try #require(secondUpdate)
    #expect(second.contents == [.rotationRate, .attitude])
    #expect(second.attitude(in: .xArbitraryZVertical) == second.attitude6)
    #expect(second.attitude(in: .xArbitraryCorrectedZVertical) == second.attitude6)
    #expect(second.attitude(in: .xMagneticNorthZVertical) == nil)
    #expect(second.attitude(in: .xTrueNorthZVertical) == nil)
    _ = estimator.update(sample(10, [.magneticField, .pressure, .temperature]))
    let thirdUpdate = estimator.update(sample(20, .rotationRate))
    let third = try #require(thirdUpdate)
    #expect(
      third.contents
        == [.rotationRate, .attitude, .heading, .magneticField, .pressure, .temperature])
    #expect(third.magneticField == Vector3(0, 20, -45))
    #expect(third.pressure == 101.325)
    #expect(third.temperature == 21.5)
    #expect(third.attitude(in: .xMagneticNorthZVertical) == third.attitude9)
    #expect(third.attitude(in: .xArbitraryCorrectedZVertical) == third.attitudeCorrected)
  }

  @Test func `an accelerometer alone gives attitude and temperature`() throws {
    var estimator = MotionEstimator(channels: [.acceleration, .temperature])
    let none13 = estimator.update(sample(0, .temperature))
    #expect(none13 == nil)
    let motionUpdate = estimator.update(sample(10, .acceleration))
    let motion = try #require(motionUpdate)
    #expect(motion.contents == [.attitude, .temperature])
    #expect(motion.gravity == Vector3(0, 0, -1))
    #expect(motion.rotationRate == .zero)
  }

  @Test func `a barometer alone gives pressure, and no attitude`() throws {
    var estimator = MotionEstimator(channels: [.pressure, .temperature])
    let none14 = estimator.update(sample(0, .temperature))
    #expect(none14 == nil)
    let motionUpdate = estimator.update(sample(10, [.pressure]))
    let motion = try #require(motionUpdate)
    #expect(motion.contents == [.pressure, .temperature])
    #expect(motion.pressure == 101.325)
    #expect(motion.attitude(in: .xArbitraryZVertical) == nil)
  }

  /// Channels that are not part of motion still give a time, so that they can be shown with it.
  @Test func `light alone gives the time of a motion and no more`() throws {
    var estimator = MotionEstimator(channels: [.illuminance, .proximity])
    let none = estimator.update(sample(0, .proximity))
    #expect(none == nil)
    let motionUpdate = estimator.update(sample(10, [.illuminance, .proximity]))
    let motion = try #require(motionUpdate)
    #expect(motion.contents == [] && motion.timestamp.nanoseconds == 10_000_000)
  }

  @Test func `losses of every source are reported once, with the next motion`() throws {
    var estimator = MotionEstimator(channels: [.acceleration, .rotationRate])
    let none15 = estimator.update(sample(0, .acceleration, missing: 2))
    #expect(none15 == nil)
    let none16 = estimator.update(sample(5, .acceleration, missing: 3))
    #expect(none16 == nil)
    let firstUpdate = estimator.update(sample(10, .rotationRate, missing: 4))
    let first = try #require(firstUpdate)
    #expect(first.missing == 9)
    let secondUpdate = estimator.update(sample(20, .rotationRate))
    let second = try #require(secondUpdate)
    #expect(second.missing == 0)
    let none17 = estimator.update(sample(25, .acceleration, missing: .max))
    #expect(none17 == nil)
    let thirdUpdate = estimator.update(sample(30, .rotationRate, missing: 7))
    let third = try #require(thirdUpdate)
    #expect(third.missing == .max)
  }

  /// Values that the engine rejects are not passed on either.
  @Test func `refused values are not in the samples`() throws {
    let channels: ChannelSet = [
      .acceleration, .rotationRate, .magneticField, .pressure, .temperature,
    ]
    var estimator = MotionEstimator(channels: channels)
    let goodUpdate = estimator.update(sample(0, channels))
    let good = try #require(goodUpdate)
    for value in [Double.nan, .infinity, 1e200, 1e7] {
      var bad = sample(10, channels)
      bad.acceleration = Vector3(value, 0, 0)
      bad.rotationRate = Vector3(0, value, 0)
      bad.magneticField = Vector3(0, 0, value)
      bad.pressure = value.isFinite ? 101.325 : value
      bad.temperature = value.isFinite ? 21.5 : value
      let motionUpdate = estimator.update(bad)
      let motion = try #require(motionUpdate)
      #expect(!motion.contents.contains(.rotationRate))
      #expect(motion.rotationRate == .zero)
      #expect(motion.userAcceleration == good.userAcceleration)
      #expect(motion.magneticField == good.magneticField)
      #expect(motion.pressure == 101.325)
      #expect(motion.temperature == 21.5)
    }
  }

  @Test func `the rotation rate is the measured one less the bias`() throws {
    var estimator = MotionEstimator(channels: [.acceleration, .rotationRate])
    var last: MotionSample?
    for k in 0..<1000 {
      var input = sample(Int64(k) * 10, [.acceleration, .rotationRate])
      input.rotationRate = Vector3(0.01, -0.02, 0.03)
      last = estimator.update(input)
    }
    let motion = try #require(last)
    #expect(motion.isAtRest)
    #expect((motion.gyroBias - Vector3(0.01, -0.02, 0.03)).norm < 0.001)
    #expect((motion.rotationRate + motion.gyroBias - Vector3(0.01, -0.02, 0.03)).norm < 1e-15)
  }
}
