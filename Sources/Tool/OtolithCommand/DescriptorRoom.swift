// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Foundation
import LinuxSystem
import Recordings

/// A check of the number of file descriptors that a command may still open. At the start, the check
/// gives an error that names the limit to raise. Without it a later call would fail, with an error
/// that names only that call.
enum DescriptorRoom {
  /// The number of descriptors that must be free. The largest measured need is 19 descriptors, for
  /// `otolith steps` on a board with one bus.
  static let needed = 24

  /// Raises the soft limit if necessary and possible. Throws if `needed` descriptors cannot be
  /// opened.
  static func check() throws(Failure) {
    guard var number = shortage() else { return }
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    // `getrlimit` writes `limit` only during the call.
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

  /// Returns the error number if `needed` descriptors cannot be opened; otherwise `nil`.
  private static func shortage() -> Int32? {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<needed {
      // `open` reads the path only during the call.
      let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      // If /dev/null is missing, the number of free descriptors is unknown, so no shortage is
      // reported.
      guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE ? errno : nil }
      opened.append(descriptor)
    }
    return nil
  }
}
