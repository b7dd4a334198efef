// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import Recognition
internal import Runtime
package import Service
internal import Synchronization

/// The service's log, from a program's side: the service counts, stores the history and answers
/// queries.
extension ServiceSource: MovementCounting {
  func counted(beginning hub: MotionHub?) throws(MovementError) -> MovementSnapshot {
    // Requested with each query, so that a restarted service counts again from the next query on.
    guard case .movement(let counted) = try answer(.now(counts: true)) else { throw garbled }
    return counted
  }

  func end() { _ = try? answer(.now(counts: false)) }

  func total(from start: Date, to end: Date) throws(MovementError) -> TotalWithCursor {
    guard case .total(let total) = try answer(.total(from: start.wall, to: end.wall)) else {
      throw garbled
    }
    return total
  }

  func activities(from start: Date, to end: Date) throws(MovementError) -> [RecordedActivity] {
    guard case .activities(let served) = try answer(.activities(from: start.wall, to: end.wall))
    else { throw garbled }
    return served.map { activity in
      RecordedActivity(
        start: Date(wall: activity.start), activities: activity.activities,
        confidence: activity.confidence)
    }
  }

  private func answer(_ question: MovementQuestion) throws(MovementError) -> ServiceAnswer {
    do throws(SessionError) { return try ask(question) } catch { throw .session(error) }
  }

  private var garbled: MovementError {
    .session(
      .service(
        ServiceFailure(
          .unavailable,
          "the otolith service answers what was not asked: install the same release of both")))
  }
}

extension PedometerStore {
  /// The counting of a service that owns this board: it counts while any of its programs requests
  /// it, and answers their queries.
  package var service: MovementService {
    let count = Mutex<MovementCount?>(nil)
    return MovementService { isWanted in
      let old = count.withLock { count in
        // Without a free thread or descriptor nothing counts, which programs see in the answers.
        defer { count = isWanted ? try? self.count() : nil }
        return count
      }
      old?.stop()
    } answer: { question in
      answer(question)
    }
  }

  private func answer(_ question: MovementQuestion) -> ServiceAnswer {
    do throws(MovementError) {
      switch question {
      case .now: return .movement(try counted())
      case .total(let start, let end):
        return .total(try total(from: Date(wall: start), to: Date(wall: end)))
      case .activities(let start, let end):
        return .activities(
          try activities(from: Date(wall: start), to: Date(wall: end)).map { activity in
            ServedActivity(
              start: activity.start.wall, activities: activity.activities,
              confidence: activity.confidence)
          })
      }
    } catch { return .refused(ServiceRefusal(error)) }
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
