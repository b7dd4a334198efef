// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

extension BoardReader {
  /// Where the board's calibration is or would be.
  mutating func calibrationPath(_ board: Fields) -> String? {
    if board["calibration"] != nil { return text(board, "calibration").map(resolve) }
    guard seeksCalibration else { return nil }
    return resolve("calibration/" + file.dropFirst(folder.count))
  }

  mutating func calibration(_ board: Fields, _ path: String?, chips: [ChipPlacement])
    -> Calibration?
  {
    guard let path else { return nil }
    switch TextFile.read(path) {
    case .text(let text):
      var source = YAMLSource(text, file: path)
      let tree = source.tree()
      var reader = CalibrationReader(file: path, errors: source.errors)
      let calibration = tree.flatMap { reader.calibration($0, chips: chips) }
      errors += reader.errors
      return calibration
    case .problem(let problem):
      // Nobody promised a calibration, so none is missing.
      guard let field = board["calibration"] else { return nil }
      report(
        field.position, "the calibration file \(path): \(problem)",
        hint: "remove the line until the board is calibrated")
      return nil
    }
  }
}

/// Reads a calibration file with the means of a board file.
struct CalibrationReader {
  var reader: BoardReader

  init(file: String, errors: [BoardError]) {
    reader = BoardReader(file: file, catalogue: [], seeksCalibration: false, errors: errors)
  }

  var errors: [BoardError] { reader.errors }

  mutating func calibration(_ tree: YAMLTree, chips: [ChipPlacement]) -> Calibration? {
    guard let top = reader.topLevel(tree, BoardFormat.calibration), let field = top["chips"] else {
      return nil
    }
    var calibration = Calibration(file: reader.file, chips: [:])
    for entry in reader.entries(field, of: BoardFormat.chipCalibration) {
      let name = entry.key.text ?? ""
      let placement = chips.first { $0.name == name }
      if placement == nil {
        let names = chips.map { $0.name }
        let guess = NearestWord.to(name, among: names)
        reader.report(
          entry.key.position, "the board has no chip '\(name)'",
          expected: guess == nil && !names.isEmpty ? NearestWord.list(names) : nil,
          hint: guess.map { "did you mean '\($0)'?" })
      }
      guard
        let fields = reader.fields(
          entry.value, BoardFormat.chipCalibration, owner: "chip '\(name)'", at: entry.key.position)
      else { continue }
      var chip = CalibratedChip(
        chip: reader.text(fields, "chip") ?? "", address: reader.address(fields, nil, nil),
        serial: reader.text(fields, "serial"), made: reader.text(fields, "made"),
        notes: reader.text(fields, "notes"))
      if let placement { check(chip, fields, is: placement) }
      chip.errors = errors(fields)
      calibration.chips[name] = chip
    }
    return calibration
  }

  /// A calibration must not act on a chip that it was not made of.
  private mutating func check(_ chip: CalibratedChip, _ fields: Fields, is placement: ChipPlacement)
  {
    let remedy = "remove the entry '\(placement.name)' and calibrate again"
    if !chip.chip.isEmpty, !placement.chip.isEmpty, chip.chip != placement.chip {
      reader.report(
        fields["chip"]?.position ?? fields.position,
        "this was measured of \(chip.chip), and '\(placement.name)' is \(placement.chip)",
        hint: remedy)
    } else if let measured = chip.address, let address = placement.address, measured != address {
      reader.report(
        fields["address"]?.position ?? fields.position,
        "this was measured at address \(measured.hexadecimal), and '\(placement.name)' is at "
          + address.hexadecimal,
        hint: "if it is the same chip, write \(address.hexadecimal); else \(remedy)")
    }
  }

  private mutating func errors(_ fields: Fields) -> ChipCalibration {
    let slope = vector(fields, "gyro-bias-slope-rad-s-k")
    let temperature = reader.number(fields, "gyro-bias-temperature-c")
    if let field = fields["gyro-bias-slope-rad-s-k"], fields["gyro-bias-temperature-c"] == nil {
      reader.report(
        field.keyPosition, "'\(field.key.name)' without 'gyro-bias-temperature-c'",
        hint: "say at which temperature 'gyro-bias-rad-s' holds")
    }
    return ChipCalibration(
      gyroBias: vector(fields, "gyro-bias-rad-s"), gyroBiasSlope: slope,
      gyroBiasTemperature: temperature, gyroMatrix: matrix(fields, "gyro-matrix"),
      accelerationOffset: vector(fields, "acceleration-offset-g"),
      accelerationMatrix: matrix(fields, "acceleration-matrix"),
      hardIron: vector(fields, "hard-iron-ut"), softIronMatrix: matrix(fields, "soft-iron-matrix"))
  }

  mutating func vector(_ fields: Fields, _ key: String) -> Vector3 {
    guard let field = fields[key],
      let values = reader.numbers(
        field.value, 3, of: "'\(key)'", expected: "three numbers such as \(field.key.example)")
    else { return .zero }
    return Vector3(values[0], values[1], values[2])
  }

  mutating func matrix(_ fields: Fields, _ key: String) -> Matrix3 {
    guard let field = fields[key], let rows = reader.rows(field.value, of: field.key) else {
      return .identity
    }
    let matrix = Matrix3(
      rows: Vector3(rows[0][0], rows[0][1], rows[0][2]),
      Vector3(rows[1][0], rows[1][1], rows[1][2]),
      Vector3(rows[2][0], rows[2][1], rows[2][2]))
    // A correction near the identity; what turns or flattens space is a slip, not a calibration.
    if !(matrix.determinant > 0.1 && matrix.determinant < 10) {
      reader.report(
        field.position, "'\(key)' has the determinant \(matrix.determinant.short)",
        expected: "a correction near the identity")
    }
    return matrix
  }
}
