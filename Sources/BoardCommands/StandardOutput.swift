// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Standard output as lines of results need it: a reader that takes nothing holds up no end.
package enum StandardOutput {
  /// Standard output, opened anew where it is a pipe, so that not to wait is a matter of this
  /// process alone and not of the others that write into it.
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

  /// A descriptor that a wait is over for when the reader goes away, and else never; `nil` where
  /// there is none.
  package static var pipe: Int32? { isPipe ? 1 : nil }

  /// True once the command was asked to end.
  private static let isEnding = Atomic(false)

  /// Gives up soon a write that a reader holds up.
  static func end() { isEnding.store(true, ordering: .relaxed) }

  /// The time in which a reader may take nothing once the command was asked to end, in
  /// milliseconds.
  private static let patience: Int32 = 500

  /// Writes all of `bytes`; returns the error number where that fails, ETIMEDOUT where the command
  /// is to end and the reader takes nothing.
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
