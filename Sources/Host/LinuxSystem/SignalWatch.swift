// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Quantities
internal import Synchronization

/// Calls a function at each of the given signals as long as this object exists. One thread serves
/// all watches of the process.
///
/// The thread starts with the first watch. libdispatch is not used, because it starts its thread
/// when it is first needed, and if the kernel allows no further thread (ulimit -v, -u) it retries
/// forever on the calling thread.
package final class SignalWatch: Sendable {
  private struct Shared: Sendable {
    /// The event that wakes the thread. The event is never closed, because a signal handler may be
    /// about to use it.
    var wakeEvent: WakeEvent?
    var watches: [Watch] = []
    /// The signals that are ignored because their last watch has ended.
    var ended: Set<Int32> = []
  }
  private final class Watch: Sendable {
    let numbers: [Int32]
    let call: @Sendable (Int32) -> Void

    init(_ numbers: [Int32], _ call: @escaping @Sendable (Int32) -> Void) {
      (self.numbers, self.call) = (numbers, call)
    }
  }
  private static let shared = Mutex(Shared())
  private let watch: Watch

  /// Calls `call` with the number of each signal that arrives; several signals with one number may
  /// give one call. Signals in `unlessIgnored` that the process inherited as ignored (nohup) stay
  /// ignored. Throws if no thread or descriptor can be created.
  package init(
    _ numbers: [Int32], unlessIgnored: Set<Int32> = [], _ call: @escaping @Sendable (Int32) -> Void
  ) throws(ResourceError) {
    let watch = Watch(numbers, call)
    self.watch = watch
    let failure: ResourceError? = Self.shared.withLock { shared in
      let wakeEvent: WakeEvent
      if let known = shared.wakeEvent {
        wakeEvent = known
      } else {
        do throws(ResourceError) { wakeEvent = try Self.begin() } catch { return error }
        shared.wakeEvent = wakeEvent
      }
      shared.watches.append(watch)
      for number in numbers {
        let isKept =
          unlessIgnored.contains(number) && !shared.ended.contains(number)
          && otolith_signal_is_ignored(number) != 0
        if !isKept { _ = otolith_signal_note(number, wakeEvent.fileDescriptor) }
      }
      // From here on the watch's thread handles the signals.
      wakeEvent.signal()
      return nil
    }
    if let failure { throw failure }
  }

  deinit { end() }

  /// Stops calling the watch's function. Signals without another watch are ignored from then on.
  package func end() {
    Self.shared.withLock { shared in
      guard shared.watches.contains(where: { $0 === watch }) else { return }
      shared.watches.removeAll { $0 === watch }
      for number in watch.numbers
      where !shared.watches.contains(where: { $0.numbers.contains(number) }) {
        _ = otolith_signal_ignore(number)
        shared.ended.insert(number)
      }
    }
  }

  private static func begin() throws(ResourceError) -> WakeEvent {
    let wakeEvent = try WakeEvent()
    // The thread of the watches runs until the process ends.
    let thread = try startThread(name: "otolith signals") { listen(wakeEvent) }
    _ = consume thread
    return wakeEvent
  }

  private static func listen(_ wakeEvent: WakeEvent) {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    while true {
      _ = try? poller.wait(until: .distantFuture)
      wakeEvent.drain()
      otolith_signals_unblock()
      let noted = otolith_signals_take()
      let watches = shared.withLock { $0.watches }
      for watch in watches {
        for number in watch.numbers where noted >> UInt64(number & 63) & 1 != 0 {
          watch.call(number)
        }
      }
    }
  }
}
