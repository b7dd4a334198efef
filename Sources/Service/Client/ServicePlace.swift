// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// The place of the service's socket.
public struct ServicePlace: Equatable, Sendable {
  public let path: String
  /// True where `$OTOLITH_SOCKET` gives it.
  public let isAsked: Bool

  public static let environmentName = "OTOLITH_SOCKET"
  /// Of the machine's service.
  public static let systemPath = "/run/otolith/otolith.sock"

  public init(path: String, isAsked: Bool = false) {
    self.path = path
    self.isAsked = isAsked
  }

  /// The place that `environment` names; else where a socket is: the machine's, then the user's.
  /// `nil` where there is none, or `$OTOLITH_SOCKET` is set and empty, which is how a program says
  /// that it wants its own board.
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

  /// Returns the place at which a service listens that was given none: as root the machine's place,
  /// else the user's.
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
    // Written within the call alone. What may not be looked at is there, and its error says why.
    guard unsafe stat(path, &status) == 0 else { return errno == EACCES }
    return status.st_mode & S_IFMT == S_IFSOCK
  }
}
