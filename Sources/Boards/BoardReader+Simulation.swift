// SPDX-License-Identifier: Apache-2.0
internal import Simulation

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
      noise: flag(fields, "noise") ?? true,
      clockError: number(fields, "clock-error-ppm") ?? 0,
      faults: faults(fields, buses: buses.map(\.name), chips: chips),
      positions: fields.positions)
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
        field.position, "the recording '\(word)' is not there",
        expected: "a file at \(path)", hint: "paths start from the board file's folder")
      return nil
    }
    return .recording(path: path)
  }

  /// A path of the file, seen from where the program runs.
  func resolve(_ path: String) -> String { path.hasPrefix("/") ? path : folder + path }
}
