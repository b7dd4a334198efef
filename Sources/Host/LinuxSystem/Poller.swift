// SPDX-License-Identifier: Apache-2.0
internal import CLinux
public import Quantities

/// The descriptors that ended a wait. Bit i stands for the i-th descriptor added.
public struct ReadyEvents: Equatable, Sendable, BitwiseCopyable {
  /// Descriptors with data to read.
  public let readable: UInt8
  /// Descriptors that broke or hung up (POLLERR, POLLHUP, POLLNVAL). Remove them: they would end
  /// every further wait at once.
  public let failed: UInt8

  package init(readable: UInt8, failed: UInt8) {
    self.readable = readable
    self.failed = failed
  }

  /// True where no descriptor is ready: the wait ended at its deadline.
  public var isEmpty: Bool { readable | failed == 0 }

  /// Returns true where the descriptor with this bit can be read.
  public func contains(_ index: Int) -> Bool { readable >> UInt8(index & 7) & 1 != 0 }
}

/// Waits on up to eight descriptors and a deadline (epoll(7); ppoll(2) where epoll is unavailable).
/// A wait allocates nothing.
public struct Poller: ~Copyable, Sendable {
  // The epoll instance is closed in deinit, and nowhere else.
  private var waiter = otolith_waiter_make()

  /// Creates a poller without descriptors, which waits for deadlines only.
  public init() {}

  deinit {
    var waiter = waiter
    // The pointer is used within the call only.
    unsafe otolith_waiter_close(&waiter)
  }

  /// The number of descriptors waited on.
  public var count: Int { Int(waiter.count) }

  /// Adds a descriptor, which must stay open until it is removed. Returns its bit in a
  /// `ReadyEvents`; `nil` if there are eight already.
  @discardableResult
  public mutating func add(_ descriptor: Int32) -> Int? {
    // The pointer is used within the call only.
    unsafe otolith_waiter_add(&waiter, descriptor) == 0 ? count - 1 : nil
  }

  /// Stops waiting on the descriptor with this bit; the other bits do not change.
  public mutating func remove(_ index: Int) {
    guard let index = UInt32(exactly: index) else { return }
    unsafe otolith_waiter_remove(&waiter, index)  // as above
  }

  /// Sleeps until a descriptor is ready or `deadline` (CLOCK_MONOTONIC) has come, whichever is
  /// first; with `.distantFuture` there is no deadline. Signals do not end the wait. Throws
  /// where the kernel lacks memory.
  public mutating func wait(until deadline: Timestamp) throws(SystemError) -> ReadyEvents {
    var readable: UInt32 = 0
    var failed: UInt32 = 0
    // The pointers are used within the call only.
    let result = unsafe otolith_waiter_wait(&waiter, deadline.nanoseconds, &readable, &failed)
    guard result >= 0 else { throw SystemError(errno: -result) }
    return ReadyEvents(
      readable: UInt8(truncatingIfNeeded: readable), failed: UInt8(truncatingIfNeeded: failed))
  }
}
