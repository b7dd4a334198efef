// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation

/// The address space that a command may still use. It is checked before the start, because Swift
/// ends the process with a trap if an allocation fails.
enum MemoryRoom {
  /// For the rings, and the stacks of the first threads. Later threads report a separate error if
  /// there is no room.
  private static let needed = 24 << 20

  /// Throws if that many bytes cannot be mapped (`ulimit -v`).
  static func check() throws(Failure) {
    // The memory is not touched, and unmapped at once.
    let place = unsafe mmap(
      nil, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard unsafe place != MAP_FAILED else {
      throw Failure(
        "too little memory: a board needs up to \(needed >> 20) MB; raise the process's limits "
          + "(ulimit -v, in a unit LimitAS= and MemoryMax=)", Failure.unavailable)
    }
    unsafe munmap(place, needed)  // mapped above, and never used
  }
}
