// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A thread as an object, for owners that keep several threads or join from `deinit`.
public final class ThreadHandle: Sendable {
  private let thread: Mutex<JoinableThread?>

  public init(_ thread: consuming JoinableThread) { self.thread = Mutex(thread) }

  /// True if the caller runs on this thread.
  public var isCurrent: Bool {
    thread.withLock { thread in
      // Taken out and put back, because a noncopyable value cannot be read inside an optional.
      guard let taken = thread.take() else { return false }
      let isCurrent = taken.isCurrent
      thread = consume taken
      return isCurrent
    }
  }

  /// Waits until the thread has ended. Does nothing the second time. On the thread itself it does
  /// not wait; the thread then runs detached.
  public func join() {
    var thread: JoinableThread? = thread.withLock { $0.take() }
    if let thread = thread.take(), !thread.isCurrent { thread.join() }
  }
}
