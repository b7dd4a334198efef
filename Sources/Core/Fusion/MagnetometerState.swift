// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// The state of the magnetometer: its measurements since the last correction, the local field,
  /// and the learned errors of the sensor.
  @usableFromInline struct MagnetometerState: Equatable, Sendable {
    var time: Timestamp?
    var repeats: RepeatCheck
    var sums = FieldSums()
    @usableFromInline var reference = FieldReference()
    @usableFromInline var delay: DelayEstimator
    @usableFromInline var calibrator = MagneticCalibrator()
    /// Standard deviation of the heading at the last correction, rad.
    @usableFromInline var headingSigma = Scalar.pi
    @usableFromInline var accuracy: MagneticAccuracy

    init(_ params: Params) {
      repeats = RepeatCheck(params)
      accuracy =
        params.calibratesMagnetometer && !params.isMagnetometerCalibrated
        ? .uncalibrated : .low
      delay = DelayEstimator(params, calibrator: calibrator.params)
      if params.isMagnetometerCalibrated {
        calibrator.assume(
          MagneticCalibration(sigma: 0, level: .hardIron), sigma: calibrator.params.fieldNoise)
      }
    }
  }

  /// The sums of the field measurements since the last correction.
  struct FieldSums: Equatable, Sendable {
    /// The sums of the measured fields in the strapdown frame and in device axes, microtesla.
    var field = Vector3.zero
    var deviceField = Vector3.zero
    /// The sum of the norms of the measured fields, microtesla.
    var norm = 0.0
    var count = 0.0
    /// The time covered by these sums, s.
    var time: Seconds = 0

    mutating func restart() { self = FieldSums() }
  }
}
