// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A calibration prepared for correcting samples. Corrections that would change nothing are
/// skipped, so that they take no time.
public struct ChipCorrection: Sendable {
  private let calibration: ChipCalibration
  /// True if correcting a reading with this calibration would not change it.
  public let isIdentity: Bool
  private let hasGyroMatrix: Bool
  private let hasAccelerationMatrix: Bool
  private let hasSoftIronMatrix: Bool
  /// True if the gyroscope's bias depends on temperature.
  private let hasSlope: Bool

  public init(_ calibration: ChipCalibration = ChipCalibration()) {
    self.calibration = calibration
    hasGyroMatrix = calibration.gyroMatrix != .identity
    hasAccelerationMatrix = calibration.accelerationMatrix != .identity
    hasSoftIronMatrix = calibration.softIronMatrix != .identity
    hasSlope = calibration.gyroBiasTemperature != nil && calibration.gyroBiasSlope != .zero
    isIdentity =
      !hasGyroMatrix && !hasAccelerationMatrix && !hasSoftIronMatrix && !hasSlope
      && calibration.gyroBias == .zero && calibration.accelerationOffset == .zero
      && calibration.hardIron == .zero
  }

  /// Returns the reading with the chip's errors corrected. Quantities that are not in the reading
  /// stay zero. A reading without a temperature is treated as one at the temperature at which the
  /// gyroscope's bias was measured.
  public func corrected(_ reading: ChipReading) -> ChipReading {
    var reading = reading
    if reading.channels.contains(.rotationRate) {
      reading.rotationRate -= calibration.gyroBias
      if hasSlope, let reference = calibration.gyroBiasTemperature,
        reading.channels.contains(.temperature)
      {
        reading.rotationRate -= calibration.gyroBiasSlope * (reading.temperature - reference)
      }
      if hasGyroMatrix { reading.rotationRate = calibration.gyroMatrix * reading.rotationRate }
    }
    if reading.channels.contains(.acceleration) {
      reading.specificForce -= calibration.accelerationOffset
      if hasAccelerationMatrix {
        reading.specificForce = calibration.accelerationMatrix * reading.specificForce
      }
    }
    if reading.channels.contains(.magneticField) {
      reading.magneticField -= calibration.hardIron
      if hasSoftIronMatrix {
        reading.magneticField = calibration.softIronMatrix * reading.magneticField
      }
    }
    return reading
  }
}
