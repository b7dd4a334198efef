// SPDX-License-Identifier: Apache-2.0
public import LinuxSystem
public import Quantities
internal import Synchronization

/// Lets the thread of a ring reader sleep until there is something to read. Waking the thread takes
/// a system call only if the thread sleeps.
public final class Waker: Sendable {
  private let wakeEvent: WakeEvent
  /// The poller of the wake-up event. The only thread that sleeps holds the lock.
  private let poller: Mutex<Poller>
  private let isAsleep = Atomic<Bool>(false)
  /// The time in nanoseconds before which samples and motions do not wake the thread.
  private let notBefore = Atomic<Int64>(Timestamp.zero.nanoseconds)

  public init() throws(ResourceError) {
    let wakeEvent = try WakeEvent()
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    self.wakeEvent = wakeEvent
    self.poller = Mutex(poller)
  }

  /// Wakes the thread if it sleeps. Never blocks.
  public func signal() {
    // This exchange is sequentially consistent with `wait`: either this call sees that the thread
    // sleeps, or `wait` sees what was published before.
    if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { wakeEvent.signal() }
  }

  /// Wakes the thread if it sleeps, unless it waits for samples later than `time`.
  public func signal(at time: Timestamp) {
    // This fence is sequentially consistent with `wait`: either this call sees the time for which
    // the thread waits, or `wait` sees what was published before.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if time.nanoseconds >= notBefore.load(ordering: .relaxed) { signal() }
  }

  /// Wakes the thread, or keeps it from sleeping the next time. Used for changes that are not in a
  /// ring.
  public func wake() {
    notBefore.store(Timestamp.zero.nanoseconds, ordering: .relaxed)
    wakeEvent.signal()
  }

  /// The time for which the thread waits, on the clock of the samples; zero while the thread is
  /// awake.
  var due: Timestamp { Timestamp(nanoseconds: notBefore.load(ordering: .relaxed)) }

  /// Sleeps until the thread is woken or until `deadline`, unless `isBehind` returns true. Samples
  /// before `due` do not wake the thread; it reads them together with later samples.
  public func wait(
    until deadline: Timestamp, notBefore due: Timestamp = .zero, unless isBehind: () -> Bool
  ) {
    notBefore.store(due.nanoseconds, ordering: .relaxed)
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    // Without this fence, an ARM processor could check the rings before the sleep flag is visible
    // to other threads.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    // Check the rings again, because something may have been published since the last read.
    if !isBehind() { poller.withLock { _ = try? $0.wait(until: deadline) } }
    isAsleep.store(false, ordering: .sequentiallyConsistent)
    notBefore.store(Timestamp.zero.nanoseconds, ordering: .relaxed)
    _ = wakeEvent.drain()
  }
}
