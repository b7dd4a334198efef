// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A change of an interrupt line's level.
package struct LineEdge: Equatable, Sendable {
  /// The line's number.
  package var line: Int
  /// The new level.
  package var level: Bool
  /// True if the line returns to its idle level immediately. This is the case for pulses, because a
  /// model reports when a pin becomes active, but not for how long.
  package var isPulse: Bool
  /// The time when the chip changed the line; zero if the line is merely set to its idle level.
  package var time: Timestamp

  package init(line: Int, level: Bool, isPulse: Bool, time: Timestamp) {
    self.line = line
    self.level = level
    self.isPulse = isPulse
    self.time = time
  }
}

/// The interrupt lines of the chips on a `BusTarget`. The target's thread uses them.
package protocol InterruptLines: AnyObject {
  /// The time of the next edge if no transaction comes first; `nil` if no edge will come. The value
  /// is valid after `takeEdge` has returned `nil`.
  var nextEdge: Timestamp? { get }

  /// Returns the changes until `time`, one change per call and in order; `nil` after the last
  /// change. Later transactions then take place at `time`.
  func takeEdge(until time: Timestamp) -> LineEdge?
}
