// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import Recognition
internal import Service
internal import Synchronization

/// Records the movement recognised in this process: its counts, and in the journal also its times.
/// Each hub has one recorder, which answers the same queries as the service.
///
/// Recognition runs on the hub's thread. It keeps the newest results of more than 30 s of walking,
/// in case the disk blocks. Callers, and the thread that queries once per second, first move these
/// results into the journal, under a lock that the hub's thread never takes.
final class MovementRecorder: Sendable {
  private struct Work: ~Copyable, Sendable {
    var journal: MovementJournal
    var receiver: MovementReceiver?
    var listening: Listening?
    var complaint: String?
    /// The counts before the recorder's current registration at the hub, and the counts up to the
    /// last entry in the journal.
    var before = MovementCounts()
    var written = MovementCounts()
    var counted: MovementSnapshot
    /// The time at which the next entry begins.
    var nextBegin: Timestamp?
    var countsSteps = false
    var countsFloors = false
  }
  private let work: Mutex<Work>
  private let setting: MovementConfiguration

  init(_ setting: MovementConfiguration, isMadeUp: Bool) {
    self.setting = setting
    var store: MovementStore?
    var complaint = ""
    do throws(HistoryError) {
      // Use `if`, because `??` does not propagate the typed error.
      let folder = if let chosen = setting.folder { chosen } else { try HistoryPlace.folder() }
      store = try MotionHub.movementStore(in: folder, isMadeUp: isMadeUp, clocks: setting.clocks)
    } catch { complaint = error.description }
    work = Mutex(
      Work(
        journal: MovementJournal(store, without: complaint, clocks: setting.clocks),
        counted: MovementSnapshot(run: .random(in: 1 ... .max))))
  }

  /// Starts to count. Has no effect if counting has already started.
  func begin(_ hub: MotionHub) throws(MovementError) {
    let result = work.withLock { work -> Result<Void, SessionError> in
      guard work.listening == nil else { return .success(()) }
      guard let source = hub.source else { return .failure(hub.refusal ?? .noBoard([])) }
      // Deliveries every 0.25 s suffice, because entries are written once per second.
      let receiver = MovementReceiver(source, setting, every: .milliseconds(250))
      do throws(SessionError) {
        work.listening = try hub.listen(
          receiver, needing: source.stepCounter == nil ? .acceleration : [])
      } catch { return .failure(error) }
      work.receiver = receiver
      work.countsSteps = source.countsSteps
      work.countsFloors = source.has(.pressure)
      work.journal.retention = .seconds(86_400 * Int64(source.pedometer.historyDays))
      work.before = work.counted.movement.counts
      work.written = work.before
      work.nextBegin = nil
      return .success(())
    }
    do { try result.get() } catch { throw .session(error) }
  }

  /// The longest time without movement. After this time an entry without movement is written.
  private static let longestRest = TimeSpan.seconds(20)

  /// Moves the steps and activities recognised since the last call into the journal.
  private func flush(_ work: inout Work, isLast: Bool = false) {
    guard let receiver = work.receiver else { return }
    var entry = MovementEntry(begin: .zero, end: .zero)
    var firstStep: Timestamp?
    let (begin, latest, shift) = receiver.withState { state in
      let shift = state.shift
      work.complaint = state.complaint
      while let step = state.recognition?.nextStep() {
        if firstStep == nil { firstStep = step.timestamp + shift }
      }
      while let event = state.recognition?.nextEvent() {
        entry.events.append(WalkingEvent(event.kind, timestamp: event.timestamp + shift))
      }
      while var activity = state.recognition?.nextActivity() {
        activity.timestamp = activity.timestamp + shift
        entry.activities.append(activity)
      }
      return (state.begin, state.recognition?.movement, shift)
    }
    guard let begin, var movement = latest else { return work.journal.write() }
    movement.timestamp = movement.timestamp + shift
    movement.activity.timestamp = movement.activity.timestamp + shift
    movement.counts += work.before
    work.counted.event = entry.events.last ?? work.counted.event
    work.counted.movement = movement

    entry.begin = work.nextBegin ?? (begin + shift)
    entry.end = movement.timestamp
    (entry.hasSteps, entry.hasFloors) = (work.countsSteps, work.countsFloors)
    guard entry.end > entry.begin else { return work.journal.write() }
    entry.counts = movement.counts - work.written
    if entry.isEmpty {
      // Write an entry without movement only after `longestRest`, or if it is the last entry.
      let isLong = entry.end - entry.begin >= Self.longestRest
      guard isLast || isLong else { return work.journal.write() }
    } else if let first = firstStep.map({ $0 - .milliseconds(500) }),
      first > entry.begin, first < entry.end
    {
      // Steps are confirmed seconds later, so put the time before the first step into a separate
      // entry without movement.
      var rest = MovementEntry(begin: entry.begin, end: first)
      (rest.hasSteps, rest.hasFloors) = (entry.hasSteps, entry.hasFloors)
      work.journal.append(rest)
      entry.begin = first
    }
    work.journal.append(entry)
    work.nextBegin = entry.end
    work.written = movement.counts
  }
}

extension MovementRecorder {
  /// Answers a query about movement.
  func answer(_ question: ServiceQuestion) throws(MovementError) -> ServiceAnswer {
    switch question {
    case .movement: return .movement(try counted())
    case .total(let start, let end):
      return .movement(try total(from: Date(wall: start), to: Date(wall: end)))
    case .activities(let start, let end):
      let activities = try asking { work throws(HistoryError) in
        try work.journal.activities(from: Date(wall: start), to: Date(wall: end))
      }
      return .activities(activities)
    // Requests to reload or to delete concern the board; only a service handles them.
    case .want, .fence, .calibration, .report, .status, .reload, .forget: return .done
    }
  }

  private func counted() throws(MovementError) -> MovementSnapshot {
    let (counted, complaint) = work.withLock { work in
      flush(&work)
      return (work.counted, work.complaint)
    }
    if let complaint { throw .silent(complaint) }
    return counted
  }

  /// Writes the counts, and ends sampling so that the chips can sleep.
  func end() {
    let listening = work.withLock { work -> Listening? in
      defer { work.listening = nil }
      return work.listening
    }
    // Stop outside the lock, because stopping waits for the receiver.
    listening?.stop()
    work.withLock { work in
      guard work.listening == nil, work.receiver != nil else { return }
      flush(&work, isLast: true)
      work.receiver = nil
      work.counted.movement.currentPace = nil
      work.counted.movement.currentCadence = nil
      work.counted.movement.activity = ActivityEstimate(
        timestamp: work.counted.movement.timestamp)
      work.journal.close()
    }
  }

  private func total(from start: Date, to end: Date) throws(MovementError) -> MovementSnapshot {
    try asking { work throws(HistoryError) in
      var snapshot = work.counted
      // Use the counts in the journal. Later counts, for instance a step in the newest sample, are
      // added afterwards.
      snapshot.movement.counts = work.written
      snapshot.total = try work.journal.total(from: start, to: end)
      return snapshot
    }
  }

  private func asking<Answer: Sendable>(
    _ ask: (borrowing Work) throws(HistoryError) -> Answer
  ) throws(MovementError) -> Answer {
    do throws(HistoryError) {
      return try work.withLock { work throws(HistoryError) in
        flush(&work)
        return try ask(work)
      }
    } catch { throw .history(error) }
  }
}
