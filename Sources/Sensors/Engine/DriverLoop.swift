// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Keeps the time at which a driver is to be stepped, as its `Wake` asked, on the clock of its bus.
public struct DriverLoop: Equatable, Sendable {
  /// The moment at which the next step is due at the latest; distant where the driver has nothing
  /// more to do.
  public private(set) var due: Timestamp
  /// True where an edge of the interrupt line makes it due before.
  public private(set) var waitsForEdge = false

  /// Creates a loop for a driver whose first step is due at `due`.
  public init(due: Timestamp = .zero) { self.due = due }

  /// True where the driver has nothing more to do until it is started.
  public var isOver: Bool { due == .distantFuture }

  /// Returns true where the driver is to be stepped at `now`, to be told of `event`.
  public func isDue(at now: Timestamp, _ event: Event = .due) -> Bool {
    due <= now || waitsForEdge && event.edges > 0
  }

  /// Returns the moment to look at it again, if the line's next edge is known to come at `edge`.
  public func next(edge: Timestamp?) -> Timestamp {
    guard waitsForEdge, let edge else { return due }
    return min(due, edge)
  }

  /// Takes the request of a step that ended at `end`, which is evaluated only where it matters.
  public mutating func take(_ wake: Wake, at end: @autoclosure () -> Timestamp) {
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

  /// Lets the next step wait until `time`, regardless of the line: after an error, or where the
  /// chip is to rest.
  public mutating func wait(until time: Timestamp) {
    due = time
    waitsForEdge = false
  }
}
