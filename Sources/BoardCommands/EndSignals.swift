// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxBus
import Runtime

/// Lets Ctrl-C, a service manager's stop and a terminal that goes away end a command in order, with
/// the chips asleep, as long as this lives.
package final class EndSignals {
  private let watch: SignalWatch

  /// `end` is called at each of them, on a thread of its own. Throws where no thread can start.
  package init(_ end: @escaping @Sendable () -> Void) throws(Failure) {
    do throws(OpenError) {
      // Under nohup a terminal that goes away ends nothing.
      watch = try SignalWatch([SIGINT, SIGTERM, SIGHUP], unlessIgnored: [SIGHUP]) { _ in
        StandardOutput.end()
        end()
      }
    } catch { throw Failure(.open(error)) }
  }

  /// From here on they are ignored.
  package func cancel() { watch.end() }
}
