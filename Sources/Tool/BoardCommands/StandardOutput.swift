// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Standard output for lines of results: a reader that stops reading does not keep the program from
/// ending.
package enum StandardOutput {
  /// Standard output, reopened if it is a pipe, so that O_NONBLOCK does not affect other processes
  /// that write to it.
  private static let descriptor: Int32 = {
    let flags = O_WRONLY | O_NONBLOCK | O_CLOEXEC
    // The text is read within the call.
    let own = isPipe ? unsafe open("/proc/self/fd/1", flags) : -1
    return own >= 0 ? own : 1
  }()

  private static let isPipe: Bool = {
    var state = stat()
    // Written within the call.
    return unsafe fstat(1, &state) == 0 && state.st_mode & S_IFMT == S_IFIFO
  }()

  /// A descriptor whose poll returns only when the reader is gone; `nil` if standard output is
  /// not a pipe.
  package static var pipe: Int32? { isPipe ? 1 : nil }

  /// True once the command is ending.
  private static let isEnding = Atomic(false)

  /// Limits the time that a write waits for its reader.
  static func end() { isEnding.store(true, ordering: .relaxed) }

  /// The timeout for a reader that does not read once the command is ending, in milliseconds.
  private static let patience: Int32 = 500

  /// Writes all of `bytes`; returns the error number on failure, ETIMEDOUT where the command is
  /// ending and the reader does not read.
  static func write(_ bytes: [UInt8]) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Whole lines in one system call; the pointer is used within it only.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        let wasEnding = isEnding.load(ordering: .relaxed)
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Written within the call.
        if unsafe poll(&wait, 1, patience) == 0, wasEnding { return ETIMEDOUT }
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
