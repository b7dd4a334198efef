// SPDX-License-Identifier: Apache-2.0
internal import CLinux

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The operating system's scheduling policy that a thread has.
public enum Scheduling: Equatable, Sendable {
  /// The default policy.
  case normal
  /// The thread has SCHED_FIFO with this priority.
  case realtime(priority: Int)
  /// A realtime priority was requested but denied with this errno (EPERM: no CAP_SYS_NICE and no
  /// rtprio limit). The thread runs with the default policy.
  case realtimeDenied(errno: Int32)
}

/// A running thread. `join` waits for the end of the thread. If `join` is not called, the thread
/// runs detached.
public struct JoinableThread: ~Copyable, Sendable {
  private let id: UInt64
  /// The scheduling policy that the thread has, which may be lower than the requested one.
  public let scheduling: Scheduling

  fileprivate init(id: UInt64, scheduling: Scheduling) {
    self.id = id
    self.scheduling = scheduling
  }

  /// True if the caller runs on this thread.
  public var isCurrent: Bool { otolith_thread_is_current(id) != 0 }

  /// Waits until the thread has ended (pthread_join(3)). Must not be called on the thread itself.
  public consuming func join() {
    _ = otolith_thread_join(id)
    discard self
  }

  deinit { _ = otolith_thread_detach(id) }
}

/// Starts a thread outside Swift's thread pools, for work that blocks in system calls. All signals
/// are blocked in the thread, so that Ctrl-C reaches the main thread. The kernel keeps 15 bytes of
/// `name`. `realtimePriority` (1...99) requests SCHED_FIFO (sched(7)). Without permission the
/// thread runs with the default policy, as `scheduling` then shows. Throws if no thread can be
/// created or the priority is out of range.
public func startThread(
  name: String, realtimePriority: Int? = nil, _ body: @escaping @Sendable () -> Void
) throws(ResourceError) -> JoinableThread {
  guard realtimePriority.map((1...99).contains) ?? true else {
    throw ResourceError(.thread, name, errno: EINVAL)
  }
  var thread = otolith_thread()
  // The thread releases the context that is retained here. If the thread does not start, the
  // release below does so.
  let context = unsafe Unmanaged.passRetained(Body(body))
  // The C function keeps no pointer except the context, which the thread owns from then on.
  let result = unsafe otolith_thread_start(
    { context in
      guard let context = unsafe context else { return }  // never nil: it is passed below
      // This release balances `passRetained` above.
      unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    }, context.toOpaque(), name, Int32(realtimePriority ?? 0), &thread)
  guard result >= 0 else {
    // The thread did not start, so its context must be released here.
    unsafe context.release()
    throw ResourceError(.thread, name, errno: -result)
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

/// An object that carries a closure through a C pointer.
private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
