// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The register codes of an accelerometer's full scales.
public protocol AccelerationScale: FieldValue, CaseIterable {
  /// The full scale in g.
  var g: Scalar { get }
  /// The typical g per count.
  var gPerCount: Scalar { get }
}

/// The register codes of a gyroscope's full scales.
public protocol RotationScale: FieldValue, CaseIterable {
  /// The gyroscope's full scale in degrees per second.
  var degreesPerSecond: Scalar { get }
  /// The gyroscope's typical rad/s per count.
  var radiansPerCount: Scalar { get }
}

extension RotationScale {
  package var radiansPerSecond: Scalar { radians(fromDegrees: degreesPerSecond) }
}

/// The register codes for a chip with an accelerometer and a gyroscope.
public protocol InertialCodes: ChipConfiguration {
  associatedtype AccelScale: AccelerationScale
  associatedtype GyroScale: RotationScale

  var accelFullScale: AccelScale { get set }
  var gyroFullScale: GyroScale { get set }
}

extension RegisterChip where Codes: InertialCodes {
  public static func range(of channel: Channel, at index: Int, of codes: Codes) -> Scalar? {
    switch channel {
    case .acceleration: Codes.AccelScale.size(at: index) { $0.g }
    case .rotationRate: Codes.GyroScale.size(at: index) { $0.radiansPerSecond }
    default: nil
    }
  }
}

extension RegisterChip where Codes: InertialCodes {
  /// Returns the typical size of one count, in the unit of `channel`, at the full scale with number
  /// `index`, counted from the smallest; `nil` if the chip has no such full scale.
  package static func count(of channel: Channel, at index: Int) -> Scalar? {
    switch channel {
    case .acceleration: Codes.AccelScale.size(at: index) { $0.gPerCount }
    case .rotationRate: Codes.GyroScale.size(at: index) { $0.radiansPerCount }
    default: nil
    }
  }
}

extension InertialCodes {
  /// Chooses the smallest full scales that cover the ranges in `settings`, and sets these ranges to
  /// the full scales.
  package mutating func fitScales(_ settings: inout SensorSettings) {
    accelFullScale.chooseSmallest(holding: &settings.accelerationRange) { $0.g }
    gyroFullScale.chooseSmallest(holding: &settings.rotationRateRange) { $0.radiansPerSecond }
  }

  /// Returns the settings for these register codes at a rate of `rate` Hz.
  package func settings(rate: Scalar) -> SensorSettings {
    var settings = SensorSettings(readout, rate: rate)
    settings.accelerationRange = accelFullScale.g
    settings.rotationRateRange = gyroFullScale.radiansPerSecond
    return settings
  }

  /// Writes the full-scale codes and `part` into a batch's format. `part` is the code of the part,
  /// or the code of the frames' layout if a chip has several layouts.
  @inlinable @inline(__always)
  package func describe(_ batch: inout RawBatch, part: UInt8 = 0) {
    batch.format[0] = accelFullScale.fieldBits
    batch.format[1] = gyroFullScale.fieldBits
    batch.format[2] = part
    batch.format[5] = 0
  }
}

// The units of a batch's frames according to its format; 0 for undefined codes. The type is public
// because the compiler does not inline package structures into other modules.
public struct InertialUnits<Codes: InertialCodes> {
  public let gPerCount: Scalar
  public let radiansPerCount: Scalar

  @inlinable @inline(__always)
  public init(_ batch: borrowing RawBatch) {
    gPerCount = Codes.AccelScale(fieldBits: batch.format[0])?.gPerCount ?? 0
    radiansPerCount = Codes.GyroScale(fieldBits: batch.format[1])?.radiansPerCount ?? 0
  }
}

extension RawBatch {
  /// The code of the part or layout, as `InertialCodes.describe` wrote it into the format.
  @inlinable @inline(__always)
  package var part: UInt8 { format[2] }

  /// True if the format holds the latest temperature, because the frames contain none.
  @inlinable @inline(__always)
  package var isTemperatureSeparate: Bool { format[5] != 0 }

  /// The temperature in the batch's format, in counts.
  @inlinable @inline(__always)
  package var separateTemperature: Int16 {
    Int16(bitPattern: UInt16(format[3]) << 8 | UInt16(format[4]))
  }

  /// Writes a temperature into the batch's format.
  @inlinable @inline(__always)
  package mutating func setTemperature(high: UInt8, low: UInt8) {
    format[3] = high
    format[4] = low
    format[5] = 1
  }
}
