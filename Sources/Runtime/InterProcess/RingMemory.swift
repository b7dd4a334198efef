// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The words that a ring lies in: of this process, or shared with others.
@safe
public final class RingMemory: Sendable {
  // Until deinit, or as long as `owner` lives.
  nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>  // atomics that do not move
  public let count: Int
  /// The owner of the memory; `nil`: this object's.
  public let owner: (any AnyObject & Sendable)?

  /// So many words of this process, all zero.
  public init(count: Int) {
    self.count = count
    owner = nil
    // Every word is initialised before any reader can reach it.
    unsafe words = .allocate(capacity: count)
    for index in 0..<count { unsafe (words + index).initialize(to: Atomic(0)) }  // in bounds
  }

  /// `count` words at `address`, which is theirs as long as `owner` lives: zero, or a ring that
  /// another process fills.
  @unsafe
  public init(
    at address: UnsafeMutableRawPointer, count: Int, of owner: any AnyObject & Sendable
  ) {
    self.count = count
    self.owner = owner
    // An atomic word is a word; the maker of the memory made it zero.
    unsafe words = address.bindMemory(to: Atomic<UInt64>.self, capacity: count)
  }

  deinit {
    guard owner == nil else { return }
    // Nothing else holds this memory.
    unsafe words.deinitialize(count: count)
    unsafe words.deallocate()  // as above
  }
}
