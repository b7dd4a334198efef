// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import Runtime

/// Makes Ctrl-C, a service manager's stop and a closed terminal end a command properly, with the
/// chips asleep, while it exists.
package final class EndSignals {
  private let watch: SignalWatch

  /// Calls `end` at each of them, on a separate thread. Throws if no thread can be created.
  package init(_ end: @escaping @Sendable () -> Void) throws(Failure) {
    do throws(ResourceError) {
      // Under nohup a closed terminal ends nothing.
      watch = try SignalWatch([SIGINT, SIGTERM, SIGHUP], unlessIgnored: [SIGHUP]) { _ in
        StandardOutput.end()
        end()
      }
    } catch { throw Failure(.resource(error)) }
  }

  /// Ignores the signals from here on.
  package func cancel() { watch.end() }
}
