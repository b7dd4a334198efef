// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The time of a driver's next step, according to the last `NextStep` that the driver returned, on
/// the clock of the driver's bus.
public struct DriverLoop: Equatable, Sendable {
  /// The latest time for the next step; `distantFuture` if the driver needs no further step.
  public private(set) var due: Timestamp
  /// True if an edge of the interrupt line makes the next step due immediately.
  public private(set) var waitsForEdge = false

  /// Creates the schedule of a driver whose first step is due at `due`.
  public init(due: Timestamp = .zero) { self.due = due }

  /// True if the driver needs no step until it is started.
  public var isOver: Bool { due == .distantFuture }

  /// Returns true if the driver is due for a step with `event` at `now`.
  public func isDue(at now: Timestamp, _ event: Event = .due) -> Bool {
    due <= now || waitsForEdge && event.edges > 0
  }

  /// Returns the time of the driver's next step, if the next edge of the interrupt line is expected
  /// at `edge`.
  public func next(edge: Timestamp?) -> Timestamp {
    guard waitsForEdge, let edge else { return due }
    return min(due, edge)
  }

  /// Applies the `NextStep` that a step returned. `end` is the end time of that step, and is
  /// evaluated only if needed.
  public mutating func take(_ next: NextStep, at end: @autoclosure () -> Timestamp) {
    waitsForEdge = false
    switch next {
    case .after(let span): due = end() + span
    case .at(let time): due = time
    case .onInterrupt(let time):
      due = time
      waitsForEdge = true
    case .never: due = .distantFuture
    }
  }

  /// Delays the next step until `time` and ignores the interrupt line: after an error, or to give
  /// the chip a pause.
  public mutating func wait(until time: Timestamp) {
    due = time
    waitsForEdge = false
  }
}
