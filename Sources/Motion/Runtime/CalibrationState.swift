// SPDX-License-Identifier: Apache-2.0
public import Fusion
public import Quantities

/// The current estimates of the sensors' errors, in device axes. Fusion learns these errors while
/// the device moves or rests.
public struct CalibrationState: Equatable, Sendable {
  /// The rotation rate that the gyroscope measures at rest, in rad/s. It is subtracted from every
  /// `MotionSample.rotationRate`.
  public var gyroBias: Vector3
  /// The standard deviation of the gyroscope's bias in its most uncertain axis, in rad/s.
  public var gyroBiasSigma: Double
  /// The scale and misalignment of the gyroscope, which are corrected in the attitude. `nil` if
  /// motion comes from a service, which does not send these values.
  public var gyroscopeMatrix: FusionMemory.GyroscopeMatrix?
  /// The delay of the magnetometer. `nil` if motion comes from a service, which does not send this
  /// value.
  public var magneticDelay: FusionMemory.MagneticDelay?
  /// Hard iron and soft iron, with their accuracy.
  public var magnetic: MagneticCalibration
  /// The accuracy of the current heading.
  public var magneticAccuracy: MagneticAccuracy
  /// True while the device is at rest.
  public var isAtRest: Bool

  /// Creates a state from values that another process has sent.
  package init(
    gyroBias: Vector3, gyroBiasSigma: Double, magnetic: MagneticCalibration,
    magneticAccuracy: MagneticAccuracy, isAtRest: Bool
  ) {
    self.gyroBias = gyroBias
    self.gyroBiasSigma = gyroBiasSigma
    self.magnetic = magnetic
    self.magneticAccuracy = magneticAccuracy
    self.isAtRest = isAtRest
  }

  /// The same values in the form with which fusion can start.
  package var memory: FusionMemory {
    var memory = FusionMemory(
      gyroscope: FusionMemory.Gyroscope(bias: gyroBias, sigma: gyroBiasSigma),
      gyroscopeMatrix: gyroscopeMatrix, magneticDelay: magneticDelay)
    if magnetic.level > .unknown {
      memory.magnetometer = FusionMemory.Magnetometer(
        hardIron: magnetic.hardIron, softIron: magnetic.softIron, sigma: magnetic.sigma,
        fieldNorm: magnetic.fieldNorm, fieldDip: magnetic.dip)
    }
    return memory
  }

  init(_ engine: borrowing FusionEngine) {
    gyroBias = engine.gyroBias
    gyroBiasSigma = engine.gyroBiasSigma
    gyroscopeMatrix = FusionMemory.GyroscopeMatrix(
      matrix: engine.gyroMatrix, sigma: engine.gyroMatrixSigma)
    magneticDelay = FusionMemory.MagneticDelay(
      delay: engine.magneticDelay, sigma: engine.magneticDelaySigma)
    magnetic = engine.magneticCalibration
    magneticAccuracy = engine.magneticAccuracy
    isAtRest = engine.isAtRest
  }
}
