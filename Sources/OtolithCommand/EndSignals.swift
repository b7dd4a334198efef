// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Lets Ctrl-C and a service manager's stop end a command in order, with the chips asleep, as long
/// as this lives.
final class EndSignals {
  private let sources: [any DispatchSourceSignal]

  /// `end` is called at each of them, on a queue of its own.
  init(_ end: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: end)
      source.resume()
      return source
    }
  }

  /// From here on they are ignored.
  func cancel() { for source in sources { source.cancel() } }
}
