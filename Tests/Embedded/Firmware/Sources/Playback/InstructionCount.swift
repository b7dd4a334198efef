// SPDX-License-Identifier: Apache-2.0
import Board

/// Ticks of the board's timer that calls took. The emulator lets a fixed time pass for each instruction, so they count
/// instructions.
struct InstructionCount {
  private(set) var calls: UInt64 = 0
  private(set) var ticks: UInt64 = 0
  private(set) var longest: UInt64 = 0

  /// Of a call that began at `begin`; what measuring itself takes is measured as a call of nothing, and taken off by whoever
  /// reads it.
  @inline(__always)
  mutating func add(since begin: UInt64) {
    let span = Microseconds.ticks - begin
    calls += 1
    ticks += span
    longest = max(longest, span)
  }
}
