// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The position and orientation of a chip relative to another chip of the same rigid body, and the
/// difference between their clocks, as estimated from motion. All values are in chip axes, so they
/// are valid for any mounting of the two chips.
public struct ChipAlignment: Equatable, Sendable, BitwiseCopyable {
  /// The rotation from this chip's axes to the axes of the other chip.
  public var rotation: Matrix3
  /// The standard deviation of the rotation about an axis, in radians.
  public var rotationSigma: Scalar
  /// The position of this chip as seen from the other chip, in metres, in this chip's axes.
  public var leverArm: Vector3
  /// The standard deviation of a component of the lever arm, in metres.
  public var leverArmSigma: Scalar
  /// The time in seconds by which this chip's timestamps for a motion are later than the other
  /// chip's, after the known delays of both chips have been subtracted.
  public var timeOffset: Scalar
  /// The standard deviation of the time offset, in seconds.
  public var timeOffsetSigma: Scalar

  public init(
    rotation: Matrix3 = .identity, rotationSigma: Scalar = 0, leverArm: Vector3 = .zero,
    leverArmSigma: Scalar = 0, timeOffset: Scalar = 0, timeOffsetSigma: Scalar = 0
  ) {
    self.rotation = rotation
    self.rotationSigma = rotationSigma
    self.leverArm = leverArm
    self.leverArmSigma = leverArmSigma
    self.timeOffset = timeOffset
    self.timeOffsetSigma = timeOffsetSigma
  }
}
