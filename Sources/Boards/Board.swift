// SPDX-License-Identifier: Apache-2.0
public import Fusion
public import Recognition

/// A board as its file describes it: its buses, the chips on them, the settings of each chip, and
/// its place. Everything is checked against the catalogue; physical values are in the units of
/// `Quantities`.
public struct Board: Sendable, Equatable {
  /// The file this was read from, by the name under which it was asked for.
  public var file: String
  public var name: String
  /// The file's `description`.
  public var summary: String?
  /// In the order of the file.
  public var buses: [BusDescription]
  /// In the order of the file.
  public var chips: [ChipPlacement]
  public var location: Location?
  /// The path of the calibration file, whether or not there is one yet; `nil` for a board that is
  /// not a file on disk.
  public var calibrationPath: String?
  public var calibration: Calibration?
  /// The place that keeps what is learned while running, for the next run.
  public var learned = LearnedPlace.usual
  /// True where the service records while no program runs.
  public var recordsHistory = false
  /// The kind of carrier that moves the board, for fusion.
  public var carrier = Carrier.hand
  /// The person who carries it, and how their steps are counted.
  public var pedometer = PedometerSettings()
  /// The wiring of pin to pin, where the file gives it.
  public var wiring: BoardWiring?
  /// The motion, noise and faults of the simulated buses; `nil` where no bus is simulated.
  public var simulation: SimulationDescription?
  /// The text that it was read from.
  public var text = ""
  /// The recording of its buses; `nil` for a board of hardware or models.
  public var trace: Trace?

  /// The bus called `name`.
  public func bus(_ name: String) -> BusDescription? { buses.first { $0.name == name } }

  /// True where no hardware answers on one of its buses: it is simulated, or a trace.
  public var isMadeUp: Bool { buses.contains { $0.path == nil } }

  /// The sentence that heads every report about a board whose chips are not, or not all, hardware;
  /// `nil` where all of them are.
  package var notice: String? {
    if trace != nil {
      return "RECORDED BOARD: a trace answers in place of its chips; no hardware is measured"
    }
    let simulated = buses.filter(\.isSimulated).map(\.name)
    guard !simulated.isEmpty else { return nil }
    guard simulated.count < buses.count else {
      return "SIMULATED BOARD: models answer in place of its chips; no hardware is measured"
    }
    return "PARTLY SIMULATED BOARD: models answer on \(simulated.joined(separator: ", ")); "
      + "no hardware is measured there"
  }

  /// The chips on the bus called `name`.
  public func chips(on name: String) -> [ChipPlacement] { chips.filter { $0.bus == name } }

  /// An error about a place of this board, found by a layer that knows more than the file's own
  /// checks.
  public func error(
    at position: SourcePosition, found: String, expected: String? = nil, hint: String? = nil
  ) -> BoardError {
    BoardError(
      file: file, line: position.line, column: position.column, found: found, expected: expected,
      hint: hint)
  }
}
