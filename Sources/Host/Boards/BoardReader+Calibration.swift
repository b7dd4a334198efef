// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities
internal import Sensors
internal import Text

extension BoardReader {
  /// Returns the path of the board's calibration file, which need not exist.
  mutating func calibrationPath(_ board: Fields) -> String? {
    if board["calibration"] != nil { return text(board, "calibration").map(resolve) }
    guard seeksCalibration else { return nil }
    return resolve("calibration/" + file.dropFirst(folder.count))
  }

  /// Sets the mounting and alignment that were measured on the device. Measured values have
  /// priority over those in the board file.
  func apply(_ calibration: Calibration, to chips: inout [ChipPlacement]) {
    for index in chips.indices {
      chips[index].mounting =
        calibration.chips[chips[index].name]?.mounting ?? chips[index].mounting
    }
    for index in chips.indices {
      guard let alignment = calibration.chips[chips[index].name]?.alignment,
        let reference = chips.first(where: { $0.name == alignment.reference })
      else { continue }
      chips[index].alignment = alignment
      let mounting = Mounting(reference.mounting.matrix * alignment.value.rotation)
      chips[index].mounting = mounting
      chips[index].position = reference.position + mounting.matrix * alignment.value.leverArm
      chips[index].delays.rotationRate += alignment.value.timeOffset
      chips[index].delays.acceleration += alignment.value.timeOffset
      chips[index].delays.magneticField += alignment.value.timeOffset
    }
  }

  mutating func calibration(_ board: Fields, _ path: String?, chips: [ChipPlacement])
    -> Calibration?
  {
    guard let path else { return nil }
    switch TextFile.read(path) {
    case .text(let text):
      var source = YAMLSource(text, file: path)
      var tree = source.tree()
      // An empty text has no YAML tree, but must be reported because it is not a calibration.
      if tree == nil, source.errors.isEmpty {
        tree = YAMLTree(content: .scalar("", plain: true), position: .start)
      }
      var reader = CalibrationReader(file: path, errors: source.errors)
      let calibration = tree.flatMap { reader.calibration($0, chips: chips) }
      errors += reader.errors
      return calibration
    case .tooLarge(let most):
      errors.append(
        BoardError(
          file: path, line: 1, column: 1, found: "the file has more than \(most) bytes",
          hint: "is this a calibration file?"))
      return nil
    case .problem(let problem):
      if let field = board["calibration"] {
        report(
          field.position, "the calibration file \(path): \(problem)",
          hint: "remove the line until the board is calibrated")
      } else if problem != "no such file" {
        // Report the error: if an existing calibration file were ignored, the samples would be
        // wrong without any message.
        var error = BoardError(
          file: path, line: 0, column: 0, found: problem, expected: "the board's calibration",
          hint: "remove it to go on without")
        error.isDenied = problem == "permission denied"
        errors.append(error)
      }
      return nil
    }
  }
}

/// A reader of calibration files that uses the functions for board files.
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
      let kind = reader.text(fields, "chip") ?? ""
      var chip = CalibratedChip(
        chip: reader.catalogue.meant(by: kind)?.name ?? kind,
        address: reader.address(fields, nil, nil),
        serial: reader.text(fields, "serial"), made: reader.text(fields, "made"),
        notes: reader.text(fields, "notes"))
      if let placement { check(chip, fields, is: placement) }
      chip.errors = reader.chipErrors(fields)
      chip.mounting = fields["mounting"].map { _ in reader.mounting(fields) }
      chip.alignment = alignment(fields, of: name, chips: chips)
      calibration.chips[name] = chip
    }
    checkReferences(calibration, field)
    return calibration
  }

  /// Checks that no chip is aligned to a chip that is itself aligned to a third chip.
  private mutating func checkReferences(_ calibration: Calibration, _ field: Field) {
    for (name, chip) in calibration.chips.sorted(by: { $0.key < $1.key }) {
      guard let reference = chip.alignment?.reference,
        calibration.chips[reference]?.alignment != nil
      else { continue }
      reader.report(
        field.position, "'\(name)' is aligned to '\(reference)', which is aligned to another chip",
        hint: "remove the alignment of one and calibrate again")
    }
  }

  /// Reads the chip's alignment with another chip; `nil` if there is none.
  private mutating func alignment(
    _ fields: Fields, of name: String, chips: [ChipPlacement]
  ) -> MeasuredAlignment? {
    guard let field = fields["aligned-to"], let reference = reader.text(fields, "aligned-to") else {
      return nil
    }
    guard reference != name, chips.contains(where: { $0.name == reference }) else {
      let others = chips.map(\.name).filter { $0 != name }
      reader.report(
        field.position, "'aligned-to' is '\(reference)'",
        expected: others.isEmpty ? "another chip of this board" : NearestWord.list(others))
      return nil
    }
    let alignment = ChipAlignment(
      rotation: reader.mounting(fields, "alignment").matrix,
      rotationSigma: reader.number(fields, "alignment-sigma-rad") ?? 0,
      leverArm: reader.leverArm(fields),
      leverArmSigma: reader.number(fields, "lever-arm-sigma-m") ?? 0,
      timeOffset: reader.number(fields, "time-offset-s") ?? 0,
      timeOffsetSigma: reader.number(fields, "time-offset-sigma-s") ?? 0)
    return MeasuredAlignment(to: reference, alignment)
  }

  /// Checks that the calibration belongs to this chip.
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
}
