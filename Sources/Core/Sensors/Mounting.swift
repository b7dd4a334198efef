// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A chip's orientation on its board: the only place where chip axes become device axes and
/// specific force becomes Core Motion's acceleration.
public struct Mounting: Equatable, Sendable, BitwiseCopyable {
  /// Rotates a vector from chip axes to device axes.
  public let matrix: Matrix3
  /// True if the axes are identical.
  @usableFromInline let isPlain: Bool

  public init(_ matrix: Matrix3 = .identity) {
    self.matrix = matrix
    isPlain = matrix == .identity
  }

  /// Returns the sample for `reading`, taken at `timestamp` after `missing` lost samples.
  @inlinable @inline(__always)
  public func sample(
    _ reading: ChipReading, at timestamp: Timestamp, after missing: UInt32 = 0
  ) -> Sample {
    var sample = Sample(timestamp: timestamp, channels: reading.channels)
    sample.missing = missing
    // Core Motion reports gravity minus the acceleration of the device, which is the negated
    // specific force.
    if isPlain {
      sample.acceleration = -reading.specificForce
      sample.rotationRate = reading.rotationRate
      sample.magneticField = reading.magneticField
    } else {
      sample.acceleration = -(matrix * reading.specificForce)
      sample.rotationRate = matrix * reading.rotationRate
      sample.magneticField = matrix * reading.magneticField
    }
    sample.scalars = reading.scalars
    return sample
  }

  /// Returns the reading of a chip with this mounting for `sample`: the inverse of `sample(_:at:)`,
  /// for a rotation.
  public func reading(_ sample: Sample) -> ChipReading {
    let inverse = matrix.transposed
    var reading = ChipReading(channels: sample.channels)
    reading.specificForce = -(inverse * sample.acceleration)
    reading.rotationRate = inverse * sample.rotationRate
    reading.magneticField = inverse * sample.magneticField
    reading.scalars = sample.scalars
    return reading
  }
}
