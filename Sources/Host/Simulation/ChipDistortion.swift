// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities
internal import Sensors

/// The errors of a chip, applied to readings: the inverse of `ChipCorrection` with the same
/// calibration, `measured = matrix^-1 * truth + offset`.
struct ChipDistortion {
  private let errors: ChipCalibration
  private let gyro: Matrix3
  private let acceleration: Matrix3
  private let softIron: Matrix3

  /// Creates the errors. A singular matrix is ignored; board files cannot contain a singular
  /// matrix.
  init(_ errors: ChipCalibration) {
    self.errors = errors
    gyro = errors.gyroMatrix.inverse ?? .identity
    acceleration = errors.accelerationMatrix.inverse ?? .identity
    softIron = errors.softIronMatrix.inverse ?? .identity
  }

  func distorted(_ truth: ChipReading) -> ChipReading {
    var reading = truth
    reading.rotationRate = gyro * truth.rotationRate + errors.gyroBias
    if let temperature = errors.gyroBiasTemperature {
      reading.rotationRate += errors.gyroBiasSlope * (truth.temperature - temperature)
    }
    reading.specificForce = acceleration * truth.specificForce + errors.accelerationOffset
    reading.magneticField = softIron * truth.magneticField + errors.hardIron
    return reading
  }
}
