// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem

extension RingMemory {
  /// Creates `count` words that only this process can write, and that other processes can be given
  /// permission to read. If the system does not support such memory, the words are private to this
  /// process and cannot be served.
  package static func shared(_ name: String, count: Int) -> RingMemory {
    guard let memory = try? SharedMemory(name, count: 8 * count, writers: .none) else {
      return RingMemory(count: count)
    }
    // The ring retains the memory, which is filled with zeros and has this number of bytes.
    return unsafe RingMemory(at: memory.address, count: count, of: memory)
  }
}
