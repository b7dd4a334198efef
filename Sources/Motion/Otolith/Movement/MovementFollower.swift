// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import LinuxSystem
internal import Recognition
package import Service
internal import Synchronization

/// The observers of a hub's movement, its recorder, and the thread that queries the recorder once
/// per second while there are observers.
package final class MovementFollower: Sendable {
  package typealias Observer = @Sendable (Result<MovementSnapshot, MovementError>) -> Void

  private struct Entry: Sendable {
    let number: UInt64
    let observer: Observer?
    /// The time at which the observer was added, on CLOCK_MONOTONIC.
    let begin: Timestamp
    /// The start of the observer's total; `nil` if the observer needs no total.
    let start: Date?
    /// The last update with the observer's total, to which later counts are added; `nil` before
    /// `start`.
    var last: MovementSnapshot?
    /// The time of the next query for stored movement, on CLOCK_MONOTONIC; `nil` once the stored
    /// movement is known.
    var nextAttempt: Timestamp?
    var isNew = true
    var knowsError = false
  }
  private struct State: Sendable {
    var setting = MovementConfiguration()
    var recorder: MovementRecorder?
    var entries: [Entry] = []
    var number: UInt64 = 0
    var isRunning = false
    var thread: ThreadHandle?
    /// Wakes the thread that queries the recorder; `nil` before the first observer.
    var wakeEvent: WakeEvent?
    /// The error of the last query to the recorder; `nil` if the query succeeded.
    var error: MovementError?
  }
  private let state = Mutex(State())
  /// The time between two attempts to read stored movement. Each attempt reads the disk or queries
  /// a service.
  private static let retryInterval = TimeSpan.seconds(5)

  /// The settings, which must be set before counting starts.
  package var setting: MovementConfiguration {
    get { state.withLock { $0.setting } }
    set {
      state.withLock { state in
        state.setting = newValue
        (state.recorder, state.error) = (nil, nil)
      }
    }
  }

  /// Releases the recorder, because the hub's source has changed.
  func reset() { state.withLock { ($0.recorder, $0.error) = (nil, nil) } }

  func recorder(isMadeUp: Bool) -> MovementRecorder {
    state.withLock { state in
      let recorder = state.recorder ?? MovementRecorder(state.setting, isMadeUp: isMadeUp)
      state.recorder = recorder
      return recorder
    }
  }

  /// The reason why nothing is counted although an observer requests it; otherwise `nil`.
  var error: MovementError? { state.withLock { $0.error } }

  /// Counts movement until the returned function is called. Passes the movement from `store` to
  /// `observer`, with the total since `start`.
  func add(
    _ observer: Observer?, since start: Date?, _ store: PedometerStore
  ) throws(ResourceError) -> @Sendable () -> Void {
    let begin = store.clocks.now().boot
    let wakeEvent =
      if let wakeEvent = state.withLock({ $0.wakeEvent }) { wakeEvent } else { try WakeEvent() }
    let (number, starts, shared) = state.withLock { state in
      let shared = state.wakeEvent ?? wakeEvent
      state.wakeEvent = shared
      state.number += 1
      state.entries.append(
        Entry(number: state.number, observer: observer, begin: begin, start: start))
      defer { state.isRunning = true }
      return (state.number, !state.isRunning, shared)
    }
    shared.signal()
    if starts {
      do {
        // The thread ends by itself shortly after the last observer has been removed.
        let thread = ThreadHandle(
          try startThread(name: "otolith movement") { self.run(store, shared) })
        state.withLock { $0.thread = thread }
      } catch {
        state.withLock { state in
          state.isRunning = false
          state.entries.removeAll { $0.number == number }
        }
        throw error
      }
    }
    return { [self] in
      state.withLock { state in state.entries.removeAll { $0.number == number } }
      shared.signal()
    }
  }

  /// Waits until the thread has ended, which happens after the last observer has been removed.
  func finish() { state.withLock { $0.thread.take() }?.join() }

  private func run(_ store: PedometerStore, _ wakeEvent: WakeEvent) {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    var last: MovementSnapshot?
    while true {
      let interval = state.withLock { $0.entries.isEmpty ? nil : $0.setting.interval }
      if let interval {
        last = poll(store, last)
        // If waiting for the event fails, it returns immediately, and this loop queries again
        // without a pause.
        _ = try? poller.wait(until: monotonicNow() + interval)
        wakeEvent.drain()
      } else {
        store.end()
        last = nil
        let isOver = state.withLock { state in
          state.error = nil
          if state.entries.isEmpty { state.isRunning = false }
          return !state.isRunning
        }
        if isOver { return }
      }
    }
  }

  /// Reports changed movement to the observers that need it.
  private func poll(_ store: PedometerStore, _ last: MovementSnapshot?) -> MovementSnapshot? {
    do throws(MovementError) {
      let counted = try store.poll()
      for entry in take(error: nil, where: { $0.isNew || counted != last }) {
        report(counted, to: entry, store)
      }
      return counted
    } catch {
      for entry in take(error: error, where: { !$0.knowsError }) {
        entry.observer?(.failure(error))
      }
      return nil
    }
  }

  /// Returns the entries that meet `condition`. Afterwards no entry counts as new, and all entries
  /// count as having received `error`.
  private func take(error: MovementError?, where condition: (Entry) -> Bool) -> [Entry] {
    state.withLock { state in
      state.error = error
      let taken = state.entries.filter(condition)
      for index in state.entries.indices {
        state.entries[index].isNew = false
        state.entries[index].knowsError = error != nil
      }
      return taken
    }
  }

  private func report(_ counted: MovementSnapshot, to entry: Entry, _ store: PedometerStore) {
    guard let observer = entry.observer else { return }
    var update = counted
    if entry.start != nil {
      // Compute the total outside the lock, because it may be read from the disk. Only this thread
      // changes entries.
      var entry = entry
      guard let sum = Self.total(&entry, until: counted, store) else { return }
      state.withLock { state in
        let index = state.entries.firstIndex { $0.number == entry.number }
        guard let index else { return }
        state.entries[index].last = entry.last
        state.entries[index].nextAttempt = entry.nextAttempt
      }
      update = sum
    }
    if let event = update.event, event.timestamp < entry.begin { update.event = nil }
    update.total.end = store.now
    update.total.hasFloors = store.countsFloors
    observer(.success(update))
  }

  /// Returns `counted` with the total since the start of the entry; `nil` before that start. Stored
  /// movement is queried once. It is queried again if the query failed, or if the recorder was
  /// replaced, for instance because the service restarted. Later changes of the clock have no
  /// effect.
  private static func total(
    _ entry: inout Entry, until counted: MovementSnapshot, _ store: PedometerStore
  ) -> MovementSnapshot? {
    let isDue = entry.nextAttempt.map { store.clocks.now().boot >= $0 } ?? false
    var sum = entry.last?.continued(to: counted)
    if isDue || sum == nil {
      guard let start = entry.start, store.now >= start else { return nil }
      if let whole = try? store.total(from: start, to: .distantFuture) {
        entry.nextAttempt = nil
        sum = whole
      } else {
        // If stored movement cannot be read, this is logged; continue counting from the last known
        // total.
        entry.nextAttempt = store.clocks.now().boot + retryInterval
        if sum == nil {
          sum = counted
          sum?.total = entry.last?.total ?? MovementTotal(from: start, to: start)
        }
      }
    }
    entry.last = sum
    return sum
  }
}
