// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import Runtime
package import Service

/// The service's counter, as one of its programs sees it: the service counts, keeps the history,
/// and is asked.
struct ServedMovementCounting: MovementCounting {
  let source: ServiceSource

  func look() throws(MovementError) -> CountedMovement {
    // Asked so each time: a service that was started anew hears it with the next question.
    guard case .movement(let served) = try ask(.now(counts: true)) else { throw garbled }
    return CountedMovement(served)
  }

  func end() { _ = try? source.ask(.now(counts: false)) }

  func total(from start: Date, to end: Date) throws(MovementError) -> MarkedTotal {
    guard case .total(let served) = try ask(.total(from: start.wall, to: end.wall)) else {
      throw garbled
    }
    var total = MovementTotal()
    total.steps = served.steps
    total.distance = served.distance
    total.activeTime = served.activeTime
    total.countedTime = TimeSpan(seconds: served.countedTime)
    total.floorsAscended = served.floorsAscended
    total.floorsDescended = served.floorsDescended
    return MarkedTotal(total, mark: CountedMovement(served.mark))
  }

  func activities(from start: Date, to end: Date) throws(MovementError) -> [RecordedActivity] {
    guard case .activities(let served) = try ask(.activities(from: start.wall, to: end.wall))
    else { throw garbled }
    return served.map { activity in
      RecordedActivity(
        start: Date(timeIntervalSince1970: Double(activity.start) / 1e9),
        activities: activity.activities, confidence: activity.confidence)
    }
  }

  private func ask(_ question: MovementQuestion) throws(MovementError) -> ServiceAnswer {
    do throws(SessionError) { return try source.ask(question) } catch { throw .session(error) }
  }

  private var garbled: MovementError {
    .session(
      .service(
        ServiceFailure(
          .unavailable,
          "the otolith service answers what was not asked: install the same release of both")))
  }
}

extension CountedMovement {
  fileprivate init(_ served: ServedMovement) {
    self.init(run: served.run, movement: served.movement)
    event = served.event
    isCounting = served.isCounting
  }

  fileprivate var served: ServedMovement {
    ServedMovement(run: run, isCounting: isCounting, movement: movement, event: event)
  }
}

extension MovementDesk {
  /// Returns a service's answer to one of its programs.
  package func answer(_ question: MovementQuestion) -> ServiceAnswer {
    do throws(MovementError) {
      switch question {
      case .now: return .movement(try counted().served)
      case .total(let start, let end):
        let sum = try total(from: Date(wall: start), to: Date(wall: end))
        return .total(
          ServedTotal(
            steps: sum.total.steps, distance: sum.total.distance,
            activeTime: sum.total.activeTime, countedTime: sum.total.countedTime.seconds,
            floorsAscended: sum.total.floorsAscended, floorsDescended: sum.total.floorsDescended,
            mark: sum.mark.served))
      case .activities(let start, let end):
        let activities = try activities(from: Date(wall: start), to: Date(wall: end))
        return .activities(
          activities.map { activity in
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

extension Date {
  /// Nanoseconds since 1970, clamped to what fits (1677 to 2262).
  fileprivate var wall: Int64 { TimeSpan(seconds: timeIntervalSince1970).nanoseconds }

  fileprivate init(wall: Int64) { self.init(timeIntervalSince1970: Double(wall) / 1e9) }
}
