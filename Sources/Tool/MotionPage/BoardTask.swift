// SPDX-License-Identifier: Apache-2.0
import BoardCalibration
import Boards
import ChipCatalog
import MotionViews
import Otolith
import MotionSources
import Runtime

/// The tasks that a page can start on the served board: `otolith bringup`, and each calibration of
/// `otolith calibrate`.
enum BoardTask: String, CaseIterable, Sendable {
  case bringUp = "bringup"
  case gyroscope
  case accelerometer
  case magnetometer
  case mounting
  case alignment

  var title: String {
    switch self {
    case .bringUp: "Check the board"
    case .gyroscope: "Calibrate the gyroscope"
    case .accelerometer: "Calibrate the accelerometer"
    case .magnetometer: "Calibrate the magnetometer"
    case .mounting: "Find the mounting"
    case .alignment: "Align the chips"
    }
  }

  /// The command that performs the same task in a terminal.
  var command: String { self == .bringUp ? "otolith bringup" : "otolith calibrate \(rawValue)" }

  /// The channel that the task needs; `nil` if the task needs no particular channel.
  private var channel: Channel? {
    switch self {
    case .bringUp: nil
    case .gyroscope, .alignment: .rotationRate
    case .accelerometer, .mounting: .acceleration
    case .magnetometer: .magneticField
    }
  }

  func isPossible(on board: Board) -> Bool {
    if self == .alignment { return AlignmentCalibration.isPossible(on: board) }
    return channel.map { channel in board.chips.contains { $0.measures(channel) } } ?? true
  }

  /// The calibration with default settings; `nil` for a check.
  var calibration: (any GuidedCalibration)? {
    // The result is not written until a person saves it. Simulated boards run in real time, because
    // a person watches.
    var request = CalibrationRequest()
    (request.isDryRun, request.isRealTime) = (true, true)
    return switch self {
    case .bringUp: nil
    case .gyroscope: GyroscopeCalibration(request)
    case .accelerometer: AccelerometerCalibration(request)
    case .magnetometer: MagnetometerCalibration(request)
    case .mounting: MountingCalibration(request)
    case .alignment: AlignmentCalibration(request)
    }
  }

  /// Returns a message that names the command to use instead, if no task is possible on `source`;
  /// otherwise `nil`.
  static func obstacle(_ source: any MotionSource) -> String? {
    if source.kind.isService {
      return "The otolith service has this board. Stop it (sudo systemctl stop otolith.socket "
        + "otolith.service) and type: otolith bringup, or: otolith calibrate all"
    }
    guard let board = source.kind.board else {
      return "A recording cannot run checks. Choose a board above, or type: otolith bringup "
        + "--board FILE; of a recorded calibration: otolith calibrate magnetometer --recording FILE"
    }
    guard board.buses.contains(where: \.isTrace) else { return nil }
    return "A trace can only repeat what was recorded. Choose a board above, or type: otolith "
      + "bringup --board \(board.file)"
  }
}

extension Board {
  /// Reloads the board from its file and from the calibration file next to it. A board without a
  /// file is returned unchanged.
  func readAnew() throws(BoardErrors) -> Board {
    guard calibrationPath != nil else { return self }
    var board = try BoardFile.load(path: file, catalogue: ChipCatalog.descriptions)
    board.simulation = simulation
    return board
  }

  /// True if simulated chips replace the chips that the board file names.
  var isSimulatedInstead: Bool {
    guard calibrationPath == nil else { return false }
    let own = try? BoardFile.load(path: file, catalogue: ChipCatalog.descriptions)
    return own?.calibrationPath != nil
  }

  /// The board, moved as the task's instructions require if it is simulated. If a simulated board
  /// has a file, this motion needs `motion: as-asked` in the file.
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
