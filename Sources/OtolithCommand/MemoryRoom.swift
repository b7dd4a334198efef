// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation

/// The address space that a command may still take. Swift ends the process by a trap where an
/// allocation fails, so that a command looks before it begins.
enum MemoryRoom {
  /// Rings, and the stacks of the first threads. Each later thread that finds no room is an error
  /// of its own.
  private static let needed = 24 << 20

  /// Throws where so many bytes cannot be mapped (`ulimit -v`).
  static func check() throws(Failure) {
    // Nothing of it is touched, and it is given back at once.
    let place = unsafe mmap(
      nil, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard unsafe place != MAP_FAILED else {
      throw Failure(
        "too little memory is left: a board takes up to \(needed >> 20) MB; raise what a process may "
          + "have (ulimit -v, in a unit LimitAS= and MemoryMax=)", Failure.unavailable)
    }
    unsafe munmap(place, needed)  // mapped above, and never used
  }
}
