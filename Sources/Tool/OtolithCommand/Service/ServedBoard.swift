// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import BoardCommands
import Boards
import Foundation
import Logging
import Otolith
import MotionSources
import Runtime

/// The board of a service. It is chosen at the start, and again when the service's owner requests
/// it.
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

  /// Chooses the board for this machine. The simulated board is used only if it is named: a program
  /// that acts on the service's motion must not mistake it for real motion.
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

  /// Logs the error that would prevent opening the board now. The error may be temporary, so
  /// clients get it too when they request samples. Throws if another process uses the board.
  func checkBuses() throws(Failure) {
    do throws(SessionError) { try BoardSession(selection.board).tryOpening() } catch {
      if error.isTaken { throw Failure(error) }
      logger.warning("\(error.description)")
    }
  }

  /// Returns the error in the board that would be chosen now; `nil` if it is valid. The next
  /// `renew` then uses it.
  func objection() -> String? {
    do throws(Failure) {
      // The chips are not detected yet, because they belong to this process until the session has
      // ended.
      let found = try Self.choose(path, simulation) { DetectionResult() }
      next = found.reason == .nothingElse ? nil : found
      return nil
    } catch {
      logger.error("the board is unchanged: \(error.message)")
      return error.message
    }
  }

  /// Makes the new selection current. Call it after the session has ended.
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

  /// Deletes the board's file of learned values. Call it after the session has ended.
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
      // `strerror` returns a string that belongs to the C library; it is copied here.
      logger.error("\(file) cannot be deleted: \(unsafe String(cString: strerror(errno)))")
    }
  }
}

private let logger = Logger(label: "otolith.service")
