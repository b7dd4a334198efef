// SPDX-License-Identifier: Apache-2.0
public import Registers
internal import CLinux
public import Quantities

/// The descriptors that ended a wait. Bit i stands for the i-th one added.
public struct ReadySet: Equatable, Sendable, BitwiseCopyable {
  /// Something can be read.
  public let readable: UInt8
  /// Broken or hung up (POLLERR, POLLHUP, POLLNVAL): it would end every further wait at once, so
  /// stop waiting for it.
  public let failed: UInt8

  package init(readable: UInt8, failed: UInt8) {
    self.readable = readable
    self.failed = failed
  }

  /// True where no descriptor is ready: the deadline ended the wait.
  public var isEmpty: Bool { readable | failed == 0 }

  /// Returns true where the descriptor with this bit can be read.
  public func contains(_ index: Int) -> Bool { readable >> UInt8(index & 7) & 1 != 0 }
}

/// Waits on up to eight descriptors and a moment (epoll(7); ppoll(2) where that does not do). A
/// wait allocates nothing.
public struct Waiter: ~Copyable, Sendable {
  // Its epoll instance is closed in deinit, and nowhere else.
  private var waiter = otolith_waiter_make()

  /// Waits on nothing but the time, until descriptors are added.
  public init() {}

  deinit {
    var waiter = waiter
    // The pointer is used within the call only.
    unsafe otolith_waiter_close(&waiter)
  }

  /// The number of descriptors that it waits on.
  public var count: Int { Int(waiter.count) }

  /// Adds a descriptor, which must stay open as long as this waits on it. Gives its bit in a
  /// `ReadySet`; `nil` if there are eight already.
  @discardableResult
  public mutating func add(_ descriptor: Int32) -> Int? {
    // The pointer is used within the call only.
    unsafe otolith_waiter_add(&waiter, descriptor) == 0 ? count - 1 : nil
  }

  /// Stops waiting on the descriptor with this bit; the others keep theirs.
  public mutating func remove(_ index: Int) {
    guard let index = UInt32(exactly: index) else { return }
    unsafe otolith_waiter_remove(&waiter, index)  // as above
  }

  /// Sleeps until a descriptor is ready or `deadline` (CLOCK_MONOTONIC) has come, whichever is
  /// first; with `.distantFuture` there is no deadline. A signal does not end it. Throws `.system`
  /// where the kernel lacks memory.
  public mutating func wait(until deadline: Timestamp) throws(BusError) -> ReadySet {
    var readable: UInt32 = 0
    var failed: UInt32 = 0
    // The pointers are used within the call only.
    let result = unsafe otolith_waiter_wait(&waiter, deadline.nanoseconds, &readable, &failed)
    guard result >= 0 else { throw .system(errno: -result) }
    return ReadySet(
      readable: UInt8(truncatingIfNeeded: readable), failed: UInt8(truncatingIfNeeded: failed))
  }
}
