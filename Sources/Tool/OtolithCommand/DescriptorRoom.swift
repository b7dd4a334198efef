// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation
import LinuxSystem
import Recordings

/// The number of file descriptors that a command may still open. It is checked before the start, so
/// that the error names the limit to raise, instead of that of the first failing call.
enum DescriptorRoom {
  /// The largest need of a board with one bus, as for `steps`: 19.
  static let needed = 24

  /// Throws if that many cannot be opened, after raising the limit as far as this user may.
  static func check() throws(Failure) {
    guard var number = shortage() else { return }
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    // Written only within the call.
    if number == EMFILE, unsafe getrlimit(kind, &limit) == 0, limit.rlim_cur < limit.rlim_max {
      limit.rlim_cur = min(limit.rlim_max, 1024)
      _ = unsafe setrlimit(kind, &limit)  // read only within the call
      guard let still = shortage() else { return }
      number = still
    }
    throw Failure(
      "the limit of open files is too low: a board needs up to \(needed); "
        + ResourceError.stepForTooMany(number), Failure.unavailable)
  }

  /// Returns the error number if that many cannot be opened; `nil` if they can.
  private static func shortage() -> Int32? {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<needed {
      // The string is read within the call.
      let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      // Without /dev/null the number is unknown.
      guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE ? errno : nil }
      opened.append(descriptor)
    }
    return nil
  }
}
