// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation
import LinuxBus
import Recordings

/// The descriptors that a command may still open. A command looks before it begins: one error then
/// says what to raise, not that of whatever gets none first.
enum DescriptorRoom {
  /// The most that a board of one bus takes, as `steps` does: 19.
  static let needed = 24

  /// Throws where so many cannot be opened, with the limit as high as this user may set it.
  static func check() throws(Failure) {
    guard var number = shortage() else { return }
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    // Written within the call alone.
    if number == EMFILE, unsafe getrlimit(kind, &limit) == 0, limit.rlim_cur < limit.rlim_max {
      limit.rlim_cur = min(limit.rlim_max, 1024)
      _ = unsafe setrlimit(kind, &limit)  // read within the call alone
      guard let still = shortage() else { return }
      number = still
    }
    throw Failure(
      "too few files can be open at once: a board takes up to \(needed); "
        + OpenError.stepForTooMany(number), Failure.unavailable)
  }

  /// Returns the error number at which so many cannot be opened; `nil` where they can.
  private static func shortage() -> Int32? {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<needed {
      // The text is read within the call.
      let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      // Where there is no /dev/null nothing is known.
      guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE ? errno : nil }
      opened.append(descriptor)
    }
    return nil
  }
}
