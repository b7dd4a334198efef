// SPDX-License-Identifier: Apache-2.0

/// What the fusion engine is told once. Nothing here depends on a sampling rate; every time is in seconds.
public struct FusionParams: Equatable, Sendable, BitwiseCopyable {
  /// Time constant with which the accelerometer corrects inclination. Longer trusts the gyroscope more. s
  public var accelerationTime = 3.0
  /// Time constant with which the magnetometer corrects heading. s
  public var magneticTime = 15.0

  /// Standard deviation of the gyroscope's bias at power-up. rad/s (0.5 deg/s)
  public var initialBiasSigma = 0.5 * Double.pi / 180
  /// Time in which the bias may have wandered by 0.1 deg/s. s
  public var biasForgettingTime = 100.0
  /// The bias never leaves this interval on either side of zero. rad/s (8 deg/s)
  public var biasLimit = 8.0 * Double.pi / 180
  /// What the bias sigma settles to in motion. rad/s (0.1 deg/s)
  public var motionBiasSigma = 0.1 * Double.pi / 180
  /// How much less the bias about the vertical is believed in motion, where only gravity corrects it.
  public var verticalForgettingFactor = 0.0001
  /// What the bias sigma settles to at rest. rad/s (0.03 deg/s)
  public var restBiasSigma = 0.03 * Double.pi / 180

  /// How long the device must lie still to be at rest. s
  public var restMinimumTime = 1.5
  /// Time constant of the low-pass filters against which rest is judged. s
  public var restFilterTime = 0.5
  /// Deviation of the rotation rate from its mean that is still rest. rad/s (2 deg/s)
  public var restRotationRate = 2.0 * Double.pi / 180
  /// Deviation of the acceleration from its mean that is still rest. g
  public var restAcceleration = 0.05

  /// Time constant of the low-pass filter of the current field's norm and dip. s
  public var fieldFilterTime = 0.05
  /// Time constant with which the reference field follows an undisturbed one. s
  public var fieldReferenceTime = 20.0
  /// Deviation of the norm, as a fraction, that is still undisturbed.
  public var fieldNormTolerance = 0.1
  /// Deviation of the dip angle that is still undisturbed. rad (10 deg)
  public var fieldDipTolerance = 10.0 * Double.pi / 180
  /// How long a field must be like the reference to be believed again. s
  public var fieldRecoveryTime = 0.5
  /// How long another, homogeneous field must hold in motion to become the reference. s
  public var fieldAdoptionTime = 20.0
  /// The same for the first reference. s
  public var fieldFirstAdoptionTime = 5.0
  /// Only such rotation counts as motion through a field. rad/s (20 deg/s)
  public var fieldAdoptionRotationRate = 20.0 * Double.pi / 180
  /// How long a disturbance is ignored altogether. s
  public var magneticRejectionTime = 60.0
  /// After that, and before, how much weaker a disturbed field corrects.
  public var magneticRejectionFactor = 2.0

  /// A longer silence of the gyroscope than this is a gap: attitude is held, inclination starts anew. s
  public var gap = 1.0

  /// Time constant with which the corrected frame's heading follows the magnetometer's. s
  public var correctedHeadingTime = 20.0

  public init() {}
}
