// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
import Foundation
import LinuxSystem
import Runtime

/// Handles Ctrl-C, SIGTERM and a closed terminal while the instance exists, so that a command stops
/// the chips before it ends.
package final class EndSignals {
  private let watch: SignalWatch

  /// Calls `end` for each of these signals, on a separate thread. Throws if no thread can be
  /// created.
  package init(_ end: @escaping @Sendable () -> Void) throws(Failure) {
    do throws(ResourceError) {
      // Under nohup SIGHUP is ignored, so closing the terminal does not end the command.
      watch = try SignalWatch([SIGINT, SIGTERM, SIGHUP], unlessIgnored: [SIGHUP]) { _ in
        StandardOutput.end()
        end()
      }
    } catch { throw Failure(.resource(error)) }
  }

  /// Ignores these signals from now on.
  package func cancel() { watch.end() }
}
