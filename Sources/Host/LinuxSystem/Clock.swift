// SPDX-License-Identifier: Apache-2.0
internal import CLinux
public import Quantities

/// Returns the time on CLOCK_MONOTONIC, the clock of all samples on Linux and of the kernel's GPIO
/// edges.
public func monotonicNow() -> Timestamp { Timestamp(nanoseconds: otolith_monotonic_now()) }

/// Sets the timer slack of the calling thread to `nanoseconds` (PR_SET_TIMERSLACK, prctl(2)). The
/// thread's timed waits then end within this time after their deadline, instead of within the
/// default 50 us; 0 restores the default. Returns true on success. Call this function on the reader
/// thread itself. Threads with a realtime priority have no slack in any case.
@discardableResult
public func setTimerSlack(nanoseconds: UInt64 = 1) -> Bool {
  otolith_set_timer_slack(nanoseconds) == 0
}
