// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The scheduling with which a thread came to run.
public enum Scheduling: Equatable, Sendable {
  /// As all others.
  case normal
  /// SCHED_FIFO with this priority.
  case realtime(priority: Int)
  /// Realtime was asked for and denied with this errno (EPERM: no CAP_SYS_NICE and no rtprio
  /// limit); it runs as a normal thread.
  case realtimeDenied(errno: Int32)
}

/// A running thread. `join` waits for its end; without it the thread runs on by itself.
public struct JoinableThread: ~Copyable, Sendable {
  private let id: UInt64
  /// The scheduling it got, which tells if it has the priority asked for.
  public let scheduling: Scheduling

  fileprivate init(id: UInt64, scheduling: Scheduling) {
    self.id = id
    self.scheduling = scheduling
  }

  /// True where the caller runs on this very thread.
  public var isCurrent: Bool { otolith_thread_is_current(id) != 0 }

  /// Waits until the thread has ended (pthread_join(3)). Not to be called on the thread itself.
  public consuming func join() {
    _ = otolith_thread_join(id)
    discard self
  }

  deinit { _ = otolith_thread_detach(id) }
}

/// Starts a thread of its own, outside Swift's pools, for work that waits in system calls. All
/// signals are blocked in it, so that Ctrl-C reaches the main thread. The kernel keeps 15 bytes of
/// `name`. `realtimePriority` (1...99) asks for SCHED_FIFO (sched(7)); where that is not permitted
/// the thread runs normally and `scheduling` says so. Throws where no thread can be made or the
/// priority is out of range.
public func startThread(
  name: String, realtimePriority: Int? = nil, _ body: @escaping @Sendable () -> Void
) throws(OpenError) -> JoinableThread {
  guard realtimePriority.map((1...99).contains) ?? true else {
    throw OpenError(.thread, name, errno: invalidError)
  }
  var thread = otolith_thread()
  // Balanced by the thread, or below where there is none.
  let context = unsafe Unmanaged.passRetained(Body(body))
  // The pointers are used within the call, but the context, which the thread owns from then on.
  let result = unsafe otolith_thread_start(
    { context in
      guard let context = unsafe context else { return }  // never so: it is passed below
      // Takes over the retain above.
      unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    }, context.toOpaque(), name, Int32(realtimePriority ?? 0), &thread)
  guard result >= 0 else {
    // No thread took it over.
    unsafe context.release()
    throw OpenError(.thread, name, errno: -result)
  }
  let scheduling: Scheduling =
    if thread.realtime_denied != 0 {
      .realtimeDenied(errno: thread.realtime_denied)
    } else if let realtimePriority {
      .realtime(priority: realtimePriority)
    } else {
      .normal
    }
  return JoinableThread(id: thread.id, scheduling: scheduling)
}

/// Carries a closure through a C pointer.
private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
