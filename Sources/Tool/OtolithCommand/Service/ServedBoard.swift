// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import BoardCommands
import Boards
import Foundation
import Logging
import Otolith
import MotionSources
import Runtime

/// The board of a service. The board is chosen at the start, and again when the service's owner
/// requests this.
final class ServedBoard {
  private let path: String?
  private let simulation: SimulationOptions
  private(set) var selection: BoardSelection
  /// The selection that becomes current after the session has ended.
  private var next: BoardSelection?

  init(path: String?, simulation: SimulationOptions) throws(Failure) {
    self.path = path
    self.simulation = simulation
    selection = try Self.find(path, simulation)
  }

  /// Chooses the board for this machine. The simulated board is used only if it is named, because a
  /// program that acts on the service's motion must not mistake simulated motion for real motion.
  private static func find(
    _ path: String?, _ simulation: SimulationOptions
  ) throws(Failure) -> BoardSelection {
    let selection = try choose(path, simulation) { Detector.detect() }
    guard selection.reason != .nothingElse else {
      throw Failure.noSensor
    }
    return selection
  }

  private static func choose(
    _ path: String?, _ simulation: SimulationOptions, detect: () -> DetectionResult
  ) throws(Failure) -> BoardSelection {
    var selection: BoardSelection
    do throws(BoardErrors) {
      selection = try BoardSelection.choose(
        path: path, environment: nil, systemPath: BoardSelection.systemPath, detect: detect)
    } catch { throw Failure(error) }
    try simulation.apply(to: &selection)
    return selection
  }

  /// Logs the error if the board cannot be opened now. The error may be temporary, so the service
  /// continues, and clients receive the error when they request samples. Throws if another process
  /// uses the board.
  func checkBuses() throws(Failure) {
    do throws(SessionError) { try BoardSession(selection.board).tryOpening() } catch {
      if error.isTaken { throw Failure(error) }
      logger.warning("\(error.description)")
    }
  }

  /// Returns the error in the board that would be chosen now; `nil` if this board is valid. The
  /// next call of `renew` then uses this board.
  func objection() -> String? {
    do throws(Failure) {
      // Do not detect the chips yet, because they belong to this process until the session has
      // ended.
      let found = try Self.choose(path, simulation) { DetectionResult() }
      next = found.reason == .nothingElse ? nil : found
      return nil
    } catch {
      logger.error("the board is unchanged: \(error.message)")
      return error.message
    }
  }

  /// Makes the new selection current. Call this function after the session has ended.
  func renew() {
    if let next {
      selection = next
    } else {
      do throws(Failure) {
        selection = try Self.find(path, simulation)
      } catch { logger.error("the board is unchanged: \(error.message)") }
    }
    next = nil
    logger.notice("board: \(selection.sentence)")
    for remark in selection.remarks { logger.notice("\(remark)") }
  }

  /// Deletes the board's file of learned values. Call this function after the session has ended.
  func forget() {
    let environment = ProcessInfo.processInfo.environment
    guard let file = LearnedPlace.path(of: selection.board, environment: environment) else {
      return logger.notice("nothing is stored for this board")
    }
    // The board file may name any path, so delete only a file that otolith has written.
    do throws(BoardErrors) { _ = try LearnedFile.load(path: file) } catch {
      let first = error.errors.first?.description ?? file
      return logger.error("not a file of learned values, left unchanged: \(first)")
    }
    // `unlink` reads the path only during the call.
    if unsafe unlink(file) == 0 || errno == ENOENT {
      logger.notice("learned values discarded: \(file)")
    } else {
      // `strerror` returns a string that belongs to the C library, so copy it here.
      logger.error("\(file) cannot be deleted: \(unsafe String(cString: strerror(errno)))")
    }
  }
}

private let logger = Logger(label: "otolith.service")
