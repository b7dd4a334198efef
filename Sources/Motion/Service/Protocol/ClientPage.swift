// SPDX-License-Identifier: Apache-2.0
package import LinuxSystem
internal import Runtime
package import Quantities
internal import Synchronization

/// The shared memory that a client may write: whether the client sleeps, and until when. A false
/// value cannot harm other clients; it only wakes the client more often or not at all.
///
/// | word of 64 bits | |
/// |---|---|
/// | 0 | 1 while the client sleeps and must be woken, otherwise 0 |
/// | 1 | the time stamp in nanoseconds before which no sample wakes the client |
/// | 2 | the number of samples and motions that the client has missed so far |
/// | 3 to 511 | zero |
@safe
package final class ClientPage: Sendable {
  package static var bytes: Int { 4096 }
  private let memory: SharedMemory
  // The pointer refers to `memory`, which this object retains.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>  // all atomic

  /// Creates the page in `memory`, which has at least `bytes` bytes and can be written by both
  /// sides.
  package init(_ memory: SharedMemory) {
    self.memory = memory
    // An atomic word has the layout of a word, and the memory is initially zero.
    unsafe words = memory.address.bindMemory(to: Atomic<UInt64>.self, capacity: Self.bytes / 8)
  }

  /// The descriptor, for the packet that passes the page to the client.
  package var fileDescriptor: Int32 { memory.fileDescriptor }

  // MARK: Program

  /// Marks the client as sleeping until a sample at `due` or later. The client must check the rings
  /// once more after this call.
  package func sleep(until due: Timestamp) {
    // The indices are within the 512 words.
    unsafe words[1].store(UInt64(bitPattern: due.nanoseconds), ordering: .relaxed)
    unsafe words[0].store(1, ordering: .sequentiallyConsistent)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// Marks the client as awake.
  package func wake() { unsafe words[0].store(0, ordering: .relaxed) }  // in bounds

  package var missed: UInt64 {
    get { unsafe words[2].load(ordering: .relaxed) }  // in bounds
    set { unsafe words[2].store(newValue, ordering: .relaxed) }  // in bounds
  }

  // MARK: Service

  /// Returns true if the client sleeps and a sample at `newest` must wake it. The client is then
  /// marked as awake.
  package func takeSleeper(at newest: Timestamp) -> Bool {
    // The indices are within the 512 words.
    guard unsafe words[0].load(ordering: .sequentiallyConsistent) == 1,
      unsafe newest.nanoseconds >= Int64(bitPattern: words[1].load(ordering: .relaxed))
    else { return false }
    return unsafe words[0].exchange(0, ordering: .sequentiallyConsistent) == 1
  }
}
