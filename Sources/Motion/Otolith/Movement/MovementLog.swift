// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import Recognition
internal import Service
internal import Synchronization

/// Logs the movement recognised in this process: the counts, their times, and whether they are
/// stored. One for each hub.
///
/// Recognition runs on the hub's thread. Callers, and the thread that polls once per second, first
/// move its findings into the log, under the log's lock, which the hub's thread never takes.
final class MovementLog: Sendable {
  private struct Work: ~Copyable, Sendable {
    var kept: MovementJournal
    var receiver: MovementReceiver<FoundMovement>?
    var listening: Listening?
    var found = FoundMovement()
    var complaint: String?
    /// The counts before the current listening, up to the last entry, and up to now.
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
      // Not `??`, which does not propagate the typed error.
      let folder = if let chosen = setting.folder { chosen } else { try HistoryPlace.folder() }
      store = try MotionHub.movementStore(in: folder, isMadeUp: isMadeUp)
    } catch { complaint = error.description }
    work = Mutex(
      Work(
        kept: MovementJournal(store, without: complaint, clocks: setting.clocks),
        counted: MovementSnapshot(run: .random(in: 1 ... .max))))
  }

  /// Starts counting; no effect while counting.
  private func begin(_ hub: MotionHub) throws(MovementError) {
    let result = work.withLock { work -> Result<Void, SessionError> in
      guard work.listening == nil else { return .success(()) }
      guard let source = hub.source else { return .failure(hub.refusal ?? .noBoard([])) }
      // Four times per second is enough for entries written once per second.
      let clocks = setting.clocks
      let receiver = MovementReceiver(
        source, setting, into: FoundMovement(), every: .milliseconds(250)
      ) { recognition, found, isFirst in
        if isFirst { found.begin(at: recognition.movement.timestamp, clocks.now()) }
        found.gather(&recognition)
      }
      do throws(SessionError) {
        work.listening = try hub.listen(
          receiver, needing: source.stepCounter == nil ? .acceleration : [])
      } catch { return .failure(error) }
      work.receiver = receiver
      work.countsSteps = source.countsSteps
      work.countsFloors = source.has(.pressure)
      work.kept.retention = .seconds(86_400 * Int64(source.pedometer.historyDays))
      work.counted.isCounting = true
      work.before = work.counted.movement.counts
      work.written = work.before
      work.nextBegin = nil
      return .success(())
    }
    do { try result.get() } catch { throw .session(error) }
  }

  /// The longest time without movement before it is written as one entry.
  private static let longestRest = TimeSpan.seconds(20)

  /// Moves everything recognised since the last call into the log.
  private func flush(_ work: inout Work, isLast: Bool = false) {
    guard let receiver = work.receiver else { return }
    let now = setting.clocks.now().boot
    work.found.removeAll()
    let (begin, latest, complaint) = receiver.look(at: { now - $0.shift }) { state in
      work.found.shift = state.gathered.shift
      swap(&state.gathered, &work.found)
      return (state.begin, state.recognition?.movement, state.complaint)
    }
    work.complaint = complaint
    guard let begin, var movement = latest else { return work.kept.write() }
    let found = work.found
    movement.timestamp = movement.timestamp + found.shift
    movement.activity.timestamp = movement.activity.timestamp + found.shift
    movement.counts += work.before
    work.counted.event = found.events.last ?? work.counted.event
    work.counted.movement = movement

    var rest = MovementEntry(
      begin: work.nextBegin ?? (begin + found.shift), end: movement.timestamp)
    rest.hasSteps = work.countsSteps
    rest.hasFloors = work.countsFloors
    guard rest.end > rest.begin else { return work.kept.write() }
    var entry = rest
    entry.counts = movement.counts - work.written
    entry.events = found.events
    entry.activities = found.activities
    if entry.isEmpty {
      // An entry without movement is written only after a while, or if a caller needs its end.
      let isLong = rest.end - rest.begin >= Self.longestRest
      guard isLast || isLong else { return work.kept.write() }
    } else if let first = found.firstStep.map({ $0 - .milliseconds(500) }),
      first > rest.begin, first < rest.end
    {
      // Steps are confirmed seconds later, so the time before the first of them is a separate rest.
      rest.end = first
      entry.begin = first
      work.kept.append(rest)
    }
    work.kept.append(entry)
    work.nextBegin = entry.end
    work.written = movement.counts
  }
}

extension MovementLog: MovementCounting {
  func counted(beginning hub: MotionHub?) throws(MovementError) -> MovementSnapshot {
    if let hub { try begin(hub) }
    let (counted, complaint) = work.withLock { work in
      flush(&work)
      return (work.counted, work.complaint)
    }
    if let complaint { throw .silent(complaint) }
    return counted
  }

  /// Writes the counts, and lets the chips sleep.
  func end() {
    let listening = work.withLock { work -> Listening? in
      defer { work.listening = nil }
      return work.listening
    }
    // Outside the lock, because it waits for the receiver.
    listening?.stop()
    work.withLock { work in
      guard work.listening == nil, work.receiver != nil else { return }
      flush(&work, isLast: true)
      work.receiver = nil
      work.counted.isCounting = false
      work.counted.movement.currentPace = nil
      work.counted.movement.currentCadence = nil
      work.counted.movement.activity = ActivityEstimate(
        timestamp: work.counted.movement.timestamp)
      work.kept.close()
    }
  }

  func total(from start: Date, to end: Date) throws(MovementError) -> TotalWithCursor {
    try asking { work throws(HistoryError) in
      // Counts not in the log yet, for instance the step of a first sample, are still to be added.
      var mark = work.counted
      mark.movement.counts = work.written
      return TotalWithCursor(try work.kept.total(from: start, to: end), mark: mark)
    }
  }

  func activities(from start: Date, to end: Date) throws(MovementError) -> [RecordedActivity] {
    try asking { work throws(HistoryError) in
      try work.kept.activities(from: start, to: end)
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

/// Findings of a recogniser since the last flush of the log, on CLOCK_MONOTONIC.
private struct FoundMovement: Sendable {
  /// The offset from the samples' clock to CLOCK_MONOTONIC.
  var shift = TimeSpan.zero
  /// The time of the first step confirmed since then.
  var firstStep: Timestamp?
  var events: [WalkingEvent] = []
  var activities: [ActivityEstimate] = []
  /// More pauses and changes of activity than occur in a minute of a hanging disk.
  private static let capacity = 64

  init() { removeAll() }

  /// Sets the clock offset for a first sample that was taken at `time`, just now.
  mutating func begin(at time: Timestamp, _ now: ClockReading) {
    // A script has a separate clock: its motion happens now.
    let difference = now.boot - time
    if abs(difference.seconds) > 10 { shift = difference }
  }

  mutating func gather(_ recognition: inout any MovementRecognition) {
    while let step = recognition.nextStep() {
      if firstStep == nil { firstStep = step.timestamp + shift }
    }
    while let event = recognition.nextEvent() {
      guard events.count < Self.capacity else { continue }
      events.append(WalkingEvent(event.kind, timestamp: event.timestamp + shift))
    }
    while var activity = recognition.nextActivity() {
      activity.timestamp = activity.timestamp + shift
      if activities.count < Self.capacity { activities.append(activity) }
    }
  }

  /// Removes the findings but keeps their memory, so that the hub's thread does not allocate.
  mutating func removeAll() {
    firstStep = nil
    events.removeAll(keepingCapacity: true)
    activities.removeAll(keepingCapacity: true)
    if events.capacity < Self.capacity { events.reserveCapacity(Self.capacity) }
    if activities.capacity < Self.capacity { activities.reserveCapacity(Self.capacity) }
  }
}
