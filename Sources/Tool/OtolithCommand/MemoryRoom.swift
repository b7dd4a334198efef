// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Foundation

/// A check of the address space that a command may still use. The check is made at the start,
/// because a failed allocation in Swift ends the process with a trap.
enum MemoryRoom {
  /// The 24 MiB are for the rings and the stacks of the first threads. If there is too little
  /// memory for a later thread, its start fails with an error.
  private static let needed = 24 << 20

  /// Throws if `needed` bytes cannot be mapped, for instance because of `ulimit -v`.
  static func check() throws(Failure) {
    // The mapping only tests the limit: it is never written, and is unmapped immediately.
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
