// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A signal handler that restores the terminal if the process crashes. Otherwise the shell would
/// stay on the alternate screen without echo. The handler uses only preallocated memory and the
/// calls that signal-safety(7) lists.
enum CrashRestore {
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// The state for the signal handler: the terminal's descriptor and previous settings, and the
  /// descriptors of the original and of the captured standard error. Only `arm` writes this state,
  /// before it installs the handler.
  fileprivate nonisolated(unsafe) static var terminal: Int32 = -1  // only `arm` writes
  fileprivate nonisolated(unsafe) static var state = termios()  // only `arm` writes
  fileprivate nonisolated(unsafe) static var saved: Int32 = -1  // only `arm` writes
  fileprivate nonisolated(unsafe) static var caught: Int32 = -1  // only `arm` writes
  /// The bytes that restore the screen. They are never freed, because a handler may run during
  /// exit.
  fileprivate nonisolated(unsafe) static let text = {  // filled here, once, and only read later
    let bytes = Array(MonitorTerminal.leaveText.utf8)
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = unsafe buffer.initialize(from: bytes)  // as many as were allocated
    return unsafe buffer
  }()
  fileprivate nonisolated(unsafe) static let buffer =  // the handler's alone, which runs once
    UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)

  static func arm(_ descriptor: Int32, _ before: termios, _ errors: CaughtErrors?) {
    // Initialise these lazy values before a signal handler can run, because a handler must not
    // allocate.
    _ = unsafe (text, buffer)
    unsafe terminal = descriptor  // as above
    unsafe state = before  // as above
    unsafe saved = errors?.saved ?? -1  // as above
    unsafe caught = errors?.readEnd ?? -1  // as above
    for number in signals {
      var action = sigaction()
      // SA_RESETHAND makes the handler run once. With SA_NODEFER the signal stays unblocked, so
      // raising it again has its default effect.
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | Int32(SA_NODEFER)
      unsafe action.__sigaction_handler.sa_handler = { restoreAndReturn($0) }  // no captures
      unsafe sigaction(number, &action, nil)  // read within the call
    }
  }

  static func disarm() {
    for number in signals { signal(number, SIG_DFL) }
  }
}

private func restoreAndReturn(_ number: Int32) {
  // `arm` sets this descriptor and these settings before it installs the handler; they are never
  // freed.
  unsafe tcsetattr(CrashRestore.terminal, TCSANOW, &CrashRestore.state)
  let text = unsafe CrashRestore.text
  _ = unsafe write(CrashRestore.terminal, text.baseAddress, text.count)  // as above
  // The pipe that captures standard error still contains the runtime's last messages, so print
  // them.
  let buffer = unsafe CrashRestore.buffer  // as above
  while unsafe CrashRestore.saved >= 0 {  // as above
    let count = unsafe read(CrashRestore.caught, buffer.baseAddress, buffer.count)  // as above
    guard count > 0 else { break }
    _ = unsafe write(CrashRestore.saved, buffer.baseAddress, count)  // as above
  }
  // Raise the signal again. Its default action now ends the process.
  raise(number)
}
