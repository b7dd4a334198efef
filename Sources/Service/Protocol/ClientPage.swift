// SPDX-License-Identifier: Apache-2.0
public import Runtime
public import Quantities
internal import Synchronization

/// The one piece of memory that a program shares with the service and may write: whether it sleeps,
/// and until when. The service believes nothing of it that could harm another program: a false
/// value wakes its writer more often, or not at all.
///
/// | word of 64 bits | |
/// |---|---|
/// | 0 | 1 while the program sleeps and wants to be woken, else 0 |
/// | 1 | the time stamp in nanoseconds before which no sample shall wake it |
/// | 2 | how many samples and motions it has missed until now |
/// | 3 to 511 | zero |
@safe
public final class ClientPage: Sendable {
  public static var bytes: Int { 4096 }
  private let memory: SharedMemory
  // In `memory`, which this keeps.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>  // all atomic

  /// `memory` of `bytes` bytes, which both sides can write.
  public init(_ memory: SharedMemory) {
    self.memory = memory
    // An atomic word is a word; the memory begins as zero.
    unsafe words = memory.address.bindMemory(to: Atomic<UInt64>.self, capacity: Self.bytes / 8)
  }

  /// For the packet that gives it to the program.
  public var fileDescriptor: Int32 { memory.fileDescriptor }

  // MARK: The program's side

  /// Says that it is about to sleep until a sample of `due` or later. It must look into the rings
  /// once more after this.
  public func sleep(until due: Timestamp) {
    // All in bounds: 512 words.
    unsafe words[1].store(UInt64(bitPattern: due.nanoseconds), ordering: .relaxed)
    unsafe words[0].store(1, ordering: .sequentiallyConsistent)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// Says that it is awake.
  public func wake() { unsafe words[0].store(0, ordering: .relaxed) }  // in bounds

  public var missed: UInt64 {
    get { unsafe words[2].load(ordering: .relaxed) }  // in bounds
    set { unsafe words[2].store(newValue, ordering: .relaxed) }  // in bounds
  }

  // MARK: The service's side

  /// Returns true where it sleeps and a sample of `newest` is to wake it; from then on it does not
  /// sleep.
  public func takeSleeper(at newest: Timestamp) -> Bool {
    // All in bounds.
    guard unsafe words[0].load(ordering: .sequentiallyConsistent) == 1,
      unsafe newest.nanoseconds >= Int64(bitPattern: words[1].load(ordering: .relaxed))
    else { return false }
    return unsafe words[0].exchange(0, ordering: .sequentiallyConsistent) == 1
  }
}
