// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import Recognition
internal import Synchronization

/// Counts movement in this process: hears the hub's samples, keeps the history, and answers
/// questions. One for each hub.
///
/// The hub's thread recognises; callers, and the thread that asks once a second, bring what was
/// recognised to the journal first. Both hold the journal's lock meanwhile, which the hub's thread
/// never does.
final class MovementCounter: Sendable {
  private struct Work: ~Copyable, Sendable {
    var journal: MovementJournal
    var collector: MovementCollector?
    var listening: Listening?
    var taken = CollectedMovement(movement: Movement())
    /// Sums of what was counted before the present listening, and until now.
    var before = Movement()
    var counted: CountedMovement
    /// The time where the next entry begins.
    var nextBegin: Timestamp?
    /// The sums counted up to the last entry.
    var written = Movement()
    var countsSteps = false
    var countsFloors = false
  }
  private let work: Mutex<Work>
  let setting: MovementSetting

  init(_ setting: MovementSetting, isMadeUp: Bool) {
    self.setting = setting
    var store: MovementStore?
    var complaint = ""
    do throws(HistoryError) {
      // Not `??`, which forgets what is thrown.
      let folder = if let chosen = setting.folder { chosen } else { try HistoryPlace.folder() }
      store = try MotionHub.movementStore(in: folder, isMadeUp: isMadeUp)
    } catch { complaint = error.description }
    work = Mutex(
      Work(
        journal: MovementJournal(store, without: complaint, clocks: setting.clocks),
        counted: CountedMovement(run: .random(in: 1 ... .max))))
  }

  /// Begins to count. Does nothing while it counts.
  func begin(_ hub: MotionHub) throws(MovementError) {
    let result = work.withLock { work -> Result<Void, SessionError> in
      guard work.listening == nil else { return .success(()) }
      guard let source = hub.source else { return .failure(hub.refusal ?? .noBoard([])) }
      let collector = MovementCollector(setting, of: source)
      do throws(SessionError) {
        work.listening = try hub.listen(
          collector, needing: source.stepCounter == nil ? .acceleration : [])
      } catch { return .failure(error) }
      work.collector = collector
      work.countsSteps = source.countsSteps
      work.countsFloors = source.has(.pressure)
      work.journal.retention = .seconds(86_400 * Int64(source.pedometer.historyDays))
      work.counted.isCounting = true
      work.before = work.counted.movement
      work.written = Movement()
      work.nextBegin = nil
      return .success(())
    }
    do { try result.get() } catch { throw .session(error) }
  }

  /// Writes what was counted, and lets the chips sleep.
  func end() {
    let listening = work.withLock { work -> Listening? in
      defer { work.listening = nil }
      return work.listening
    }
    // Not within the lock: it waits for the receiver.
    listening?.stop()
    work.withLock { work in
      guard work.listening == nil, work.collector != nil else { return }
      flush(&work, isLast: true)
      work.collector = nil
      work.counted.isCounting = false
      work.counted.movement.currentPace = nil
      work.counted.movement.currentCadence = nil
      work.counted.movement.activity = ActivityEstimate(
        timestamp: work.counted.movement.timestamp)
      work.journal.close()
    }
  }

  /// Returns what has been counted until now. Throws while the sensors are silent.
  func look() throws(MovementError) -> CountedMovement {
    let (counted, complaint) = work.withLock { work in
      flush(&work)
      return (work.counted, work.taken.complaint)
    }
    if let complaint { throw .silent(complaint) }
    return counted
  }

  func total(from start: Date, to end: Date) throws(HistoryError) -> MarkedTotal {
    try work.withLock { work throws(HistoryError) in
      flush(&work)
      // What the journal does not hold yet, a first sample's step for instance, is still to come.
      var mark = work.counted
      mark.movement = work.written.adding(work.before)
      mark.movement.timestamp = work.counted.movement.timestamp
      return MarkedTotal(try work.journal.total(from: start, to: end), mark: mark)
    }
  }

  func activities(from start: Date, to end: Date) throws(HistoryError) -> [RecordedActivity] {
    try work.withLock { work throws(HistoryError) in
      flush(&work)
      return try work.journal.activities(from: start, to: end)
    }
  }

  /// Seconds of nothing are one entry.
  private static let longestRest = TimeSpan.seconds(20)

  /// Brings to the journal everything recognised since the last time.
  private func flush(_ work: inout Work, isLast: Bool = false) {
    guard let collector = work.collector else { return }
    collector.take(&work.taken)
    let taken = work.taken
    guard let begin = taken.begin else { return work.journal.write() }
    var movement = taken.movement
    movement.timestamp = movement.timestamp + taken.shift
    movement.activity.timestamp = movement.activity.timestamp + taken.shift
    let events = taken.events.map { WalkingEvent($0.kind, timestamp: $0.timestamp + taken.shift) }
    work.counted.event = events.last ?? work.counted.event
    work.counted.movement = movement.adding(work.before)

    var rest = MovementEntry(
      begin: work.nextBegin ?? (begin + taken.shift), end: movement.timestamp)
    rest.hasSteps = work.countsSteps
    rest.hasFloors = work.countsFloors
    guard rest.end > rest.begin else { return work.journal.write() }
    var entry = rest
    entry.steps = movement.steps - work.written.steps
    entry.distance = movement.distance - work.written.distance
    entry.activeTime = movement.activeTime - work.written.activeTime
    entry.floorsAscended = movement.floorsAscended - work.written.floorsAscended
    entry.floorsDescended = movement.floorsDescended - work.written.floorsDescended
    entry.events = events
    entry.activities = taken.activities.map { estimate in
      var estimate = estimate
      estimate.timestamp = estimate.timestamp + taken.shift
      return estimate
    }
    if entry.isEmpty {
      // An entry without movement is no news, unless a caller needs to know until when.
      let isLong = rest.end - rest.begin >= Self.longestRest
      guard isLast || isLong else { return work.journal.write() }
    } else if let first = taken.firstStep.map({ $0 + taken.shift - .milliseconds(500) }),
      first > rest.begin, first < rest.end
    {
      // Steps become known seconds later: what lies before the first of them is a rest.
      rest.end = first
      entry.begin = first
      work.journal.append(rest)
    }
    work.journal.append(entry)
    work.nextBegin = entry.end
    work.written = movement
  }
}

extension Movement {
  /// Returns the movement with the sums of `earlier`.
  fileprivate func adding(_ earlier: Movement) -> Movement {
    var sum = self
    sum.steps += earlier.steps
    sum.distance += earlier.distance
    sum.activeTime += earlier.activeTime
    sum.floorsAscended += earlier.floorsAscended
    sum.floorsDescended += earlier.floorsDescended
    return sum
  }
}
