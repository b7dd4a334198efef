// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Standard output for result lines. The program can end even if the reader of standard output has
/// stopped reading.
package enum StandardOutput {
  /// Standard output. A pipe is reopened, so that O_NONBLOCK does not affect other processes that
  /// write to it.
  private static let descriptor: Int32 = {
    let flags = O_WRONLY | O_NONBLOCK | O_CLOEXEC
    // `open` reads the path only during the call.
    let own = isPipe ? unsafe open("/proc/self/fd/1", flags) : -1
    return own >= 0 ? own : 1
  }()

  private static let isPipe: Bool = {
    var state = stat()
    // `fstat` writes `state` only during the call.
    return unsafe fstat(1, &state) == 0 && state.st_mode & S_IFMT == S_IFIFO
  }()

  /// A descriptor on which `poll` returns only when the reader has closed the pipe; `nil` if
  /// standard output is not a pipe.
  package static var pipe: Int32? { isPipe ? 1 : nil }

  /// True once the command is ending; writes then wait only for a limited time.
  private static let isEnding = Atomic(false)

  /// From now on, limits the time for which a write waits for the reader of the pipe.
  package static func end() { isEnding.store(true, ordering: .relaxed) }

  /// The longest time for which a write waits for the reader while the command ends, in
  /// milliseconds.
  private static let timeout: Int32 = 500

  /// Writes all of `bytes`. Returns the error number on failure: ETIMEDOUT if the command is ending
  /// and the reader does not read.
  package static func write(_ bytes: [UInt8]) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Write whole lines in one call of `write`, which uses the pointer only during the call.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        let wasEnding = isEnding.load(ordering: .relaxed)
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // `poll` writes `wait` only during the call.
        if unsafe poll(&wait, 1, timeout) == 0, wasEnding { return ETIMEDOUT }
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
