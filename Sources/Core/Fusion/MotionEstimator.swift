// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Computes motion from the samples of a board or a recording. It reads no clock.
public struct MotionEstimator: Sendable {
  public var engine: FusionEngine
  /// The primary channel. Each sample of this channel gives one motion sample.
  private let primary: Channel
  private var acceleration: Vector3?
  private var magneticField: Vector3?
  private var pressure: Scalar?
  private var temperature: Scalar?
  private var missing: UInt32 = 0

  /// Creates an estimator for a source with these channels. Each rotation rate gives one motion
  /// sample. If the source has no rotation rates, each acceleration gives one; if it has neither,
  /// each pressure does. If the source has none of these, each sample of its first channel gives a
  /// motion sample with the time and the other values.
  public init(channels: ChannelSet, params: FusionEngine.Params = FusionEngine.Params()) {
    engine = FusionEngine(params)
    primary =
      if channels.contains(.rotationRate) {
        .rotationRate
      } else if channels.contains(.acceleration) {
        .acceleration
      } else if channels.contains(.pressure) {
        .pressure
      } else {
        Channel.allCases.first { channels.contains($0) } ?? .pressure
      }
  }

  /// The engine's memory, together with the chip's temperature.
  public var memory: FusionMemory {
    var memory = engine.memory
    memory.gyroscope?.temperature = temperature
    return memory
  }

  /// Adds the next sample of any source. If the sample contains the primary channel, returns the
  /// motion at the time of the sample.
  public mutating func update(_ sample: Sample) -> MotionSample? {
    var recorder = NoRecorder()
    return take(sample, &recorder)
  }

  /// Adds the next sample, and records the filter's operations for a backward smoothing pass.
  package mutating func update(_ sample: Sample, recording: inout EpochRecording) -> MotionSample? {
    take(sample, &recording)
  }

  @inline(__always)
  private mutating func take(
    _ sample: Sample, _ recorder: inout some EpochRecorder
  ) -> MotionSample? {
    let time = sample.timestamp
    var isTurnKnown = false
    // If both were sampled together, use the rotation rate first, because gravity corrects the
    // latest attitude. The motion does not contain values that the engine rejects.
    if sample.channels.contains(.rotationRate) {
      isTurnKnown = engine.take(rotationRate: sample.rotationRate, at: time, &recorder)
    }
    if sample.channels.contains(.acceleration),
      engine.take(acceleration: sample.acceleration, at: time, &recorder)
    {
      acceleration = sample.acceleration
    }
    if sample.channels.contains(.magneticField),
      engine.take(magneticField: sample.magneticField, at: time, &recorder)
    {
      magneticField = sample.magneticField
    }
    if sample.channels.contains(.pressure), sample.pressure.isFinite { pressure = sample.pressure }
    if sample.channels.contains(.temperature), sample.temperature.isFinite {
      temperature = sample.temperature
    }
    let (sum, overflow) = missing.addingReportingOverflow(sample.missing)
    missing = overflow ? .max : sum
    // While the gyroscope is silent, accelerations propagate the attitude.
    let isDue =
      sample.channels.contains(primary)
      || (primary == .rotationRate && engine.isCoasting && sample.channels.contains(.acceleration))
    guard isDue else { return nil }
    var motion = MotionSample(timestamp: time)
    motion.missing = missing
    missing = 0
    if isTurnKnown {
      motion.contents.insert(.rotationRate)
      motion.gyroBias = engine.gyroBias
      motion.rotationRate = sample.rotationRate - motion.gyroBias
    }
    if let acceleration, engine.hasAttitude {
      motion.contents.insert(.attitude)
      motion.attitude6 = engine.attitude6
      motion.inclinationSigma = engine.inclinationSigma
      motion.gravity = FusionEngine.gravity(motion.attitude6)
      motion.userAcceleration = acceleration - motion.gravity
      if engine.hasHeading {
        motion.contents.insert(.heading)
        motion.attitude9 = engine.attitude9
        motion.attitudeCorrected = engine.attitudeCorrected
        motion.headingSigma = engine.headingSigma
      }
    }
    if let magneticField {
      motion.contents.insert(.magneticField)
      motion.magneticField = engine.magneticCalibration.corrected(magneticField)
      motion.magneticAccuracy = engine.magneticAccuracy
    }
    if let pressure {
      motion.contents.insert(.pressure)
      motion.pressure = pressure
    }
    if let temperature {
      motion.contents.insert(.temperature)
      motion.temperature = temperature
    }
    motion.isAtRest = engine.isAtRest
    return motion
  }
}
