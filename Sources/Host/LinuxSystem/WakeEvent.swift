// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import SystemPackage

/// Wakes a thread that waits on descriptors (eventfd(2)). Any thread may ring; rings accumulate
/// until drained.
public final class WakeEvent: Sendable {
  private let descriptor: OwnedDescriptor

  /// Creates the eventfd. Throws if the process has no descriptors left.
  public init() throws(ResourceError) {
    let event = otolith_event_open()
    guard event >= 0 else { throw ResourceError(.descriptor, "eventfd", errno: -event) }
    descriptor = OwnedDescriptor(
      owning: FileDescriptor(rawValue: event))
  }

  /// Readable after a ring until drained. Valid as long as the doorbell lives.
  public var fileDescriptor: Int32 { descriptor.rawValue }

  /// Makes the descriptor readable. Never blocks and cannot fail: a full counter is readable
  /// already.
  public func ring() { _ = otolith_event_ring(descriptor.rawValue) }

  /// Returns the number of rings since the last drain, 0 if there were none. Never blocks.
  @discardableResult
  public func drain() -> Int { Int(max(0, otolith_event_drain(descriptor.rawValue))) }
}
