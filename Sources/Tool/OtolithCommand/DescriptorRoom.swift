// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Foundation
import LinuxSystem
import Recordings

/// The number of file descriptors that a command may still open. Checking it at the start gives an
/// error that names the limit to raise; a later failing call would name only itself.
enum DescriptorRoom {
  /// More descriptors than `otolith steps` needs on a board with one bus: 19, the largest measured
  /// need.
  static let needed = 24

  /// Raises the soft limit if possible, and throws if `needed` descriptors cannot be opened.
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

  /// Returns the error number if `needed` descriptors cannot be opened; `nil` if they can.
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
