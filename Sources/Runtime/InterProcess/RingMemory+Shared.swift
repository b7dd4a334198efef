// SPDX-License-Identifier: Apache-2.0

extension RingMemory {
  /// Makes so many words that other processes can be let read, and only this one can write. Where
  /// the system has no such memory, this process's own: then it can be used here, and not be
  /// served.
  package static func shared(_ name: String, count: Int) -> RingMemory {
    guard let memory = try? SharedMemory(name, count: 8 * count, writers: .none) else {
      return RingMemory(count: count)
    }
    // The ring keeps the memory, which is zero and has as many bytes.
    return unsafe RingMemory(at: memory.address, count: count, of: memory)
  }
}
