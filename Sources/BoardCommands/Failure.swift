// SPDX-License-Identifier: Apache-2.0
package import Boards
import Foundation
import Otolith
package import Recordings
import MotionSources
package import Runtime

/// The end of a command by failure: a line for people, and an exit status after sysexits(3).
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

  /// The end of a command that never falls back to the simulated board, where no board is named,
  /// found or served.
  package static let noSensor = Failure(
    "no sensor found (otolith detect shows what answers): name a board with --board, "
      + "$\(BoardSelection.environmentName) or \(BoardSelection.systemPath); "
      + "to try without hardware: --board simulated", unavailable)

  package init(_ errors: BoardErrors) {
    // A file that is not there has no lines.
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
    // The text belongs to the C library and is copied here.
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
    case .noBoard, .open, .reach, .service:
      self.init(error.description, error.isDenied ? Self.noPermission : Self.unavailable)
    }
  }
}

extension Terminal {
  /// Tells what `reader` has to say of a recording that it has read.
  static func complain(about reader: RecordingReader) {
    if let remark = reader.remark { complain("\(remark); --strict refuses it") }
    for doubt in reader.notes + reader.doubts { complain(doubt.text) }
  }
}

/// The outputs of a command: results to standard output, everything else to standard error.
package enum Terminal {
  package static func complain(_ line: String) { write(TerminalText.shown(line) + "\n", to: 2) }

  package static func say(_ line: String) { write(TerminalText.shown(line) + "\n", to: 1) }

  /// Ends the program where the text cannot be written: a half is no result.
  package static func write(_ text: String, to descriptor: Int32) {
    guard let number = write(Array(text.utf8), to: descriptor) else { return }
    // Complaints that cannot be delivered must not keep the program from ending as it should.
    guard descriptor == 1 else { return }
    // `| head` has seen enough; a reader that takes nothing wants no more.
    if number == EPIPE || number == ETIMEDOUT { Terminal.exit(withStatus: 0) }
    complain(Failure(writing: number).message)
    Terminal.exit(withStatus: Failure.inputOutput)
  }

  /// Writes all of `bytes`; returns the error number where that fails.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    if descriptor == 1 { return StandardOutput.write(bytes) }
    var rest = bytes[...]
    while !rest.isEmpty {
      // As above: whole lines, and the pointer is used within the call only.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 || errno == EINTR else { return errno }
      rest = rest.dropFirst(max(count, 0))
    }
    return nil
  }

  package static var isInteractive: Bool { isatty(1) == 1 }

  /// The lines of the terminal; `nil` where it does not say.
  package static var rows: Int? { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

  /// The characters of a line of the terminal; `nil` where it does not say.
  static var columns: Int? { size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

  private static var size: winsize? {
    var size = winsize()
    // Written within the call alone.
    return unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }

  /// Over what a terminal shows of Ctrl-C.
  package static var startOfLine: String { isatty(2) == 1 ? TerminalText.startOfLine : "" }

  package static func exit(withStatus status: Int32) -> Never { Foundation.exit(status) }
}
