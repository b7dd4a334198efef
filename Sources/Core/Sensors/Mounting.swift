// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The orientation of a chip on its board. Only this type turns chip axes into device axes, and
/// specific force into Core Motion's acceleration.
public struct Mounting: Equatable, Sendable, BitwiseCopyable {
  /// The matrix that rotates a vector from chip axes to device axes.
  public let matrix: Matrix3
  /// True if chip axes and device axes are identical.
  @usableFromInline let isPlain: Bool

  public init(_ matrix: Matrix3 = .identity) {
    self.matrix = matrix
    isPlain = matrix == .identity
  }

  /// Returns the sample for `reading` in device axes. `timestamp` is the sample's time, `missing`
  /// the number of samples lost before the sample.
  @inlinable @inline(__always)
  public func sample(
    _ reading: ChipReading, at timestamp: Timestamp, after missing: UInt32 = 0
  ) -> Sample {
    var sample = Sample(timestamp: timestamp, channels: reading.channels)
    sample.missing = missing
    // Core Motion's acceleration is gravity minus the acceleration of the device, which is the
    // negated specific force.
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

  /// Returns the reading of a chip with this mounting for `sample`. For a mounting that is a
  /// rotation, this function is the inverse of `sample(_:at:)`.
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
