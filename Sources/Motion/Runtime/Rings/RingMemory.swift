// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The words of a ring: in this process, or shared with others.
@safe
public final class RingMemory: Sendable {
  // Valid until deinit, or as long as `owner` lives.
  nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>  // atomics that do not move
  public let count: Int
  /// The owner of the memory; `nil` if it is this object.
  public let owner: (any AnyObject & Sendable)?

  /// Allocates `count` words in this process, all zero.
  public init(count: Int) {
    self.count = count
    owner = nil
    // Every word is initialised before any reader can reach it.
    unsafe words = .allocate(capacity: count)
    for index in 0..<count { unsafe (words + index).initialize(to: Atomic(0)) }  // in bounds
  }

  /// Uses `count` words at `address`, valid as long as `owner` lives: zero, or a ring filled by
  /// another process.
  @unsafe
  public init(
    at address: UnsafeMutableRawPointer, count: Int, of owner: any AnyObject & Sendable
  ) {
    self.count = count
    self.owner = owner
    // An atomic word has the layout of a word; the creator of the memory set it to zero.
    unsafe words = address.bindMemory(to: Atomic<UInt64>.self, capacity: count)
  }

  deinit {
    guard owner == nil else { return }
    // Nothing else uses this memory.
    unsafe words.deinitialize(count: count)
    unsafe words.deallocate()  // as above
  }
}
