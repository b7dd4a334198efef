// SPDX-License-Identifier: Apache-2.0
internal import Simulation
internal import Quantities
internal import Text

extension BoardReader {
  mutating func simulation(_ board: Fields, _ buses: [BusDescription], chips: [String])
    -> SimulationDescription?
  {
    let isSimulated = buses.contains { $0.isSimulated }
    guard let field = board["simulation"] else {
      return isSimulated ? SimulationDescription(positions: Positions(entry: board.position)) : nil
    }
    guard
      let fields = fields(
        field.value, BoardFormat.simulation, owner: "'simulation'", at: field.keyPosition)
    else { return nil }
    if !isSimulated {
      report(
        field.keyPosition, "'simulation' on a board without a simulated bus",
        hint: "remove it, or make a bus 'simulated: i2c'")
    }
    return SimulationDescription(
      motion: motion(fields) ?? .sway,
      seed: integer(fields, "seed").map { UInt64($0) } ?? 1,
      noise: noise(fields) ?? .typical,
      clockError: number(fields, "clock-error-ppm") ?? 0,
      errors: simulatedErrors(fields, chips: chips),
      faults: faults(fields, buses: buses.map(\.name), chips: chips),
      senses: senses(fields), positions: fields.positions)
  }

  private mutating func simulatedErrors(_ simulation: Fields, chips: [String])
    -> [String: SimulatedErrors]
  {
    guard let field = simulation["errors"] else { return [:] }
    var errors: [String: SimulatedErrors] = [:]
    for entry in entries(field, of: BoardFormat.simulatedErrors) {
      let name = entry.key.text ?? ""
      if !chips.contains(name) {
        let guess = NearestWord.to(name, among: chips)
        report(
          entry.key.position, "the board has no chip '\(name)'",
          expected: guess == nil && !chips.isEmpty ? NearestWord.list(chips) : nil,
          hint: guess.map { "did you mean '\($0)'?" })
      }
      guard
        let fields = fields(
          entry.value, BoardFormat.simulatedErrors, owner: "the errors of '\(name)'",
          at: entry.key.position)
      else { continue }
      errors[name] = SimulatedErrors(
        chip: chipErrors(fields), mounting: fields["mounting"].map { _ in mounting(fields) },
        position: fields["position-mm"].map { _ in vector(fields, "position-mm") / 1000 },
        timeOffset: number(fields, "time-offset-s") ?? 0)
    }
    return errors
  }

  private mutating func motion(_ fields: Fields) -> SimulationDescription.Motion? {
    guard let field = fields["motion"], let word = text(fields, "motion") else { return nil }
    if let motion = MovingWorld.Motion(rawValue: word) { return .profile(motion) }
    if word == BoardFormat.asAsked { return .asAsked }
    guard word.lowercased().hasSuffix(".csv") else {
      let guess = NearestWord.to(word, among: BoardFormat.motions)
      refuse(field, hint: guess.map { "did you mean '\($0)'?" })
      return nil
    }
    let path = resolve(word)
    guard case .text = TextFile.kind(path) else {
      report(
        field.position, "the recording '\(word)' does not exist",
        expected: "a file at \(path)", hint: "paths are relative to the board file's folder")
      return nil
    }
    return .recording(path: path)
  }

  /// Converts a path from the board file, where relative paths start at the file's folder, to a
  /// path that is valid in the program's working directory.
  func resolve(_ path: String) -> String { path.hasPrefix("/") ? path : folder + path }
}
