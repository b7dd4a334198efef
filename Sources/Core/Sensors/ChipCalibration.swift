// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The errors of one chip in the chip's axes, before mounting: `truth = matrix * (measured -
/// offset)`. In chip axes, so that it stays valid however the chip is mounted.
public struct ChipCalibration: Sendable, Equatable {
  /// The gyroscope's reading at rest, at `gyroBiasTemperature`, rad/s.
  public var gyroBias: Vector3
  /// The change of the bias with the chip's temperature, rad/s per kelvin.
  public var gyroBiasSlope: Vector3
  /// The chip temperature at which `gyroBias` was measured, degrees Celsius. Without it the slope
  /// is not used.
  public var gyroBiasTemperature: Scalar?
  /// The correction of the gyroscope's scale and misalignment.
  public var gyroMatrix: Matrix3
  /// The specific force that the accelerometer reads in free fall, g.
  public var accelerationOffset: Vector3
  /// The correction of the accelerometer's scale and misalignment.
  public var accelerationMatrix: Matrix3
  /// The field of magnetised parts that rotate with the chip, microtesla.
  public var hardIron: Vector3
  /// The correction of soft-iron distortion and of the magnetometer's scale.
  public var softIronMatrix: Matrix3

  public init(
    gyroBias: Vector3 = .zero, gyroBiasSlope: Vector3 = .zero, gyroBiasTemperature: Scalar? = nil,
    gyroMatrix: Matrix3 = .identity, accelerationOffset: Vector3 = .zero,
    accelerationMatrix: Matrix3 = .identity, hardIron: Vector3 = .zero,
    softIronMatrix: Matrix3 = .identity
  ) {
    self.gyroBias = gyroBias
    self.gyroBiasSlope = gyroBiasSlope
    self.gyroBiasTemperature = gyroBiasTemperature
    self.gyroMatrix = gyroMatrix
    self.accelerationOffset = accelerationOffset
    self.accelerationMatrix = accelerationMatrix
    self.hardIron = hardIron
    self.softIronMatrix = softIronMatrix
  }
}
