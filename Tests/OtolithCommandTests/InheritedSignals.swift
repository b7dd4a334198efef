// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The signals that a program of this process starts with.
enum InheritedSignals {
  /// Signals that `nohup`, or a shell that starts jobs in the background, lets its programs ignore.
  private static let oftenIgnored = [SIGHUP, SIGINT, SIGQUIT]

  /// Gives programs that are started from now on their default actions, where the tests themselves
  /// were started with signals ignored: what is ignored stays so across `exec`, a handler does not.
  /// The tests go on ignoring them.
  static func reset() { _ = once }

  private static let once: Void = {
    for number in oftenIgnored {
      var action = sigaction()
      // Both are written within the calls alone.
      guard unsafe sigaction(number, nil, &action) == 0 else { continue }
      let ignored = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      guard ignored == 1 else { continue }  // SIG_IGN, <bits/signum-generic.h>
      signal(number) { _ in }
    }
  }()
}
