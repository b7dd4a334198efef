// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LinuxBus
internal import SystemPackage

/// The service manager that started this process and listens for how it is doing: systemd, or what
/// speaks as it does (sd_notify(3)).
public struct ServiceManager: Sendable {
  private let path: String
  /// The microseconds within which it wants to be told that all is well, or it ends this process;
  /// `nil` where it does not watch (sd_watchdog_enabled(3)).
  public let patience: Int64?

  /// `nil` where no manager listens.
  public init?(environment: [String: String]) {
    guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@")
    else { return nil }
    self.path = path
    let isOwn = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
    let span = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    // A day is as good as for ever.
    patience = isOwn && span > 0 ? min(span, 86_400_000_000) : nil
  }

  /// Tells it `lines`, such as `READY=1`; one has no end of line in it. Never waits. Returns false
  /// where it did not take them.
  @discardableResult
  public func tell(_ lines: String...) -> Bool {
    guard let address = try? SocketAddress(path, isNotified: true) else { return false }
    let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let number = socket(AF_UNIX, Int32(kind), 0)
    guard number >= 0 else { return false }
    // Anew each time: a manager that was started anew has another socket of that name.
    let descriptor = OwnedDescriptor(owning: FileDescriptor(rawValue: number))
    guard address.connect(descriptor.rawValue) == 0 else { return false }
    let text = lines.map { $0.replacing("\n", with: " ") }.joined(separator: "\n").utf8.map { $0 }
    // The text lives for the call alone.
    return unsafe send(descriptor.rawValue, text, text.count, Int32(MSG_NOSIGNAL))
      == text.count
  }
}
