// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A reason why nothing can be published.
package enum PublishError: LocalizedError, Equatable, CustomStringConvertible {
  /// A library is not on this machine: its name, what needs it, and Debian's package of it.
  case noLibrary(String, for: String, package: String)
  case address(String)
  /// The broker, or the bus, cannot be reached or goes no further.
  case unreachable(String)
  /// It is reached and wants none of this.
  case refused(String)
  /// A file of the spool.
  case file(String)

  package var errorDescription: String? { description }

  package var description: String {
    switch self {
    case .noLibrary(let name, let purpose, let package):
      "\(purpose) goes through \(name), which is not on this machine: apt-get install \(package)"
    case .address(let text), .unreachable(let text), .refused(let text), .file(let text): text
    }
  }
}
