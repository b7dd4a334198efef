// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import LinuxBus
internal import Service
internal import Synchronization

/// An observer of movement. Called about once a second, on a thread that may wait for the disk
/// meanwhile.
package protocol MovementObserver: AnyObject, Sendable {
  /// Receives the sums; also called at once, and even where nothing has changed. Not while the
  /// start is to come.
  func follow(_ news: MovementNews)
  /// Reports an error once, and again only when counting went on in between.
  func fail(_ error: MovementError)
}

/// Counting goes on until this is stopped or let go.
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

/// The thread of a hub that looks once a second, as long as there are counts.
final class MovementFollower: Sendable {
  private struct Entry: Sendable {
    let number: UInt64
    weak let observer: (any MovementObserver)?
    let begin: ClockReading
    /// `nil` where the past is not asked for.
    var since: MovementSince?
    var isNew = true
    var knowsError = false
  }
  private struct State: Sendable {
    var entries: [Entry] = []
    var number: UInt64 = 0
    var isRunning = false
    var thread: ThreadHandle?
    /// The last look's error, where it failed.
    var error: MovementError?
  }
  private let state = Mutex(State())
  private let bell: Doorbell
  private let interval: TimeSpan

  init(every interval: TimeSpan) throws(OpenError) {
    bell = try Doorbell()
    self.interval = interval
  }

  /// Counts until the returned count has been stopped, and tells `observer`, which is not held,
  /// what `feed` has since `start`.
  func add(
    _ observer: (any MovementObserver)?, since start: Date?, _ feed: MovementFeed
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
        // It ends by itself, a moment after the last has gone.
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

  private func run(_ feed: MovementFeed) {
    var waiter = Waiter()
    waiter.add(bell.fileDescriptor)
    var last: CountedMovement?
    while true {
      let isWanted = state.withLock { !$0.entries.isEmpty }
      if isWanted {
        last = look(feed, last)
        // A wait that fails would fail again at once: then it is a second of nothing.
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

  /// Tells each observer what is new to it.
  private func look(_ feed: MovementFeed, _ last: CountedMovement?) -> CountedMovement? {
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

  private func tell(_ entry: Entry, _ counted: CountedMovement, _ feed: MovementFeed) {
    guard let observer = entry.observer else { return }
    // Without the lock: the past may be read from the disk. This thread alone changes it.
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
      MovementNews(
        start: since?.start ?? now.date, begin: entry.begin, now: now, total: total,
        counted: counted, hasFloors: feed.countsFloors))
  }

  /// Returns the entries for which `condition` holds; from now on all are no longer new, and know
  /// of an error or not.
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
