// SPDX-License-Identifier: Apache-2.0
internal import CLinux
public import Quantities

/// The moment on CLOCK_MONOTONIC, the clock of all samples on Linux and of the kernel's GPIO edges.
public func monotonicNow() -> Timestamp { Timestamp(nanoseconds: otolith_monotonic_now()) }

/// Asks the kernel to end this thread's timed waits within `nanoseconds` of their time instead of
/// the usual 50 us (PR_SET_TIMERSLACK, prctl(2)); 0 restores the default. Gives whether it did. For
/// reader threads: call it on the thread itself. Threads with a realtime priority have no slack
/// anyway.
@discardableResult
public func setTimerSlack(nanoseconds: UInt64 = 1) -> Bool {
  otolith_set_timer_slack(nanoseconds) == 0
}
