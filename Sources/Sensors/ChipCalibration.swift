// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The errors of one chip, in the chip's own axes, before mounting: `truth = matrix * (measured -
/// offset)`.
public struct ChipCalibration: Sendable, Equatable {
  /// What the gyroscope says at rest, rad/s.
  public var gyroBias: Vector3
  /// Specific force that the accelerometer says in free fall, g.
  public var accelerationOffset: Vector3
  /// Scale and misalignment of the accelerometer.
  public var accelerationMatrix: Matrix3
  /// The field of magnetised parts that turn with the chip, microtesla.
  public var hardIron: Vector3
  /// What undoes the distortion by soft iron, and the magnetometer's scale.
  public var softIronMatrix: Matrix3

  public init(
    gyroBias: Vector3 = .zero, accelerationOffset: Vector3 = .zero,
    accelerationMatrix: Matrix3 = .identity, hardIron: Vector3 = .zero,
    softIronMatrix: Matrix3 = .identity
  ) {
    self.gyroBias = gyroBias
    self.accelerationOffset = accelerationOffset
    self.accelerationMatrix = accelerationMatrix
    self.hardIron = hardIron
    self.softIronMatrix = softIronMatrix
  }

  /// The reading with these errors taken out.
  public func corrected(_ reading: ChipReading) -> ChipReading {
    var reading = reading
    reading.rotationRate -= gyroBias
    reading.specificForce = accelerationMatrix * (reading.specificForce - accelerationOffset)
    reading.magneticField = softIronMatrix * (reading.magneticField - hardIron)
    return reading
  }
}
