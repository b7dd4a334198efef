// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation

/// Gives the terminal back where the process dies of a fault: a shell on the other screen, without
/// echo, is no help in reporting it. The handlers use nothing but system calls that
/// signal-safety(7) lists, and memory that was there before.
enum CrashRestore {
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// The handler's data: the terminal and how it was, and where standard error was and is caught.
  /// `arm` writes them before it sets any handler, and nothing else does.
  fileprivate nonisolated(unsafe) static var terminal: Int32 = -1  // only `arm` writes
  fileprivate nonisolated(unsafe) static var state = termios()  // only `arm` writes
  fileprivate nonisolated(unsafe) static var saved: Int32 = -1  // only `arm` writes
  fileprivate nonisolated(unsafe) static var caught: Int32 = -1  // only `arm` writes
  /// Never freed: a handler may run at the very end.
  fileprivate nonisolated(unsafe) static let text = {  // filled here, once, and only read later
    let bytes = Array(MonitorTerminal.leaveText.utf8)
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = unsafe buffer.initialize(from: bytes)  // as many as were allocated
    return unsafe buffer
  }()
  fileprivate nonisolated(unsafe) static let buffer =  // the handler's alone, which runs once
    UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)

  static func arm(_ descriptor: Int32, _ before: termios, _ errors: CaughtErrors?) {
    // Before any handler is set: the lazy values are made here.
    _ = unsafe (text, buffer)
    unsafe terminal = descriptor  // as above
    unsafe state = before  // as above
    unsafe saved = errors?.saved ?? -1  // as above
    unsafe caught = errors?.readEnd ?? -1  // as above
    for number in signals {
      var action = sigaction()
      // Once, and not blocked meanwhile: raised again by the handler, the signal has its default
      // effect.
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
  // Set by `arm`, before this was; never freed.
  unsafe tcsetattr(CrashRestore.terminal, TCSANOW, &CrashRestore.state)
  let text = unsafe CrashRestore.text
  _ = unsafe write(CrashRestore.terminal, text.baseAddress, text.count)  // as above
  // The runtime's last words are in the pipe.
  let buffer = unsafe CrashRestore.buffer  // as above
  while unsafe CrashRestore.saved >= 0 {  // as above
    let count = unsafe read(CrashRestore.caught, buffer.baseAddress, buffer.count)  // as above
    guard count > 0 else { break }
    _ = unsafe write(CrashRestore.saved, buffer.baseAddress, count)  // as above
  }
  // Now it dies of it, by the default.
  raise(number)
}
