// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import SystemPackage

/// An event that wakes a thread which waits on descriptors (eventfd(2)). Any thread may signal it.
/// The event counts its signals until a reader drains them.
public final class WakeEvent: Sendable {
  private let descriptor: OwnedDescriptor

  /// Creates the eventfd. Throws if the process cannot open another descriptor.
  public init() throws(ResourceError) {
    let event = otolith_event_open()
    guard event >= 0 else { throw ResourceError(.descriptor, "eventfd", errno: -event) }
    descriptor = OwnedDescriptor(
      owning: FileDescriptor(rawValue: event))
  }

  /// The descriptor, which is readable from a signal until the event is drained. The descriptor is
  /// valid as long as this object exists.
  public var fileDescriptor: Int32 { descriptor.rawValue }

  /// Makes the descriptor readable. This function never blocks and cannot fail, because a
  /// descriptor with a full counter is already readable.
  public func signal() { _ = otolith_event_signal(descriptor.rawValue) }

  /// Returns the number of signals since the last call, and clears that number. Never blocks.
  @discardableResult
  public func drain() -> Int { Int(max(0, otolith_event_drain(descriptor.rawValue))) }
}
