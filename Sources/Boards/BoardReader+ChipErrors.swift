// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

extension BoardReader {
  mutating func chipErrors(_ fields: Fields) -> ChipCalibration {
    let slope = vector(fields, "gyro-bias-slope-rad-s-k")
    let temperature = number(fields, "gyro-bias-temperature-c")
    if let field = fields["gyro-bias-slope-rad-s-k"], fields["gyro-bias-temperature-c"] == nil {
      report(
        field.keyPosition, "'\(field.key.name)' without 'gyro-bias-temperature-c'",
        hint: "say at which temperature 'gyro-bias-rad-s' holds")
    }
    return ChipCalibration(
      gyroBias: vector(fields, "gyro-bias-rad-s"), gyroBiasSlope: slope,
      gyroBiasTemperature: temperature, gyroMatrix: correction(fields, "gyro-matrix"),
      accelerationOffset: vector(fields, "acceleration-offset-g"),
      accelerationMatrix: correction(fields, "acceleration-matrix"),
      hardIron: vector(fields, "hard-iron-ut"),
      softIronMatrix: correction(fields, "soft-iron-matrix"))
  }

  mutating func vector(_ fields: Fields, _ key: String) -> Vector3 {
    guard let field = fields[key],
      let values = numbers(
        field.value, 3, of: "'\(key)'", expected: "three numbers such as \(field.key.example)")
    else { return .zero }
    return Vector3(values[0], values[1], values[2])
  }

  mutating func correction(_ fields: Fields, _ key: String) -> Matrix3 {
    guard let field = fields[key], let rows = rows(field.value, of: field.key) else {
      return .identity
    }
    let matrix = Matrix3(
      rows: Vector3(rows[0][0], rows[0][1], rows[0][2]),
      Vector3(rows[1][0], rows[1][1], rows[1][2]),
      Vector3(rows[2][0], rows[2][1], rows[2][2]))
    // A correction is close to the identity; a reflection or projection is a mistake.
    if !(matrix.determinant > 0.1 && matrix.determinant < 10) {
      report(
        field.position, "'\(key)' has the determinant \(matrix.determinant.short)",
        expected: "a correction near the identity")
    }
    return matrix
  }
}
