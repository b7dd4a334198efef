// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

extension HistoryError {
  init(_ errno: Errno, path: String) {
    let kind: Kind =
      switch errno {
      case .permissionDenied, .notPermitted, .readOnlyFileSystem: .denied
      // An exhausted quota is reported as a full disk, because both mean the same to a user.
      case .noSpace, Errno(rawValue: EDQUOT), .fileTooLarge: .noSpace
      default: .failed
      }
    self.init(kind, path: path, reason: "\(errno)")
  }

  init(_ error: any Error, path: String) {
    if let error = error as? Errno {
      self.init(error, path: path)
    } else {
      self.init(.failed, path: path, reason: "\(error)")
    }
  }

  /// Creates the error of the last call of the C library, from `errno`.
  static func last(path: String) -> HistoryError {
    HistoryError(Errno(rawValue: errno), path: path)
  }
}
