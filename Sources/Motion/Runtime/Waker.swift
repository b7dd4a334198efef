// SPDX-License-Identifier: Apache-2.0
public import LinuxSystem
public import Quantities
internal import Synchronization

/// Lets a reader's thread sleep until there is something to read. Waking it costs a system call
/// only if it sleeps.
public final class Waker: Sendable {
  private let doorbell: WakeEvent
  /// Waits only on the doorbell; locked by the one thread that sleeps.
  private let waiter: Mutex<Poller>
  private let isAsleep = Atomic<Bool>(false)
  /// The time in nanoseconds before which samples and motions do not wake it.
  private let notBefore = Atomic<Int64>(Timestamp.zero.nanoseconds)

  public init() throws(ResourceError) {
    let doorbell = try WakeEvent()
    var waiter = Poller()
    waiter.add(doorbell.fileDescriptor)
    self.doorbell = doorbell
    self.waiter = Mutex(waiter)
  }

  /// Wakes the listener if it sleeps. Never blocks.
  public func ring() {
    // Sequentially consistent with `wait`: either this call sees that it sleeps, or `wait` sees
    // what was published before.
    if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { doorbell.ring() }
  }

  /// Wakes the listener if it sleeps and does not wait for samples later than `time`.
  public func ring(at time: Timestamp) {
    // Sequentially consistent with `wait`: either this call sees the time for which it waits, or
    // `wait` sees what was published before.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if time.nanoseconds >= notBefore.load(ordering: .relaxed) { ring() }
  }

  /// Wakes the listener, or keeps it from sleeping the next time: for a change that is not in a
  /// ring.
  public func wake() {
    notBefore.store(Timestamp.zero.nanoseconds, ordering: .relaxed)
    doorbell.ring()
  }

  /// The time for which it waits, on the samples' clock; zero while it does not sleep.
  var due: Timestamp { Timestamp(nanoseconds: notBefore.load(ordering: .relaxed)) }

  /// Sleeps until it is woken or `deadline` has come, unless `isBehind` returns true. Samples
  /// before `due` do not wake it: they are read together with later ones.
  public func wait(
    until deadline: Timestamp, notBefore due: Timestamp = .zero, unless isBehind: () -> Bool
  ) {
    notBefore.store(due.nanoseconds, ordering: .relaxed)
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    // ARM processors could otherwise run the check before the sleep flag is visible.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    // Something may have been published between the last read and here, so check again.
    if !isBehind() { waiter.withLock { _ = try? $0.wait(until: deadline) } }
    isAsleep.store(false, ordering: .sequentiallyConsistent)
    notBefore.store(Timestamp.zero.nanoseconds, ordering: .relaxed)
    _ = doorbell.drain()
  }
}
