// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// The service manager that started this process and receives its status: systemd, or another
/// manager with the same protocol (sd_notify(3)).
public struct ServiceManager: Sendable {
  private let path: String
  /// The watchdog timeout in microseconds. The manager ends this process if it receives no
  /// notification within this time. `nil` if there is no watchdog (sd_watchdog_enabled(3)).
  public let watchdogTimeout: Int64?

  /// Reads the address of the service manager (systemd) and the watchdog timeout from the
  /// environment; `nil` if there is no service manager.
  public init?(environment: [String: String]) {
    guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@")
    else { return nil }
    self.path = path
    let isOwn = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
    let span = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    // The watchdog timeout is limited to one day.
    watchdogTimeout = isOwn && span > 0 ? min(span, 86_400_000_000) : nil
  }

  /// Sends `lines`, such as `READY=1`, to the manager. Line breaks within a line become spaces.
  /// Never blocks. Returns false if the manager did not receive the lines.
  @discardableResult
  public func notify(_ lines: String...) -> Bool {
    guard let address = try? SocketAddress(path, isNotified: true) else { return false }
    let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let number = socket(AF_UNIX, Int32(kind), 0)
    guard number >= 0 else { return false }
    // A new socket is opened for each message, because a restarted manager has another socket with
    // the same name.
    let descriptor = OwnedDescriptor(owning: FileDescriptor(rawValue: number))
    guard address.connect(descriptor.rawValue) == 0 else { return false }
    let text = lines.map { $0.replacing("\n", with: " ") }.joined(separator: "\n").utf8.map { $0 }
    // The C function does not keep the text's pointer.
    return unsafe send(descriptor.rawValue, text, text.count, Int32(MSG_NOSIGNAL))
      == text.count
  }
}
