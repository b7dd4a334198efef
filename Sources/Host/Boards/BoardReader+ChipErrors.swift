// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

extension BoardReader {
  mutating func chipErrors(_ fields: Fields) -> ChipCalibration {
    let slope = offset(fields, "gyro-bias-slope-rad-s-k", atMost: 0.1)
    let temperature = number(fields, "gyro-bias-temperature-c")
    if let field = fields["gyro-bias-slope-rad-s-k"], fields["gyro-bias-temperature-c"] == nil {
      report(
        field.keyPosition, "'\(field.key.name)' without 'gyro-bias-temperature-c'",
        hint: "add the temperature at which 'gyro-bias-rad-s' was measured")
    }
    return ChipCalibration(
      gyroBias: offset(fields, "gyro-bias-rad-s", atMost: 2), gyroBiasSlope: slope,
      gyroBiasTemperature: temperature, gyroMatrix: correction(fields, "gyro-matrix"),
      accelerationOffset: offset(fields, "acceleration-offset-g", atMost: 1),
      accelerationMatrix: correction(fields, "acceleration-matrix"),
      hardIron: offset(fields, "hard-iron-ut", atMost: 5000),
      softIronMatrix: correction(fields, "soft-iron-matrix"))
  }

  /// Reads the position of a chip relative to another, in metres.
  mutating func leverArm(_ fields: Fields) -> Vector3 {
    let arm = vector(fields, "lever-arm-m")
    if let field = fields["lever-arm-m"], arm.norm > 10 {
      report(
        field.position, "'lever-arm-m' is \(arm.norm.short) m long",
        expected: "at most 10 m between two chips of one rigid body", hint: "is that its unit?")
    }
    return arm
  }

  /// Reads an offset in the unit of its key. Reports a value above `most`, because no chip in the
  /// catalogue has a larger offset: the LSM9DS1 may have 30 deg/s (0.52 rad/s) and the MPU-6050 80
  /// mg, and the AK8963 measures up to 4912 microtesla.
  private mutating func offset(_ fields: Fields, _ key: String, atMost most: Double) -> Vector3 {
    let offset = vector(fields, key)
    let largest = max(offset.x.magnitude, offset.y.magnitude, offset.z.magnitude)
    if let field = fields[key], largest > most {
      report(
        field.position, "'\(key)' is up to \(largest.short)",
        expected: "numbers up to \(most.short), the size of real chips' errors",
        hint: "is that its unit?")
    }
    return offset
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
    // A correction is close to the identity, so a reflection or a projection is a mistake.
    if !(matrix.determinant > 0.1 && matrix.determinant < 10) {
      report(
        field.position, "'\(key)' has the determinant \(matrix.determinant.short)",
        expected: "a correction near the identity")
    }
    return matrix
  }
}
