// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The rotation, place and time offset of a chip relative to the board, in addition to the chip's
/// mounting, and their uncertainties.
public struct SensorAlignment: Equatable, Sendable {
  /// The small rotation from the chip's device axes, which its mounting gives, to the device axes
  /// of the board.
  public var rotation: Quaternion
  /// The place of the chip relative to the first chip, m, in device axes.
  public var leverArm: Vector3
  /// The time to add to the chip's time stamps, s.
  public var timeOffset: Scalar
  /// The standard deviation of the rotation about each axis, rad.
  public var rotationSigma: Scalar
  /// The standard deviation of each component of the lever arm, m.
  public var leverArmSigma: Scalar
  /// The standard deviation of the time offset, s.
  public var timeOffsetSigma: Scalar

  /// Creates an alignment. The default uncertainties are those of chips that were soldered side by
  /// side: two degrees, two centimetres, two milliseconds.
  public init(
    rotation: Quaternion = .identity, leverArm: Vector3 = .zero, timeOffset: Scalar = 0,
    rotationSigma: Scalar = 0.035, leverArmSigma: Scalar = 0.02, timeOffsetSigma: Scalar = 0.002
  ) {
    self.rotation = rotation
    self.leverArm = leverArm
    self.timeOffset = timeOffset
    self.rotationSigma = rotationSigma
    self.leverArmSigma = leverArmSigma
    self.timeOffsetSigma = timeOffsetSigma
  }

  /// The alignment of a chip that defines the board's axes.
  public static var identity: SensorAlignment { SensorAlignment() }
}
