// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// The path of the service's socket, and the origin of this path.
public struct ServicePlace: Equatable, Sendable {
  public let path: String
  /// True if the path comes from the variable `OTOLITH_SOCKET`.
  public let isAsked: Bool

  public static let environmentName = "OTOLITH_SOCKET"
  /// The path of the socket of the machine's service.
  public static let systemPath = "/run/otolith/otolith.sock"

  public init(path: String, isAsked: Bool = false) {
    self.path = path
    self.isAsked = isAsked
  }

  /// Returns the path in `environment`, otherwise the first socket that exists: the machine's, then
  /// the user's. Returns `nil` if none exists, or if `OTOLITH_SOCKET` is empty, so that the program
  /// opens its own board.
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

  /// Returns the path for a service that is started without one: the machine's path for root, the
  /// user's path for all others.
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
    // `stat` writes `status` only during the call. Without permission, treat the socket as
    // existing, because connecting then reports the reason.
    guard unsafe stat(path, &status) == 0 else { return errno == EACCES }
    return status.st_mode & S_IFMT == S_IFSOCK
  }
}
