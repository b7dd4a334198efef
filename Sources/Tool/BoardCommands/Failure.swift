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

  /// The failure that no board is named, found or served, for commands that do not fall back to the
  /// simulated board.
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
    // `strerror` returns a string that belongs to the C library; it is copied here.
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
    case .setting, .missing, .placeUnknown: self.init(error.description, Self.configuration)
    case .noBoard, .open, .resource, .reach, .service:
      self.init(error.description, error.isDenied ? Self.noPermission : Self.unavailable)
    }
  }
}

extension Terminal {
  /// Prints the remarks of `reader` about its recording.
  static func complain(about reader: RecordingReader) {
    if let remark = reader.remark { complain("\(remark); --strict refuses it") }
    for doubt in reader.notes + reader.doubts { complain(doubt.text) }
  }
}

/// A command's output: results on standard output, everything else on standard error.
package enum Terminal {
  package static func complain(_ line: String) { write(TerminalText.shown(line) + "\n", to: 2) }

  package static func say(_ line: String) { write(TerminalText.shown(line) + "\n", to: 1) }

  /// Writes `text`; on an error ends the program, because partial output is not a result.
  package static func write(_ text: String, to descriptor: Int32) {
    guard let number = write(Array(text.utf8), to: descriptor) else { return }
    // A failed write to standard error is ignored, so that the program can still end normally.
    guard descriptor == 1 else { return }
    // The reader has closed the pipe (`| head`), or does not read while the command ends.
    if number == EPIPE || number == ETIMEDOUT { Terminal.exit(withStatus: 0) }
    complain(Failure(writing: number).message)
    Terminal.exit(withStatus: Failure.inputOutput)
  }

  /// Writes all of `bytes`; returns the error number on failure.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    if descriptor == 1 { return StandardOutput.write(bytes) }
    var rest = bytes[...]
    while !rest.isEmpty {
      // Write whole lines in one call; the pointer is used only during the call.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 || errno == EINTR else { return errno }
      rest = rest.dropFirst(max(count, 0))
    }
    return nil
  }

  package static var isInteractive: Bool { isatty(1) == 1 }

  /// The height of the terminal in lines; `nil` if unknown.
  package static var rows: Int? { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

  /// The width of the terminal in characters; `nil` if unknown.
  static var columns: Int? { size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

  private static var size: winsize? {
    var size = winsize()
    // `ioctl` writes `size` only during the call.
    return unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }

  /// The characters that clear the terminal's echo of Ctrl-C; empty if standard error is not a
  /// terminal.
  package static var startOfLine: String { isatty(2) == 1 ? TerminalText.startOfLine : "" }

  package static func exit(withStatus status: Int32) -> Never { Foundation.exit(status) }
}
