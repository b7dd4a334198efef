// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The reason why publishing is not possible.
package enum PublishError: LocalizedError, Equatable, CustomStringConvertible {
  /// A library is not installed. The values are its name, the feature that needs it, and its Debian
  /// package.
  case noLibrary(String, for: String, package: String)
  case address(String)
  /// The broker or bus cannot be reached, or the connection was lost.
  case unreachable(String)
  /// The broker or bus rejects the request.
  case refused(String)
  /// A file of the spool cannot be used.
  case file(String)

  package var errorDescription: String? { description }

  package var description: String {
    switch self {
    case .noLibrary(let name, let purpose, let package):
      "\(purpose) needs \(name), which is not installed: apt-get install \(package)"
    case .address(let text), .unreachable(let text), .refused(let text), .file(let text): text
    }
  }
}
