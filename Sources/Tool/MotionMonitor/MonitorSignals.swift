// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import Synchronization

/// A handler that passes the signals of a full-screen program to the drawing thread, and wakes that
/// thread with `wakeEvent`.
final class MonitorSignals {
  private final class Flags: Sendable {
    let isEnding = Atomic<Bool>(false)
    let isStopping = Atomic<Bool>(false)
    let isBack = Atomic<Bool>(false)
  }
  let wakeEvent: WakeEvent
  private let flags: Flags
  private let watch: SignalWatch

  init() throws(ResourceError) {
    let (wakeEvent, flags) = (try WakeEvent(), Flags())
    watch = try SignalWatch(
      [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
    ) { number in
      switch number {
      case SIGTSTP: flags.isStopping.store(true, ordering: .relaxed)
      case SIGCONT: flags.isBack.store(true, ordering: .relaxed)
      // For SIGWINCH it is enough to wake the thread, because the size is read for each frame.
      case SIGWINCH: break
      default: flags.isEnding.store(true, ordering: .relaxed)
      }
      wakeEvent.signal()
    }
    (self.wakeEvent, self.flags) = (wakeEvent, flags)
    signal(SIGPIPE, SIG_IGN)
  }

  var ends: Bool { flags.isEnding.load(ordering: .relaxed) }

  /// Returns true if Ctrl-Z was pressed since the last call.
  func takeStop() -> Bool { flags.isStopping.exchange(false, ordering: .relaxed) }

  /// Returns true if the process was continued (SIGCONT) since the last call; the shell may then
  /// have changed the screen.
  func takeReturn() -> Bool { flags.isBack.exchange(false, ordering: .relaxed) }

  func cancel() { watch.end() }
}
