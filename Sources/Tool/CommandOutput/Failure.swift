// SPDX-License-Identifier: Apache-2.0
package import Boards
import Foundation
import Otolith
package import Recordings
import MotionSources
package import Runtime

/// A failure that ends a command: a line for users, and an exit status from sysexits.h.
package struct Failure: Error {
  package var message: String
  package var status: Int32

  package init(_ message: String, _ status: Int32) {
    self.message = message
    self.status = status
  }

  package static let usage: Int32 = 64
  package static let badData: Int32 = 65
  package static let noInput: Int32 = 66
  package static let unavailable: Int32 = 69
  package static let cannotCreate: Int32 = 73
  package static let inputOutput: Int32 = 74
  package static let noPermission: Int32 = 77
  package static let configuration: Int32 = 78

  /// The failure for a command that finds neither a board nor a service, and must not use the
  /// simulated board instead.
  package static let noSensor = Failure(
    "no sensor found (otolith detect shows what answers): name a board with --board, "
      + "$\(BoardSelection.environmentName) or \(BoardSelection.systemPath); "
      + "to try without hardware: --board simulated", unavailable)

  package init(_ errors: BoardErrors) {
    // Errors about a missing file have line number 0.
    let isMissing = errors.errors.allSatisfy { $0.line == 0 }
    let isDenied = errors.errors.contains { $0.isDenied }
    self.init(
      errors.description,
      isDenied ? Self.noPermission : isMissing ? Self.noInput : Self.configuration)
  }

  package init(_ error: RecordingError) {
    let status =
      switch error.kind {
      case .noInput: Self.noInput
      case .denied: Self.noPermission
      case .malformed: Self.badData
      }
    let board =
      error.kind == .noInput && ShippedBoard.named(error.file) != nil
      ? "; '\(error.file)' is a built-in board: otolith run \(error.file)" : ""
    self.init(error.description + board, status)
  }

  package init(_ error: FileWriterError) {
    self.init(
      error.description, error.kind == .cannotCreate ? Self.cannotCreate : Self.inputOutput)
  }

  package init(writing number: Int32) {
    // `strerror` returns a string that belongs to the C library, so copy it here.
    let reason = unsafe String(cString: strerror(number))
    self.init("standard output: \(reason)", Self.inputOutput)
  }

  package init(_ failure: ServiceFailure) {
    self.init(
      failure.description, failure.kind == .denied ? Self.noPermission : Self.unavailable)
  }

  package init(_ error: SessionError) {
    switch error {
    case .board(let errors): self.init(errors)
    case .recording(let error): self.init(error)
    case .setting, .missing, .noChip, .placeUnknown:
      self.init(error.description, Self.configuration)
    case .noBoard, .open, .resource, .reach, .service:
      self.init(error.description, error.isDenied ? Self.noPermission : Self.unavailable)
    }
  }
}
