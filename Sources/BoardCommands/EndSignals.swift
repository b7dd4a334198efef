// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Lets Ctrl-C, a service manager's stop and a terminal that goes away end a command in order, with
/// the chips asleep, as long as this lives.
package final class EndSignals {
  private let sources: [any DispatchSourceSignal]

  /// `end` is called at each of them, on a queue of its own.
  package init(_ end: @escaping @Sendable () -> Void) {
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    // One that comes before a source is registered waits until then, and is not lost.
    var (held, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&held)  // the sets live for each call
    for number in numbers { unsafe sigaddset(&held, number) }  // as above
    unsafe pthread_sigmask(SIG_BLOCK, &held, &before)  // as above
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }  // as above
    let registered = DispatchSemaphore(value: 0)
    sources = numbers.compactMap { number in
      let before = signal(number, SIG_IGN)
      // Under nohup a terminal that goes away ends nothing.
      if number == SIGHUP, Self.isIgnored(before) { return nil }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        StandardOutput.end()
        end()
      }
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      return source
    }
    for _ in sources { _ = registered.wait(timeout: .now() + 1) }
  }

  /// SIG_IGN is a number in a function's place.
  private static func isIgnored(_ handler: __sighandler_t?) -> Bool {
    // Numbers are compared; none of the two is called.
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// From here on they are ignored.
  package func cancel() { for source in sources { source.cancel() } }
}
