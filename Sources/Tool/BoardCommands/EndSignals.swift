// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
import Foundation
package import LinuxSystem
import Runtime
import Synchronization

/// A handler for Ctrl-C, a service manager's stop and a closed terminal. While this object exists,
/// these end a command properly, with the chips asleep.
package final class EndSignals: Sendable {
  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }
  private let flag = Flag()
  private let watch: SignalWatch
  /// The event that each of the handled signals sets, for loops that wait.
  package let wakeEvent: WakeEvent

  /// Starts to handle the signals. For each signal, `end` is called on a separate thread; its
  /// argument is true for the first signal. Throws if the system has no thread or descriptor left.
  package init(_ end: @escaping @Sendable (Bool) -> Void = { _ in }) throws(Failure) {
    do throws(ResourceError) {
      let (wakeEvent, flag) = (try WakeEvent(), flag)
      self.wakeEvent = wakeEvent
      // Under nohup SIGHUP is ignored, so that closing the terminal does not end the command.
      watch = try SignalWatch([SIGINT, SIGTERM, SIGHUP], unlessIgnored: [SIGHUP]) { _ in
        let isFirst = !flag.isSet.exchange(true, ordering: .acquiringAndReleasing)
        StandardOutput.end()
        wakeEvent.signal()
        end(isFirst)
      }
    } catch { throw Failure(.resource(error)) }
  }

  /// True after the first signal, for loops that check.
  package var isEnding: Bool { flag.isSet.load(ordering: .acquiring) }

  /// Ignores the handled signals from now on.
  package func cancel() { watch.end() }
}
