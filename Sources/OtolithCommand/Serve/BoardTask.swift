// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Boards
import ChipCatalog
import MotionViews
import Otolith
import MotionSources
import Runtime

/// The tasks that a page can start on the board that is served: what `otolith bringup` and `otolith
/// calibrate` do.
enum BoardTask: String, CaseIterable, Sendable {
  case bringUp = "bringup"
  case gyroscope
  case accelerometer
  case magnetometer
  case mounting

  var title: String {
    switch self {
    case .bringUp: "Check the board"
    case .gyroscope: "Calibrate the gyroscope"
    case .accelerometer: "Calibrate the accelerometer"
    case .magnetometer: "Calibrate the magnetometer"
    case .mounting: "Find the mounting"
    }
  }

  /// The command that does the same in a terminal.
  var command: String { self == .bringUp ? "otolith bringup" : "otolith calibrate \(rawValue)" }

  /// The channel that it looks at; `nil`: whatever there is.
  private var channel: Channel? {
    switch self {
    case .bringUp: nil
    case .gyroscope: .rotationRate
    case .accelerometer, .mounting: .acceleration
    case .magnetometer: .magneticField
    }
  }

  func isPossible(on board: Board) -> Bool {
    channel.map { channel in board.chips.contains { $0.measures(channel) } } ?? true
  }

  /// Measures; the calibrations alone, as they are without options.
  func measure(
    _ guide: any Guide, on board: Board
  ) throws -> (CalibrationTask, CalibrationOutcome)? {
    // What is found waits until a person saves it, who watches a simulated board in real time.
    let arguments = ["--dry-run", "--real-time"]
    return switch self {
    case .bringUp: nil
    case .gyroscope: try CalibrateGyroscope.parse(arguments).measure(guide, on: board)
    case .accelerometer: try CalibrateAccelerometer.parse(arguments).measure(guide, on: board)
    case .magnetometer: try CalibrateMagnetometer.parse(arguments).measure(guide, on: board)
    case .mounting: try CalibrateMounting.parse(arguments).measure(guide, on: board)
    }
  }

  /// The reason why none can be made of `source`, and what to type instead; `nil`: they can.
  static func obstacle(_ source: any MotionSource) -> String? {
    if source is ServiceSource {
      return "The otolith service has this board. Stop it (sudo systemctl stop otolith.socket "
        + "otolith.service) and type: otolith bringup, or: otolith calibrate all"
    }
    guard let session = source as? BoardSession else {
      return "A recording cannot be asked for anything. Choose a board above, or type: otolith "
        + "bringup --board FILE; of a recorded calibration: otolith calibrate magnetometer "
        + "--recording FILE"
    }
    guard session.board.buses.contains(where: \.isTrace) else { return nil }
    return "A trace repeats what happened, and nothing else can be asked of it. Choose a board "
      + "above, or type: otolith bringup --board \(session.board.file)"
  }
}

extension Board {
  /// The same board as its file says it now, with the calibration that lies beside it now. What
  /// has no such file is as it was.
  func readAnew() throws(BoardErrors) -> Board {
    guard calibrationPath != nil else { return self }
    var board = try BoardFile.load(path: file, catalogue: ChipCatalog.descriptions)
    board.simulation = simulation
    return board
  }

  /// True where models stand in the place of the chips that its file names.
  var isSimulatedInstead: Bool {
    guard calibrationPath == nil else { return false }
    let own = try? BoardFile.load(path: file, catalogue: ChipCatalog.descriptions)
    return own?.calibrationPath != nil
  }

  /// The same board, of which a simulated one does as a task asks. One that lies in a file of its
  /// own says that by itself (`motion: as-asked`).
  var asAsked: Board {
    guard calibrationPath == nil, buses.allSatisfy(\.isSimulated) else { return self }
    switch simulation?.motion {
    case .held, .recording: return self
    default:
      var board = self
      board.simulation?.motion = .asAsked
      return board
    }
  }
}
