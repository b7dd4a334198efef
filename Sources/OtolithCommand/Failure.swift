// SPDX-License-Identifier: Apache-2.0
import Boards
import Foundation
import Otolith
import Recordings
import MotionSources
import Runtime

/// The end of a command by failure: a line for people, and an exit status after sysexits(3).
struct Failure: Error {
  var message: String
  var status: Int32

  init(_ message: String, _ status: Int32) {
    self.message = message
    self.status = status
  }

  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noInput: Int32 = 66
  static let unavailable: Int32 = 69
  static let cannotCreate: Int32 = 73
  static let inputOutput: Int32 = 74
  static let noPermission: Int32 = 77
  static let configuration: Int32 = 78

  /// The end of a command that makes nothing up, where no board is named, found or served.
  static func noSensor(to verb: String) -> Failure {
    Failure(
      "no sensor is found to \(verb) (see otolith detect): name a board by --board, "
        + "$\(BoardSelection.environmentName) or \(BoardSelection.systemPath), "
        + "be it boards/simulated.yaml", unavailable)
  }

  init(_ errors: BoardErrors) {
    // A file that is not there has no lines.
    let isMissing = errors.errors.allSatisfy { $0.line == 0 }
    let isDenied = errors.errors.contains { $0.isDenied }
    self.init(
      errors.description,
      isDenied ? Self.noPermission : isMissing ? Self.noInput : Self.configuration)
  }

  init(_ error: RecordingError) {
    let status =
      switch error.kind {
      case .noInput: Self.noInput
      case .denied: Self.noPermission
      case .malformed: Self.badData
      }
    self.init(error.description, status)
  }

  init(_ error: FileWriterError) {
    self.init(
      error.description, error.kind == .cannotCreate ? Self.cannotCreate : Self.inputOutput)
  }

  init(writing number: Int32) {
    // The text belongs to the C library and is copied here.
    let reason = unsafe String(cString: strerror(number))
    self.init("standard output: \(reason)", Self.inputOutput)
  }

  init(_ failure: ServiceFailure) {
    self.init(
      failure.description, failure.kind == .denied ? Self.noPermission : Self.unavailable)
  }

  init(_ error: SessionError) {
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
    for doubt in reader.notes + reader.doubts { complain(doubt.text) }
  }
}

/// The outputs of a command: results to standard output, everything else to standard error.
enum Terminal {
  static func complain(_ line: String) { write(TerminalText.shown(line) + "\n", to: 2) }

  static func say(_ line: String) { write(TerminalText.shown(line) + "\n", to: 1) }

  /// Ends the program where the text cannot be written: a half is no result.
  static func write(_ text: String, to descriptor: Int32) {
    guard let number = write(Array(text.utf8), to: descriptor) else { return }
    // Complaints that cannot be delivered must not keep the program from ending as it should.
    guard descriptor == 1 else { return }
    // `| head` has seen enough; a reader that takes nothing wants no more.
    if number == EPIPE || number == ETIMEDOUT { OtolithTool.exit(withStatus: 0) }
    complain(Failure(writing: number).message)
    OtolithTool.exit(withStatus: Failure.inputOutput)
  }

  /// Writes all of `bytes`; returns the error number where that fails.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
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

  static var isInteractive: Bool { isatty(1) == 1 }

  /// The lines of the terminal; `nil` where it does not say.
  static var rows: Int? { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

  /// The characters of a line of the terminal; `nil` where it does not say.
  static var columns: Int? { size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

  private static var size: winsize? {
    var size = winsize()
    // Written within the call alone.
    return unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }

  /// Over what a terminal shows of Ctrl-C.
  static var startOfLine: String { isatty(2) == 1 ? TerminalText.startOfLine : "" }
}

extension OtolithTool {
  static func exit(withStatus status: Int32) -> Never { Foundation.exit(status) }
}
