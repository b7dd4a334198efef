// SPDX-License-Identifier: Apache-2.0
public import BusTraces
public import Fusion

/// What a board file says: which chips sit on which buses, how each shall run, and where it is
/// mounted. Everything is checked against the catalogue; physical values are in the units of
/// `Quantities`.
public struct Board: Sendable, Equatable {
  /// The file this was read from, as it was named by whoever asked for it.
  public var file: String
  public var name: String
  public var summary: String?
  /// In the order of the file.
  public var buses: [BusDescription]
  /// In the order of the file.
  public var chips: [ChipPlacement]
  public var location: Location?
  /// Where the calibration is, or would be; `nil` for a board that is not a file on disk.
  public var calibrationPath: String?
  public var calibration: Calibration?
  /// Where what is learned while running is kept for the next run.
  public var learned = LearnedPlace.usual
  /// Whether the service records while no program runs.
  public var recordsHistory = false
  /// What moves it, as fusion must know.
  public var carrier = Carrier.hand
  /// Who carries it, and how their steps are counted.
  public var pedometer = PedometerSettings()
  /// Which pin goes to which, where the file says it.
  public var wiring: BoardWiring?
  /// How the simulated buses move; `nil` where no bus is simulated.
  public var simulation: SimulationDescription?
  /// The text that it was read from.
  public var text = ""
  /// What was recorded of its buses; `nil` for a board that is there, or simulated.
  public var trace: Trace?

  /// The bus called `name`.
  public func bus(_ name: String) -> BusDescription? { buses.first { $0.name == name } }

  /// Whether no hardware answers on one of its buses: it is simulated, or a trace.
  public var isMadeUp: Bool { buses.contains { $0.path == nil } }

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
