// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Dispatch
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
  private var sources: [any DispatchSourceSignal] = []

  init() throws(OpenError) {
    bell = try Doorbell()
    flags = Flags()
    on([SIGINT, SIGTERM, SIGHUP, SIGQUIT]) { $0.isEnding.store(true, ordering: .relaxed) }
    on([SIGTSTP]) { $0.isStopping.store(true, ordering: .relaxed) }
    on([SIGCONT]) { $0.isBack.store(true, ordering: .relaxed) }
    // Waking is all: the size is asked for each frame.
    on([SIGWINCH]) { _ in }
    signal(SIGPIPE, SIG_IGN)
  }

  private func on(_ numbers: [Int32], _ action: @escaping @Sendable (Flags) -> Void) {
    for number in numbers {
      // That of SIGCONT and SIGWINCH is to do nothing already, and the first still has to continue.
      if number != SIGCONT, number != SIGWINCH { signal(number, SIG_IGN) }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [flags, bell] in
        action(flags)
        bell.ring()
      }
      source.resume()
      sources.append(source)
    }
  }

  /// True where it is to end.
  var ends: Bool { flags.isEnding.load(ordering: .relaxed) }

  /// Returns true where Ctrl-Z was pressed since the last call.
  func takeStop() -> Bool { flags.isStopping.exchange(false, ordering: .relaxed) }

  /// Returns true where the process was continued since the last call: the screen may be the
  /// shell's.
  func takeReturn() -> Bool { flags.isBack.exchange(false, ordering: .relaxed) }

  func cancel() { for source in sources { source.cancel() } }
}
