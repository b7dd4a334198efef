// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension FusionEngine {
  /// The calibration learned so far. It includes the gyroscope once the bias is known better than
  /// at the start, and the magnetometer once its hard iron is known in every direction.
  public var memory: FusionMemory {
    guard hasAttitude else { return FusionMemory() }
    var memory = FusionMemory()
    if gyroBiasSigma < params.biasSigmaAtStart / 2 {
      memory.gyroscope = FusionMemory.Gyroscope(bias: gyroBias, sigma: gyroBiasSigma)
    }
    var errors = state.errors
    if isLearned(coefficients.start.gyroScale, errors.gyroMatrixVariances()) {
      memory.gyroscopeMatrix = FusionMemory.GyroscopeMatrix(
        matrix: gyroMatrix, sigma: gyroMatrixSigma)
    }
    let accelerometer = state.errors.accelerationVariances
    let offsets = accelerometer.offset
    let least = min(offsets.x, min(offsets.y, offsets.z))
    if 4 * least < coefficients.start.offset {
      memory.accelerometer = FusionMemory.Accelerometer(
        offset: accelerationOffset, offsetSigma: accelerationOffsetSigma,
        scale: accelerationScale, scaleSigma: accelerationScaleSigma)
    }
    let start = params.magneticDelaySigma
    if start > 0, magneticDelaySigma < start / 2 {
      memory.magneticDelay = FusionMemory.MagneticDelay(
        delay: magneticDelay, sigma: magneticDelaySigma)
    }
    let calibration = magneticCalibration
    if calibration.level > .unknown {
      memory.magnetometer = FusionMemory.Magnetometer(
        hardIron: calibration.hardIron, softIron: calibration.softIron, sigma: calibration.sigma,
        fieldNorm: state.magnetometer.reference.isConfirmed ? state.magnetometer.reference.norm : 0,
        fieldDip: state.magnetometer.reference.dip)
    }
    return memory
  }

  /// Returns true if the uncertainty of the scale of any axis has at least halved since the start.
  private func isLearned(_ prior: Scalar, _ variances: Matrix3) -> Bool {
    4 * variances.m11 < prior || 4 * variances.m22 < prior || 4 * variances.m33 < prior
  }

  /// Starts with a calibration that an earlier engine learned for the same device.
  public mutating func assume(_ memory: FusionMemory) {
    if let gyro = memory.gyroscope { assume(gyroBias: gyro.bias, sigma: gyro.sigma) }
    if let kept = memory.gyroscopeMatrix, coefficients.start.gyroScale > 0 {
      state.gyroscope.matrix = kept.matrix
      state.errors.assume(gyroMatrix: kept.sigma, coefficients.start)
      restoreGyroPrior()
    }
    if let kept = memory.accelerometer, coefficients.start.offset > 0 {
      state.accelerometer.offset = kept.offset
      state.accelerometer.scale = kept.scale
      state.errors.assume(
        offset: kept.offsetSigma, scale: kept.scaleSigma, coefficients.start)
    }
    if let kept = memory.magneticDelay {
      state.magnetometer.delay.assume(kept.delay, sigma: kept.sigma)
    }
    guard let magnet = memory.magnetometer else { return }
    state.magnetometer.calibrator.assume(
      MagneticCalibration(
        hardIron: magnet.hardIron, softIron: magnet.softIron, sigma: magnet.sigma,
        fieldNorm: magnet.fieldNorm, dip: magnet.fieldDip, level: .hardIron),
      sigma: params.isMagnetometerCalibrated
        ? state.magnetometer.calibrator.params.fieldNoise : params.hardIronSigmaKept)
    assume(fieldNorm: magnet.fieldNorm, dip: magnet.fieldDip)
  }

  /// Starts with the Earth's field at this place, for example from a model: the strength in
  /// microtesla, and the angle below the horizon in radians. From then on only a similar field
  /// counts as undisturbed, until a different field has been steady for `fieldNewTime`. Has no
  /// effect if such a field does not occur on Earth.
  public mutating func assume(fieldNorm norm: Scalar, dip: Scalar) {
    guard FieldReference.isPlausible(norm), dip >= -.pi / 2, dip <= .pi / 2 else { return }
    state.magnetometer.reference.assume(norm: norm, dip: dip)
  }
}
