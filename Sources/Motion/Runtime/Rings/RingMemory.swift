// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The words of a ring, either in this process or shared with other processes.
@safe
public final class RingMemory: Sendable {
  // The pointer is valid until `deinit`, or as long as `owner` lives.
  nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>  // atomics that do not move
  public let count: Int
  /// The owner of the memory; `nil` if this object owns it.
  public let owner: (any AnyObject & Sendable)?

  /// Allocates `count` words in this process, all zero.
  public init(count: Int) {
    self.count = count
    owner = nil
    // Every word is initialised before any reader can access it.
    unsafe words = .allocate(capacity: count)
    for index in 0..<count { unsafe (words + index).initialize(to: Atomic(0)) }  // in bounds
  }

  /// Uses `count` words at `address`, which must be valid as long as `owner` lives. They must be
  /// zero, or contain a ring that another process fills.
  @unsafe
  public init(
    at address: UnsafeMutableRawPointer, count: Int, of owner: any AnyObject & Sendable
  ) {
    self.count = count
    self.owner = owner
    // An atomic word has the same layout as a plain word, and the memory was filled with zeros when
    // it was created.
    unsafe words = address.bindMemory(to: Atomic<UInt64>.self, capacity: count)
  }

  deinit {
    guard owner == nil else { return }
    // No other object uses this memory.
    unsafe words.deinitialize(count: count)
    unsafe words.deallocate()  // as above
  }
}
