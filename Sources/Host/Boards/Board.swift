// SPDX-License-Identifier: Apache-2.0
public import BusTraces
public import Fusion
public import Recognition

/// A board as its file describes it: buses, chips, the settings of each chip, and the location.
/// Everything is checked against the catalogue. Physical values are in the units of `Quantities`.
public struct Board: Sendable, Equatable {
  /// The path of the board file, or the name under which the board was opened.
  public var file: String
  public var name: String
  /// The value of the key `description` in the file.
  public var summary: String?
  /// The buses, in the order of the file.
  public var buses: [BusDescription]
  /// The chips, in the order of the file.
  public var chips: [ChipPlacement]
  public var location: Location?
  /// The path of the calibration file, which may not exist yet; `nil` if the board is not a file on
  /// disk.
  public var calibrationPath: String?
  public var calibration: Calibration?
  /// The file in which learned values are stored for the next run.
  public var learned = LearnedPlace.usual
  /// True if the service records movement even without clients.
  public var recordsHistory = false
  /// The hand, person, vehicle or boat that carries the board. The parameters of fusion depend on
  /// this carrier.
  public var carrier = Carrier.hand
  /// The data of the person who carries the board, and the settings for counting steps.
  public var pedometer = PedometerSettings()
  /// The wiring from pin to pin, if the file contains it.
  public var wiring: BoardWiring?
  /// The motion, noise and faults of the simulated buses; `nil` if no bus is simulated.
  public var simulation: SimulationDescription?
  /// The text from which the board was read.
  public var text = ""
  /// The trace that replaces the board's buses; `nil` for a board of hardware or models.
  public var trace: Trace?

  /// Returns the bus with this name; `nil` if the board has no such bus.
  public func bus(_ name: String) -> BusDescription? { buses.first { $0.name == name } }

  /// True if all chips are simulated.
  package var isAllSimulated: Bool { buses.allSatisfy(\.isSimulated) && !hasKernelSensor }

  /// True if the kernel reads at least one of the chips.
  package var hasKernelSensor: Bool { chips.contains { $0.kernelSensor != nil } }

  /// True if at least one bus is simulated or comes from a trace.
  public var isMadeUp: Bool { buses.contains { $0.path == nil } }

  /// A warning at the top of every report about a board that has simulated chips or a trace; `nil`
  /// if all chips of the board are hardware.
  package var notice: String? {
    if trace != nil {
      return "RECORDED BOARD: a trace answers in place of its chips; no hardware is measured"
    }
    let simulated = buses.filter(\.isSimulated).map(\.name)
    guard !simulated.isEmpty else { return nil }
    guard simulated.count < buses.count || hasKernelSensor else {
      return "SIMULATED BOARD: models answer in place of its chips; no hardware is measured"
    }
    return "PARTLY SIMULATED BOARD: models answer on \(simulated.joined(separator: ", ")); "
      + "no hardware is measured there"
  }

  /// Returns the chips on the bus with this name.
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
