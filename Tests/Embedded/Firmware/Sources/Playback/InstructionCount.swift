// SPDX-License-Identifier: Apache-2.0
import Board

/// Counts the ticks of the board's timer during calls. The emulator advances time by a fixed amount
/// per instruction, so ticks count instructions.
struct InstructionCount {
  private(set) var calls: UInt64 = 0
  private(set) var ticks: UInt64 = 0
  private(set) var longest: UInt64 = 0

  /// Adds a call that began at `begin`. The cost of measuring is measured with an empty call, and
  /// subtracted by the reader.
  @inline(__always)
  mutating func add(since begin: UInt64) {
    let span = Microseconds.ticks - begin
    calls += 1
    ticks += span
    longest = max(longest, span)
  }
}
