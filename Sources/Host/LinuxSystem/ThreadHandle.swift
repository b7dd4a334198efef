// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A thread as an object, for owners that have several threads or call `join` in `deinit`.
public final class ThreadHandle: Sendable {
  private let thread: Mutex<JoinableThread?>

  public init(_ thread: consuming JoinableThread) { self.thread = Mutex(thread) }

  /// True if the caller runs on this thread.
  public var isCurrent: Bool {
    thread.withLock { thread in
      // The thread is taken out and put back, because a noncopyable value cannot be read inside an
      // optional.
      guard let taken = thread.take() else { return false }
      let isCurrent = taken.isCurrent
      thread = consume taken
      return isCurrent
    }
  }

  /// Waits until the thread has ended. A second call does nothing. A call on the thread itself does
  /// not wait, and the thread then runs detached.
  public func join() {
    var thread: JoinableThread? = thread.withLock { $0.take() }
    if let thread = thread.take(), !thread.isCurrent { thread.join() }
  }
}
