// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
public import Quantities

extension Timestamp {
  /// The current time, on CLOCK_MONOTONIC: the clock of a live board's samples.
  public static var now: Timestamp { monotonicNow() }
}
