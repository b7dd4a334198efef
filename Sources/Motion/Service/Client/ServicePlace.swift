// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// The location of the service's socket.
public struct ServicePlace: Equatable, Sendable {
  public let path: String
  /// True if the path comes from `$OTOLITH_SOCKET`.
  public let isAsked: Bool

  public static let environmentName = "OTOLITH_SOCKET"
  /// The path of the machine's service.
  public static let systemPath = "/run/otolith/otolith.sock"

  public init(path: String, isAsked: Bool = false) {
    self.path = path
    self.isAsked = isAsked
  }

  /// Returns the place named by `environment`, otherwise the first existing socket: the machine's,
  /// then the user's. `nil` if no socket exists, or if `$OTOLITH_SOCKET` is set and empty, which
  /// selects the program's own board.
  public static func find(
    environment: [String: String]? = nil, systemPath: String = ServicePlace.systemPath
  ) -> ServicePlace? {
    let environment = environment ?? ProcessInfo.processInfo.environment
    if let asked = environment[environmentName] {
      return asked.isEmpty ? nil : ServicePlace(path: asked, isAsked: true)
    }
    let paths = [systemPath] + [userPath(environment)].compactMap(\.self)
    return paths.first(where: isSocket).map { ServicePlace(path: $0) }
  }

  /// Returns the place for a service without an explicit path: the machine's for root, otherwise
  /// the user's.
  public static func usual(environment: [String: String]? = nil) -> ServicePlace? {
    let environment = environment ?? ProcessInfo.processInfo.environment
    if let asked = environment[environmentName], !asked.isEmpty {
      return ServicePlace(path: asked, isAsked: true)
    }
    if geteuid() == 0 { return ServicePlace(path: systemPath) }
    return userPath(environment).map { ServicePlace(path: $0) }
  }

  private static func userPath(_ environment: [String: String]) -> String? {
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
    return folder + "/otolith.sock"
  }

  private static func isSocket(_ path: String) -> Bool {
    var status = stat()
    // Written only within the call. A socket without permission to look at it exists, and
    // connecting gives the reason.
    guard unsafe stat(path, &status) == 0 else { return errno == EACCES }
    return status.st_mode & S_IFMT == S_IFSOCK
  }
}
