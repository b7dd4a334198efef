// SPDX-License-Identifier: Apache-2.0
public import Fusion
public import Quantities

/// The state of fusion's knowledge of the sensors' errors, which it learns while the device moves
/// or rests. In device axes.
public struct CalibrationState: Equatable, Sendable {
  /// rad/s: what a resting gyroscope shows. It is taken off every `MotionSample.rotationRate`.
  public var gyroBias: Vector3
  /// One standard deviation of that bias in its least known axis, rad/s.
  public var gyroBiasSigma: Double
  /// Scale and misalignment of the gyroscope, which are taken off the attitude; `nil` from a
  /// service, which does not tell.
  public var gyroscopeMatrix: FusionMemory.GyroscopeMatrix?
  /// Delay of the magnetometer; `nil` from a service, which does not tell.
  public var magneticDelay: FusionMemory.MagneticDelay?
  /// Hard iron, soft iron, and how far they are known.
  public var magnetic: MagneticCalibration
  /// The accuracy of the heading now.
  public var magneticAccuracy: MagneticAccuracy
  /// True while the device rests.
  public var isAtRest: Bool

  /// Makes a state of values from another source.
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

  /// As an engine can begin with it.
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
