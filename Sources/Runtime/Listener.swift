// SPDX-License-Identifier: Apache-2.0
public import LinuxBus
public import Quantities
internal import Synchronization

/// A listener that sleeps until there is something to read. Ringing costs a system call only if it
/// really sleeps.
public final class Listener: Sendable {
  private let doorbell: Doorbell
  /// Waits for the doorbell alone; held by the one thread that sleeps.
  private let waiter: Mutex<Waiter>
  private let isAsleep = Atomic<Bool>(false)
  /// The time before which samples and motions do not wake it, nanoseconds.
  private let notBefore = Atomic<Int64>(Timestamp.zero.nanoseconds)

  public init() throws(OpenError) {
    let doorbell = try Doorbell()
    var waiter = Waiter()
    waiter.add(doorbell.fileDescriptor)
    self.doorbell = doorbell
    self.waiter = Mutex(waiter)
  }

  /// Wakes the listener if it sleeps. Never blocks.
  public func ring() {
    // In one order with `wait`: either this sees that it sleeps, or that sees what was published
    // before.
    if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { doorbell.ring() }
  }

  /// Wakes the listener if it sleeps for what was taken at `time`; not where it has said that it
  /// waits for later samples.
  public func ring(at time: Timestamp) {
    // In one order with `wait`: either this sees until when it sleeps, or that sees what was
    // published before.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if time.nanoseconds >= notBefore.load(ordering: .relaxed) { ring() }
  }

  /// Wakes the listener, or keeps it from falling asleep the next time: for a change that no ring
  /// holds.
  public func wake() {
    notBefore.store(Timestamp.zero.nanoseconds, ordering: .relaxed)
    doorbell.ring()
  }

  /// The time until which it sleeps, on the samples' clock; zero while it does not.
  var due: Timestamp { Timestamp(nanoseconds: notBefore.load(ordering: .relaxed)) }

  /// Sleeps until it is rung or `deadline` has come, unless `isBehind` says that there is something
  /// to do already. What was taken before `due` does not wake it: it is read with what comes later.
  public func wait(
    until deadline: Timestamp, notBefore due: Timestamp = .zero, unless isBehind: () -> Bool
  ) {
    notBefore.store(due.nanoseconds, ordering: .relaxed)
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    // A processor of the ARM kind may otherwise look before it has said that it sleeps.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    // Rung between the last look and here, the news would be slept through: look again.
    if !isBehind() { waiter.withLock { _ = try? $0.wait(until: deadline) } }
    isAsleep.store(false, ordering: .sequentiallyConsistent)
    notBefore.store(Timestamp.zero.nanoseconds, ordering: .relaxed)
    _ = doorbell.drain()
  }
}
