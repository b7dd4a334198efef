// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Recordings

/// A command's output: results on standard output, everything else on standard error.
package enum Terminal {
  package static func complain(_ line: String) { write(TerminalText.shown(line) + "\n", to: 2) }

  package static func say(_ line: String) { write(TerminalText.shown(line) + "\n", to: 1) }

  /// Writes `text`. An error ends the program, because partial output is not a result.
  package static func write(_ text: String, to descriptor: Int32) {
    guard let number = write(Array(text.utf8), to: descriptor) else { return }
    // Ignore a failed write to standard error, so that the program can still end normally.
    guard descriptor == 1 else { return }
    // The reader has closed the pipe (`| head`), or has stopped reading while the command ends.
    if number == EPIPE || number == ETIMEDOUT { Terminal.exit(withStatus: 0) }
    complain(Failure(writing: number).message)
    Terminal.exit(withStatus: Failure.inputOutput)
  }

  /// Writes all of `bytes`; returns the error number on failure.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    if descriptor == 1 { return StandardOutput.write(bytes) }
    var rest = bytes[...]
    while !rest.isEmpty {
      // `write` reads through the pointer only during the call.
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
  package static var columns: Int? { size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

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

extension Terminal {
  /// Prints the remarks of `reader` about its recording.
  package static func complain(about reader: RecordingReader) {
    if let remark = reader.remark { complain("\(remark); --strict refuses it") }
    for warning in reader.notes + reader.warnings { complain(warning.text) }
  }
}
