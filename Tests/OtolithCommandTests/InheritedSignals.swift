// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The signals with which programs are started by this process.
enum InheritedSignals {
  /// Signals that `nohup`, or a shell that starts background jobs, makes its programs ignore.
  private static let oftenIgnored = [SIGHUP, SIGINT, SIGQUIT]

  /// Gives programs started from now on the default actions, if the tests were started with signals
  /// ignored: an ignored signal stays ignored across `exec`, a handler does not. The tests
  /// themselves keep ignoring them.
  static func reset() { _ = once }

  private static let once: Void = {
    for number in oftenIgnored {
      var action = sigaction()
      // `sigaction` writes only during the calls.
      guard unsafe sigaction(number, nil, &action) == 0 else { continue }
      let ignored = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      guard ignored == 1 else { continue }  // SIG_IGN, <bits/signum-generic.h>
      signal(number) { _ in }
    }
  }()
}
