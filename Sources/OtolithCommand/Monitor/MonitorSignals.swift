// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation
import LinuxBus
import Synchronization

/// Requests of signals to a full-screen program, for the thread that draws, which `bell` wakes.
final class MonitorSignals {
  private final class Flags: Sendable {
    let isEnding = Atomic<Bool>(false)
    let isStopping = Atomic<Bool>(false)
    let isBack = Atomic<Bool>(false)
  }
  let bell: Doorbell
  private let flags: Flags
  private let watch: SignalWatch

  init() throws(OpenError) {
    let (bell, flags) = (try Doorbell(), Flags())
    watch = try SignalWatch(
      [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
    ) { number in
      switch number {
      case SIGTSTP: flags.isStopping.store(true, ordering: .relaxed)
      case SIGCONT: flags.isBack.store(true, ordering: .relaxed)
      // Waking is all: the size is asked for each frame.
      case SIGWINCH: break
      default: flags.isEnding.store(true, ordering: .relaxed)
      }
      bell.ring()
    }
    (self.bell, self.flags) = (bell, flags)
    signal(SIGPIPE, SIG_IGN)
  }

  /// True where it is to end.
  var ends: Bool { flags.isEnding.load(ordering: .relaxed) }

  /// Returns true where Ctrl-Z was pressed since the last call.
  func takeStop() -> Bool { flags.isStopping.exchange(false, ordering: .relaxed) }

  /// Returns true where the process was continued since the last call: the screen may be the
  /// shell's.
  func takeReturn() -> Bool { flags.isBack.exchange(false, ordering: .relaxed) }

  func cancel() { watch.end() }
}
