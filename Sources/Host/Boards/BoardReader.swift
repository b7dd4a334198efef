// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import ChipCatalog
internal import KernelSensors

/// Builds a `Board` from the tree of a board file and collects all errors. Invalid values are
/// replaced by placeholders, so that one error does not hide the next. A board with errors is never
/// returned.
struct BoardReader {
  let file: String
  let catalogue: [ChipDescription]
  /// True if the reader should search the usual folder for a calibration file that the board does
  /// not name.
  let seeksCalibration: Bool
  var errors: [BoardError] = []
  /// Returns the sensors that the kernel reads.
  var kernelSensors: () -> [KernelSensor] = { KernelSensor.all() }
  var simulatedSelects = 0
  /// True if a chip of the file is not a sensor of the kernel.
  var hasChipOnBus = false

  /// The folder at which relative paths in the file start.
  var folder: String {
    file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
  }

  mutating func report(
    _ position: SourcePosition, _ found: String, expected: String? = nil, hint: String? = nil
  ) {
    errors.append(
      BoardError(
        file: file, line: position.line, column: position.column, found: found, expected: expected,
        hint: hint))
  }

  mutating func board(_ tree: YAMLTree) -> Board? {
    guard let fields = topLevel(tree, BoardFormat.board) else { return nil }
    let buses = buses(fields)
    var chips = chips(fields, buses)
    // Nothing is wired to a bus where the kernel reads all sensors.
    if hasChipOnBus || fields["chips"] == nil { requireKey("buses", in: fields, BoardFormat.board) }
    let simulation = simulation(fields, buses, chips: chips.map(\.name))
    let calibrationPath = calibrationPath(fields)
    let calibration = calibration(fields, calibrationPath, chips: chips)
    if let calibration { apply(calibration, to: &chips) }
    return Board(
      file: file, name: text(fields, "name") ?? "", summary: text(fields, "description"),
      buses: buses, chips: chips, location: location(fields),
      calibrationPath: calibrationPath, calibration: calibration, learned: learned(fields),
      recordsHistory: flag(fields, "record-history") ?? false,
      carrier: choice(fields, "moves").flatMap(Carrier.init(name:)) ?? .hand,
      pedometer: pedometer(fields, chips: chips), wiring: wiring(fields, buses, chips),
      simulation: simulation)
  }

  /// Reads the keys of a whole file; `nil` if the file is of another kind or version.
  mutating func topLevel(_ tree: YAMLTree, _ section: BoardSection) -> Fields? {
    guard let version = section.keys.first else { return nil }
    let opening = "\(version.name): \(version.example)"
    let example = "see boards/simulated.yaml for an example"
    if tree.isNull {
      report(
        tree.position, "the file is empty", expected: "'\(opening)' and what follows", hint: example
      )
      return nil
    }
    guard case .mapping(let pairs) = tree.content else {
      report(
        tree.position, "the file is \(tree.shown)", expected: "keys and values, '\(opening)' first",
        hint: example)
      return nil
    }
    let names = pairs.compactMap { $0.key.text }
    guard names.contains(where: { section[$0] != nil }) else {
      report(
        tree.position, "no key of \(section.title) file is here", expected: "'\(opening)' first",
        hint: example)
      return nil
    }
    if let pair = pairs.first(where: { $0.key.text == version.name }) {
      guard pair.value.number == .number(Double(version.example) ?? 1) else {
        report(
          pair.value.position, "'\(version.name)' is \(pair.value.shown)",
          expected: version.example,
          hint: pair.value.text == version.example
            ? "remove the quotes" : "this program knows version \(version.example) only")
        return nil
      }
    }
    return fields(
      tree, section, owner: "the file", at: SourcePosition(line: 1, column: 1))
  }
}
