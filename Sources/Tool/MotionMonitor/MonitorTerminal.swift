// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
import Foundation

/// A terminal in full-screen mode. It delivers keys without Return, and output never blocks.
/// `leave` restores the previous state; after a crash `CrashRestore` restores it.
package final class MonitorTerminal {
  /// The descriptor for reading keys and writing frames.
  package let descriptor: Int32
  private let ownsDescriptor: Bool
  private let before: termios
  private var isEntered = false
  /// The bytes of frames that the terminal has not accepted yet.
  private var pending: ArraySlice<UInt8> = []
  /// The captured standard error; `nil` if it is not a terminal.
  private var caught: CaughtErrors?

  /// `enterText` switches to the alternate screen and hides the cursor; `leaveText` switches back
  /// and restores colours and modes.
  private static let enterText = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  static let leaveText = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Opens the terminal of standard output. Throws if standard output is not a terminal.
  package init() throws(Failure) {
    guard isatty(0) == 1, isatty(1) == 1 else {
      throw Failure(
        "monitor needs a terminal; 'otolith run' writes lines, and 'otolith monitor --snapshot "
          + "80x24' one screen", Failure.usage)
    }
    let type = ProcessInfo.processInfo.environment["TERM"] ?? ""
    guard !type.isEmpty, type != "dumb" else {
      throw Failure(
        "monitor cannot move the cursor of a terminal of type '\(type)' ($TERM); "
          + "'otolith run --format jsonl' works on any", Failure.usage)
    }
    // The terminal is opened a second time, so that O_NONBLOCK does not affect the descriptor that
    // the shell shares.
    var name = [CChar](repeating: 0, count: 256)
    let found = unsafe ttyname_r(1, &name, name.count) == 0  // written within the call
    let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let own = found ? unsafe open(name, flags) : -1  // read within the call
    // After su the terminal belongs to another user and cannot be opened again. Output may then
    // block.
    ownsDescriptor = own >= 0
    descriptor = own >= 0 ? own : 1
    var state = termios()
    // `tcgetattr` writes `state` only during the call.
    guard unsafe tcgetattr(descriptor, &state) == 0 else {
      throw Failure("the terminal's settings cannot be read; try 'reset'", Failure.inputOutput)
    }
    before = state
  }

  deinit { if ownsDescriptor { close(descriptor) } }

  /// The current number of columns and rows. It is limited to 1000 by 400, because a terminal may
  /// report any size.
  package var size: (columns: Int, rows: Int) {
    var size = winsize()
    // `ioctl` writes `size` only during the call.
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (min(Int(size.ws_col), 1000), min(Int(size.ws_row), 400))
  }

  /// Switches the terminal to full-screen mode.
  package func enter() {
    var raw = before
    // ISIG stays set, so Ctrl-C and Ctrl-Z remain signals.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // If VMIN and VTIME are 0, `read` returns the available bytes without waiting.
    unsafe withUnsafeMutableBytes(of: &raw.c_cc) { bytes in
      unsafe bytes[Int(VMIN)] = 0  // an index of the C library's own
      unsafe bytes[Int(VTIME)] = 0  // as above
    }
    // `tcsetattr` reads `raw` only during the call.
    unsafe tcsetattr(descriptor, TCSANOW, &raw)
    isEntered = true
    if caught == nil { caught = CaughtErrors() }
    CrashRestore.arm(descriptor, before, caught)
    pending = ArraySlice(Self.enterText.utf8)
    flush()
  }

  /// Restores the terminal's previous state. Waits at most 0.2 s if the terminal accepts no output.
  package func leave() {
    guard isEntered else { return }
    isEntered = false
    // Send the pending bytes first, because an incomplete control sequence would consume part of
    // the next sequence.
    pending += ArraySlice(Self.leaveText.utf8)
    for _ in 0..<20 where !flush() { wait(milliseconds: 10) }
    if !pending.isEmpty {
      tcflush(descriptor, TCOFLUSH)
      pending = ArraySlice(Self.leaveText.utf8)
      flush()
      pending = []
    }
    var state = before
    // `tcsetattr` reads `state` only during the call.
    unsafe tcsetattr(descriptor, TCSANOW, &state)
    CrashRestore.disarm()
    caught?.release()
    caught = nil
  }

  /// True if the terminal has accepted all output.
  var isReady: Bool { pending.isEmpty }

  /// Sends as much of `bytes` as the terminal accepts now; later calls of `flush` send the rest.
  package func send(_ bytes: [UInt8]) {
    pending += bytes[...]
    flush()
  }

  /// Sends pending bytes. Returns true if the terminal has accepted all of them, or has hung up.
  @discardableResult
  package func flush() -> Bool {
    while !pending.isEmpty {
      let count = unsafe pending.withUnsafeBytes {  // used within the call
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        pending = pending.dropFirst(count)
      } else if errno == EAGAIN {
        return false
      } else if errno != EINTR {
        // The terminal hung up. SIGHUP reports this too, so discard the pending bytes.
        pending = []
        return true
      }
    }
    return true
  }

  /// Returns the bytes of pressed keys; `nil` if the terminal has hung up.
  package func keys() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = unsafe buffer.withUnsafeMutableBytes {  // written within the call
      unsafe read(descriptor, $0.baseAddress, $0.count)
    }
    // Because VMIN is 0, `read` returns 0 if no key was pressed. If the terminal has hung up, it
    // fails with EIO.
    guard count >= 0 || errno == EAGAIN || errno == EINTR else { return nil }
    return Array(buffer.prefix(max(count, 0)))
  }

  /// Returns the complete lines written to standard error since the last call.
  func errorLines() -> [String] { caught?.lines() ?? [] }

  private func wait(milliseconds: Int32) {
    var none = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&none, 1, milliseconds)  // used within the call
  }
}

/// A capture of standard error. Without the capture, log lines would overwrite the screen.
/// `release` writes the captured lines to the original standard error.
final class CaughtErrors {
  let saved: Int32
  let readEnd: Int32
  private var rest: [UInt8] = []
  /// The captured bytes that `release` prints. If there are too many, old bytes are dropped.
  private var kept: [UInt8] = []

  /// Starts capturing. Returns `nil` if standard error is not a terminal, because it then does not
  /// disturb the screen.
  init?() {
    guard isatty(2) == 1 else { return nil }
    var ends: [Int32] = [-1, -1]
    // `pipe` writes its two descriptors during the call.
    guard unsafe pipe(&ends) == 0 else { return nil }
    // The pipe is non-blocking, because a thread that logs must not wait for the reader.
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    fflush(nil)
    saved = dup(2)
    readEnd = ends[0]
    guard saved >= 0, dup2(ends[1], 2) >= 0 else {
      for end in ends { close(end) }
      if saved >= 0 { close(saved) }
      return nil
    }
    close(ends[1])
  }

  func lines() -> [String] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {  // written within the call
        unsafe read(readEnd, $0.baseAddress, $0.count)
      }
      guard count > 0 else { break }
      rest += buffer.prefix(count)
      kept += buffer.prefix(count)
    }
    if kept.count > 1 << 16 { kept.removeFirst(kept.count - 1 << 15) }
    var lines: [String] = []
    while let end = rest.firstIndex(of: 0x0A) {
      lines.append(String(decoding: rest[..<end], as: UTF8.self))
      rest.removeFirst(end + 1)
    }
    return lines
  }

  /// Restores standard error, and writes the captured lines to it.
  func release() {
    _ = lines()
    dup2(saved, 2)
    close(saved)
    close(readEnd)
    if !kept.isEmpty { _ = Terminal.write(kept, to: 2) }
  }
}
