// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import LinuxBus
internal import Service
internal import Synchronization

/// An observer of movement. Called about once per second, on a thread that may wait for the disk in
/// between.
package protocol MovementObserver: AnyObject, Sendable {
  /// Receives the sums; first called at once, even without changes, but not before the start date.
  func follow(_ news: MovementUpdate)
  /// Reports an error once, and again only if counting worked in between.
  func fail(_ error: MovementError)
}

/// Keeps counting active until it is stopped or released.
package final class MovementCount: Sendable {
  private let end: @Sendable () -> Void
  private let isOver = Atomic<Bool>(false)

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { stop() }

  /// Stops counting without waiting; the observer may still be called for a moment.
  package func stop() {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    end()
  }
}

/// The thread of a hub that polls the log once per second, while there are counts.
final class MovementFollower: Sendable {
  private struct Entry: Sendable {
    let number: UInt64
    weak let observer: (any MovementObserver)?
    let begin: ClockReading
    /// `nil` if the past is not needed.
    var since: MovementSince?
    var isNew = true
    var knowsError = false
  }
  private struct State: Sendable {
    var entries: [Entry] = []
    var number: UInt64 = 0
    var isRunning = false
    var thread: ThreadHandle?
    /// The error of the last poll; `nil` after a successful one.
    var error: MovementError?
  }
  private let state = Mutex(State())
  private let bell: WakeEvent
  private let interval: TimeSpan

  init(every interval: TimeSpan) throws(OpenError) {
    bell = try WakeEvent()
    self.interval = interval
  }

  /// Counts until the returned count is stopped, and reports to `observer`, which is not retained,
  /// the counts from `feed` since `start`.
  func add(
    _ observer: (any MovementObserver)?, since start: Date?, _ feed: PedometerStore
  ) throws(OpenError) -> MovementCount {
    let begin = feed.clocks.now()
    let (number, starts) = state.withLock { state in
      state.number += 1
      state.entries.append(
        Entry(
          number: state.number, observer: observer, begin: begin,
          since: start.map { MovementSince($0) }))
      defer { state.isRunning = true }
      return (state.number, !state.isRunning)
    }
    bell.ring()
    if starts {
      do {
        // The thread ends by itself shortly after the last count was removed.
        let thread = ThreadHandle(
          try startThread(name: "otolith movement") { self.run(feed) })
        state.withLock { $0.thread = thread }
      } catch {
        state.withLock { state in
          state.isRunning = false
          state.entries.removeAll { $0.number == number }
        }
        throw error
      }
    }
    return MovementCount { [self] in
      state.withLock { state in state.entries.removeAll { $0.number == number } }
      bell.ring()
    }
  }

  var error: MovementError? { state.withLock { $0.error } }

  /// Waits until the thread has ended, which it does after the last count.
  func finish() { state.withLock { $0.thread.take() }?.join() }

  private func run(_ feed: PedometerStore) {
    var waiter = Poller()
    waiter.add(bell.fileDescriptor)
    var last: MovementSnapshot?
    while true {
      let isWanted = state.withLock { !$0.entries.isEmpty }
      if isWanted {
        last = look(feed, last)
        // A failing wait would fail at once: then this loop polls again without a pause.
        _ = try? waiter.wait(until: monotonicNow() + interval)
        bell.drain()
      } else {
        feed.end()
        last = nil
        state.withLock { $0.error = nil }
        let isOver = state.withLock { state in
          if state.entries.isEmpty { state.isRunning = false }
          return !state.isRunning
        }
        if isOver { return }
      }
    }
  }

  /// Reports changes to each observer that needs them.
  private func look(_ feed: PedometerStore, _ last: MovementSnapshot?) -> MovementSnapshot? {
    do throws(MovementError) {
      let counted = try feed.begin()
      state.withLock { $0.error = nil }
      for entry in take(where: { $0.isNew || counted != last }, knowsError: false) {
        tell(entry, counted, feed)
      }
      return counted
    } catch {
      state.withLock { $0.error = error }
      for entry in take(where: { !$0.knowsError }, knowsError: true) {
        entry.observer?.fail(error)
      }
      return nil
    }
  }

  private func tell(_ entry: Entry, _ counted: MovementSnapshot, _ feed: PedometerStore) {
    guard let observer = entry.observer else { return }
    // Outside the lock, because the past may be read from the disk. Only this thread changes it.
    var since = entry.since
    var total = MovementTotal()
    if since != nil {
      guard let sum = since?.total(until: counted, feed) else { return }
      total = sum
      state.withLock { state in
        let index = state.entries.firstIndex { $0.number == entry.number }
        if let index { state.entries[index].since = since }
      }
    }
    let now = feed.clocks.now()
    observer.follow(
      MovementUpdate(
        start: since?.start ?? now.date, begin: entry.begin, now: now, total: total,
        counted: counted, hasFloors: feed.countsFloors))
  }

  /// Returns the entries that meet `condition`; then marks all entries as no longer new, and as
  /// informed about an error or not.
  private func take(where condition: (Entry) -> Bool, knowsError: Bool) -> [Entry] {
    state.withLock { state in
      let taken = state.entries.filter(condition)
      for index in state.entries.indices {
        state.entries[index].isNew = false
        state.entries[index].knowsError = knowsError
      }
      return taken
    }
  }
}
