// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities

/// A hand's motion of 60 s at 100 Hz, measured by sensors of which one fails.
struct FaultCourse {
  /// The device is turned by up to 125 degrees/s.
  static let hand = SimulatedMotion(turning: 0.5, shaking: 0.05)

  /// The largest errors of gravity from the fifth second on in degrees: of all, and after the
  /// fault.
  private(set) var worst = 0.0
  private(set) var worstAfter = 0.0
  /// The largest error in standard deviations.
  private(set) var inSigmas = 0.0
  /// The largest error of the nine-axis attitude in degrees.
  private(set) var worstHeading = 0.0
  private(set) var faults: SensorFaults = []
  private(set) var motions = 0
  /// The fraction of samples with a fault.
  private(set) var faulty = 0.0
  private(set) var engine: FusionEngine

  /// Runs the motion. `falsify` changes or removes samples; `worstAfter` counts only errors after
  /// `fault` seconds.
  init(
    _ motion: SimulatedMotion = hand, params: FusionEngine.Params = idealParams(hz: 100),
    magnetometer: Bool = false, after fault: Double, _ falsify: (Double, inout Sample) -> Void
  ) {
    let channels: ChannelSet =
      magnetometer
      ? [.acceleration, .rotationRate, .magneticField] : [.acceleration, .rotationRate]
    var estimator = MotionEstimator(channels: channels, params: params)
    for k in 1...6000 {
      let t = Double(k) / 100
      var sample = Sample(timestamp: Timestamp(seconds: t), channels: channels)
      sample.acceleration = motion.sample(.acceleration, at: t)
      sample.rotationRate = motion.sample(.rotationRate, at: t)
      if magnetometer { sample.magneticField = motion.sample(.magneticField, at: t) }
      falsify(t, &sample)
      let update = estimator.update(sample)
      faults.formUnion(estimator.engine.faults)
      if estimator.engine.faults != [] { faulty += 1.0 / 6000 }
      guard let update, t > 5 else { continue }
      motions += 1
      let truth = motion.attitude(at: t)
      let off = angle(update.gravity, truth.conjugate.rotate(Vector3(0, 0, -1)))
      worst = max(worst, off)
      inSigmas = max(inSigmas, rad(off) / update.inclinationSigma)
      worstHeading = max(worstHeading, angle(update.attitude9, truth))
      if t > fault { worstAfter = max(worstAfter, off) }
    }
    engine = estimator.engine
  }
}
