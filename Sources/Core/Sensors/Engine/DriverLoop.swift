// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Tracks when a driver is due for its next step, according to its last `NextStep`, on the clock of
/// its bus.
public struct DriverLoop: Equatable, Sendable {
  /// The latest time for the next step; `distantFuture` where the driver has nothing more to do.
  public private(set) var due: Timestamp
  /// True if an edge of the interrupt line makes the step due earlier.
  public private(set) var waitsForEdge = false

  /// Creates a loop for a driver whose first step is due at `due`.
  public init(due: Timestamp = .zero) { self.due = due }

  /// True if the driver has nothing more to do until it is started.
  public var isOver: Bool { due == .distantFuture }

  /// Returns true if the driver is due for a step with `event` at `now`.
  public func isDue(at now: Timestamp, _ event: Event = .due) -> Bool {
    due <= now || waitsForEdge && event.edges > 0
  }

  /// Returns the time of the next check, if the next edge of the line is expected at `edge`.
  public func next(edge: Timestamp?) -> Timestamp {
    guard waitsForEdge, let edge else { return due }
    return min(due, edge)
  }

  /// Applies the `NextStep` that a step returned. `end`, the end of the step, is evaluated only
  /// if needed.
  public mutating func take(_ wake: NextStep, at end: @autoclosure () -> Timestamp) {
    waitsForEdge = false
    switch wake {
    case .after(let span): due = end() + span
    case .at(let time): due = time
    case .onInterrupt(let time):
      due = time
      waitsForEdge = true
    case .never: due = .distantFuture
    }
  }

  /// Delays the next step until `time` and ignores the interrupt line: after an error, or to let
  /// the chip rest.
  public mutating func wait(until time: Timestamp) {
    due = time
    waitsForEdge = false
  }
}
