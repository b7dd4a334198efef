// SPDX-License-Identifier: Apache-2.0
public import Buses
internal import CLinux
public import Quantities

/// Which descriptors ended a wait. Bit i stands for the i-th one added.
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

  /// Nobody is ready: the deadline ended the wait.
  public var isEmpty: Bool { readable | failed == 0 }

  /// Whether the descriptor with this bit can be read.
  public func contains(_ index: Int) -> Bool { readable >> UInt8(index & 7) & 1 != 0 }
}

/// Waits on up to eight descriptors and a moment (ppoll(2)). A wait allocates nothing.
public struct Waiter: ~Copyable, Sendable {
  private var descriptors = InlineArray<8, Int32>(repeating: -1)
  /// How many descriptors it waits on.
  public private(set) var count = 0

  /// Waits on nothing but the time, until descriptors are added.
  public init() {}

  /// Adds a descriptor, which must stay open as long as this waits on it. Gives its bit in a
  /// `ReadySet`; `nil` if there are eight already.
  @discardableResult
  public mutating func add(_ descriptor: Int32) -> Int? {
    guard count < descriptors.count else { return nil }
    descriptors[count] = descriptor
    count += 1
    return count - 1
  }

  /// Stops waiting on the descriptor with this bit; the others keep theirs.
  public mutating func remove(_ index: Int) {
    guard descriptors.indices.contains(index) else { return }
    // poll(2) ignores negative numbers.
    descriptors[index] = -1
  }

  /// Sleeps until a descriptor is ready or `deadline` (CLOCK_MONOTONIC) has come, whichever is
  /// first; with `.distantFuture` there is no deadline. A signal does not end it. Throws `.system`
  /// where the kernel lacks memory.
  public borrowing func wait(until deadline: Timestamp) throws(BusError) -> ReadySet {
    var readable: UInt32 = 0
    var failed: UInt32 = 0
    let count = UInt32(count)
    // The pointers are used within the call only.
    let result = unsafe descriptors.span.withUnsafeBufferPointer { (buffer) in
      unsafe otolith_wait(
        buffer.baseAddress, count, deadline.nanoseconds, &readable, &failed)  // as above
    }
    guard result >= 0 else { throw .system(errno: -result) }
    return ReadySet(
      readable: UInt8(truncatingIfNeeded: readable), failed: UInt8(truncatingIfNeeded: failed))
  }
}
