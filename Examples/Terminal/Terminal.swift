// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization

/// Set by the signal's handler, which may use nothing that waits.
private let isInterrupted = Atomic(false)

/// A stand-in for an app's screen and run loop here: lines that are redrawn in place, and an end by
/// Ctrl-C or after `--seconds N`. Nothing in it is about motion.
public enum Terminal {
  private static let isInteractive = isatty(STDOUT_FILENO) == 1
  private static let linesOnScreen = Mutex(0)

  /// Shows a picture of some lines over the last one. `plain` is what a pipe or a file gets
  /// instead, a line at a time. Any thread may call this.
  public static func show(_ picture: String, plain: String? = nil) {
    guard isInteractive else { return write((plain ?? picture) + "\n") }
    linesOnScreen.withLock { count in
      let lines = picture.split(separator: "\n", omittingEmptySubsequences: false)
      // Up to where the last picture began; each line is cleared to its end.
      let up = count > 0 ? "\u{1B}[\(count)A" : ""
      write(up + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J")
      count = lines.count
    }
  }

  /// Writes a line that stays, above the picture.
  public static func note(_ line: String) {
    guard isInteractive else { return write(line + "\n") }
    linesOnScreen.withLock { count in
      write((count > 0 ? "\u{1B}[\(count)A" : "") + line + "\u{1B}[J\n")
      count = 0
    }
  }

  /// Runs the main run loop until Ctrl-C, or for `--seconds N`. With `perFrame`, calls that as
  /// often as a game draws.
  @MainActor
  public static func run(framesPerSecond: Double = 10, _ perFrame: (() -> Void)? = nil) {
    signal(SIGINT) { _ in isInterrupted.store(true, ordering: .relaxed) }
    let end = Date(timeIntervalSinceNow: seconds ?? .infinity)
    while !isInterrupted.load(ordering: .relaxed), Date() < end {
      RunLoop.main.run(until: Date(timeIntervalSinceNow: 1 / framesPerSecond))
      perFrame?()
    }
  }

  /// Says why the program cannot go on, and ends it: with 69, the status of an unavailable service.
  public static func giveUp(_ reason: String) -> Never {
    FileHandle.standardError.write(Data((reason + "\n").utf8))
    exit(69)
  }

  private static var seconds: Double? {
    let arguments = CommandLine.arguments
    guard let index = arguments.firstIndex(of: "--seconds"), index + 1 < arguments.count else {
      return nil
    }
    return Double(arguments[index + 1])
  }

  private static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
