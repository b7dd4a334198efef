// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem

extension RingMemory {
  /// Creates `count` words that other processes may be allowed to read, and only this one can
  /// write. If the system has no such memory, returns memory of this process, which works here but
  /// cannot be served.
  package static func shared(_ name: String, count: Int) -> RingMemory {
    guard let memory = try? SharedMemory(name, count: 8 * count, writers: .none) else {
      return RingMemory(count: count)
    }
    // The ring retains the memory, which is zero and has this number of bytes.
    return unsafe RingMemory(at: memory.address, count: count, of: memory)
  }
}
