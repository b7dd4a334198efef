// SPDX-License-Identifier: Apache-2.0
public import BusTraces
public import Fusion
public import Recognition

/// A board as described by its file: buses, chips, the settings of each chip, and the location.
/// Everything is checked against the catalogue; physical values are in the units of `Quantities`.
public struct Board: Sendable, Equatable {
  /// The board's file, under the name by which it was opened.
  public var file: String
  public var name: String
  /// The file's `description`.
  public var summary: String?
  /// The buses, in file order.
  public var buses: [BusDescription]
  /// The chips, in file order.
  public var chips: [ChipPlacement]
  public var location: Location?
  /// The path of the calibration file, which may not exist yet; `nil` for a board that is not a
  /// file on disk.
  public var calibrationPath: String?
  public var calibration: Calibration?
  /// Where values learned while running are stored for the next run.
  public var learned = LearnedPlace.usual
  /// True if the service records even without clients.
  public var recordsHistory = false
  /// The kind of carrier that moves the board, which fusion uses.
  public var carrier = Carrier.hand
  /// The person who carries the board, and how to count steps.
  public var pedometer = PedometerSettings()
  /// The pin-to-pin wiring, if the file contains it.
  public var wiring: BoardWiring?
  /// The motion, noise and faults of the simulated buses; `nil` if no bus is simulated.
  public var simulation: SimulationDescription?
  /// The text of the board file.
  public var text = ""
  /// The trace of its buses; `nil` for a board of hardware or models.
  public var trace: Trace?

  /// The bus called `name`.
  public func bus(_ name: String) -> BusDescription? { buses.first { $0.name == name } }

  /// True if at least one bus is simulated or a trace.
  public var isMadeUp: Bool { buses.contains { $0.path == nil } }

  /// The heading of every report about a board whose chips are not all hardware; `nil` if they
  /// are.
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

  /// Creates an error at a position in this board's file, for checks in higher layers.
  public func error(
    at position: SourcePosition, found: String, expected: String? = nil, hint: String? = nil
  ) -> BoardError {
    BoardError(
      file: file, line: position.line, column: position.column, found: found, expected: expected,
      hint: hint)
  }
}
