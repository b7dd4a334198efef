// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import History
internal import LinuxSystem
internal import Runtime
package import Service
internal import Synchronization

/// The past and present movement of a hub's board. It is counted by this process's recorder or, if
/// the service owns the board, by the service. The store counts while it has observers, and answers
/// queries about any past time.
package struct PedometerStore: Sendable {
  private let hub: MotionHub

  package init(_ hub: MotionHub) { self.hub = hub }

  /// True if the board has the sensors for steps. All other counts are derived from steps.
  package var countsSteps: Bool { hub.source?.countsSteps ?? false }

  package var countsFloors: Bool { countsSteps && hub.source?.has(.pressure) ?? false }

  /// True if steps are counted and the board's devices are present. Floors also need a barometer.
  package var stepsAreAvailable: Bool { countsSteps && hub.presentChannels != nil }
  package var floorsAreAvailable: Bool { stepsAreAvailable && countsFloors }

  /// The reason why steps can never be counted; `nil` if they can be counted, or may be once there
  /// is a board.
  package var refusal: MovementError? {
    guard let source = hub.source, !source.countsSteps else { return nil }
    return .session(.missing(.acceleration, source: source.name))
  }

  /// The reason why a query is rejected; otherwise `nil`. This property also tests whether the
  /// program may open the board, without sending anything to the chips.
  package var objection: MovementError? {
    do throws(SessionError) {
      try hub.tryOpening()
      return refusal
    } catch { return .session(error) }
  }

  /// The clocks that the recorder uses.
  package var clocks: HostClocks { hub.movement.setting.clocks }

  package var now: Date { clocks.now().date }

  /// Counts until the returned function is called. `observer` receives each change, about once per
  /// second, on a thread that may block on the disk. It receives the first update immediately, but
  /// not before `start`. Updates contain the total since `start` if `start` is given, and no events
  /// from before this call. An error is reported once until counting works again. The observer may
  /// still be called for a moment after the end.
  package func count(
    since start: Date? = nil, _ observer: MovementFollower.Observer? = nil
  ) throws(MovementError) -> @Sendable () -> Void {
    do throws(ResourceError) { return try hub.movement.add(observer, since: start, self) } catch {
      throw .session(.resource(error))
    }
  }

  /// Waits until counting has ended and all counts are stored. Call this after the last `count` has
  /// been ended.
  package func finish() { hub.movement.finish() }

  /// Returns the counts so far. Throws if movement was requested but cannot be counted.
  package func counted() throws(MovementError) -> MovementSnapshot {
    if let error = hub.movement.error { throw error }
    return try snapshot(.movement(counts: true))
  }

  /// Returns the counts so far, with the total from `start` to `end`.
  package func total(from start: Date, to end: Date) throws(MovementError) -> MovementSnapshot {
    var snapshot = try snapshot(.total(from: start.wall, to: end.wall))
    (snapshot.total.start, snapshot.total.end) = (start, end)
    return snapshot
  }

  /// Returns the activities from `start` to `end`. The first activity may have begun before
  /// `start`.
  package func activities(from start: Date, to end: Date) throws(MovementError)
    -> [RecordedActivity]
  {
    let answer = try ask(.activities(from: start.wall, to: end.wall))
    guard case .activities(let activities) = answer else { throw .garbled }
    return activities
  }

  /// Starts or continues counting, and returns the counts so far.
  func poll() throws(MovementError) -> MovementSnapshot {
    if service == nil { try recorder().begin(hub) }
    return try snapshot(.movement(counts: true))
  }

  /// Ends counting, and stores all counts.
  func end() {
    if service == nil {
      try? recorder().end()
    } else {
      _ = try? ask(.movement(counts: false))
    }
  }

  private func snapshot(_ question: ServiceQuestion) throws(MovementError) -> MovementSnapshot {
    guard case .movement(let snapshot) = try ask(question) else { throw .garbled }
    return snapshot
  }

  /// Sends the query to this process's recorder or, if the service owns the board, to the service.
  private func ask(_ question: ServiceQuestion) throws(MovementError) -> ServiceAnswer {
    guard let service else { return try recorder().answer(question) }
    do throws(SessionError) { return try service.ask(question) } catch { throw .session(error) }
  }

  private var service: ServiceSource? { hub.source as? ServiceSource }

  private func recorder() throws(MovementError) -> MovementRecorder {
    // Without a source, the process that stores the history is unknown.
    guard hub.source != nil else { throw .session(hub.refusal ?? .noBoard([])) }
    return hub.movement.recorder(isMadeUp: hub.isMadeUp)
  }
}

extension PedometerStore {
  /// Answers the queries of the service's clients. The service counts movement while any client
  /// requests it.
  package var answers: @Sendable (ServiceQuestion) -> ServiceAnswer {
    struct Counting: Sendable { var stop: (@Sendable () -> Void)? }
    let counting = Mutex(Counting())
    return { question in
      if case .movement(let counts) = question {
        counting.withLock { counting in
          if !counts { counting.stop.take()?() }
          // If no thread or descriptor is available, nothing is counted; the answers report this to
          // the clients.
          if counts, counting.stop == nil { counting.stop = try? count() }
        }
      }
      return answer(question)
    }
  }

  private func answer(_ question: ServiceQuestion) -> ServiceAnswer {
    do throws(MovementError) {
      if case .movement = question { return .movement(try counted()) }
      return try ask(question)
    } catch { return .refused(ServiceRefusal(error)) }
  }
}

extension MovementError {
  fileprivate static var garbled: MovementError {
    .session(
      .service(
        ServiceFailure(
          .unavailable,
          "the otolith service sends unexpected answers: install the same release of both")))
  }
}

extension ServiceRefusal {
  fileprivate init(_ error: MovementError) {
    let reason: Reason =
      switch error {
      case .session(let error): error.isDenied ? .denied : error.isTaken ? .taken : .unavailable
      case .history(let error): error.kind == .denied ? .denied : .unavailable
      case .silent: .unavailable
      }
    self.init(reason, error.description)
  }
}
