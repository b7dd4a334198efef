// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Quantities
internal import Synchronization

/// Calls a function at each of some signals, on one thread for all watches of the process, as long
/// as it lives.
///
/// The thread is there when the first watch is: libdispatch starts one when it needs it, and where
/// the kernel has none left (ulimit -v, -u) it tries again for ever, on the thread that asked.
package final class SignalWatch: Sendable {
  private struct Shared: Sendable {
    /// Never closed: a handler may be about to ring it.
    var bell: Doorbell?
    var watches: [Watch] = []
    /// Signals that do nothing since the last watch of them ended.
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

  /// Calls `call` with the number of each signal that comes; several of one number may be one call.
  /// Signals of `unlessIgnored` that the process was started to ignore (nohup) stay ignored. Throws
  /// where there is no thread or descriptor left.
  package init(
    _ numbers: [Int32], unlessIgnored: Set<Int32> = [], _ call: @escaping @Sendable (Int32) -> Void
  ) throws(OpenError) {
    let watch = Watch(numbers, call)
    self.watch = watch
    let failure: OpenError? = Self.shared.withLock { shared in
      let bell: Doorbell
      if let known = shared.bell {
        bell = known
      } else {
        do throws(OpenError) { bell = try Self.begin() } catch { return error }
        shared.bell = bell
      }
      shared.watches.append(watch)
      for number in numbers {
        let isKept =
          unlessIgnored.contains(number) && !shared.ended.contains(number)
          && otolith_signal_is_ignored(number) != 0
        if !isKept { _ = otolith_signal_note(number, bell.fileDescriptor) }
      }
      // The thread takes them from here on.
      bell.ring()
      return nil
    }
    if let failure { throw failure }
  }

  deinit { end() }

  /// Calls nothing more. Signals that no other watch has are ignored from here on.
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

  private static func begin() throws(OpenError) -> Doorbell {
    let bell = try Doorbell()
    // Runs as long as the process does.
    let thread = try startThread(name: "otolith signals") { listen(bell) }
    _ = consume thread
    return bell
  }

  private static func listen(_ bell: Doorbell) {
    var waiter = Waiter()
    waiter.add(bell.fileDescriptor)
    while true {
      _ = try? waiter.wait(until: .distantFuture)
      bell.drain()
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
