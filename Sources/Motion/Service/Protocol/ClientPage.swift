// SPDX-License-Identifier: Apache-2.0
package import LinuxSystem
internal import Runtime
package import Quantities
internal import Synchronization

/// The one piece of memory that a program shares with the service and may write: whether it sleeps,
/// and until when. The service trusts it with nothing that could harm another program: a false
/// value wakes its writer more often, or not at all.
///
/// | word of 64 bits | |
/// |---|---|
/// | 0 | 1 while the program sleeps and must be woken, otherwise 0 |
/// | 1 | the time stamp in nanoseconds before which no sample wakes it |
/// | 2 | the number of samples and motions that it has missed until now |
/// | 3 to 511 | zero |
@safe
package final class ClientPage: Sendable {
  package static var bytes: Int { 4096 }
  private let memory: SharedMemory
  // Points into `memory`, which this object retains.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>  // all atomic

  /// Creates the page in `memory`, of `bytes` bytes, which both sides can write.
  package init(_ memory: SharedMemory) {
    self.memory = memory
    // An atomic word has the layout of a word; the memory is initially zero.
    unsafe words = memory.address.bindMemory(to: Atomic<UInt64>.self, capacity: Self.bytes / 8)
  }

  /// The descriptor, for the packet that passes the page to the program.
  package var fileDescriptor: Int32 { memory.fileDescriptor }

  // MARK: Program

  /// Announces that the program will sleep until a sample at `due` or later. The program must check
  /// the rings once more after this.
  package func sleep(until due: Timestamp) {
    // All in bounds: 512 words.
    unsafe words[1].store(UInt64(bitPattern: due.nanoseconds), ordering: .relaxed)
    unsafe words[0].store(1, ordering: .sequentiallyConsistent)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// Announces that the program is awake.
  package func wake() { unsafe words[0].store(0, ordering: .relaxed) }  // in bounds

  package var missed: UInt64 {
    get { unsafe words[2].load(ordering: .relaxed) }  // in bounds
    set { unsafe words[2].store(newValue, ordering: .relaxed) }  // in bounds
  }

  // MARK: Service

  /// Returns true if the program sleeps and a sample at `newest` must wake it; then marks it as
  /// awake.
  package func takeSleeper(at newest: Timestamp) -> Bool {
    // All in bounds.
    guard unsafe words[0].load(ordering: .sequentiallyConsistent) == 1,
      unsafe newest.nanoseconds >= Int64(bitPattern: words[1].load(ordering: .relaxed))
    else { return false }
    return unsafe words[0].exchange(0, ordering: .sequentiallyConsistent) == 1
  }
}
