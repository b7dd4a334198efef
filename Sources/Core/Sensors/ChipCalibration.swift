// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The calibration of one chip: `truth = matrix * (measured - offset)`. The calibration is in the
/// chip's axes, before mounting, so that it stays valid if the chip is mounted differently.
public struct ChipCalibration: Sendable, Equatable {
  /// The rotation rate that the gyroscope returns at rest at `gyroBiasTemperature`, in rad/s.
  public var gyroBias: Vector3
  /// The change of the gyroscope's bias with the chip's temperature, in rad/s per kelvin.
  public var gyroBiasSlope: Vector3
  /// The chip temperature at which `gyroBias` was measured, in degrees Celsius. If the temperature
  /// is `nil`, the slope is not used.
  public var gyroBiasTemperature: Scalar?
  /// The correction of the gyroscope's scale and misalignment.
  public var gyroMatrix: Matrix3
  /// The specific force that the accelerometer returns in free fall, in g.
  public var accelerationOffset: Vector3
  /// The correction of the accelerometer's scale and misalignment.
  public var accelerationMatrix: Matrix3
  /// The magnetic field of magnetised parts that rotate with the chip, in microtesla.
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
