// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A change of an interrupt line's level.
package struct LineEdge: Equatable, Sendable {
  /// The line's number.
  package var line: Int
  /// The new level.
  package var level: Bool
  /// True if the line returns to its idle level immediately: a model reports when a pin becomes
  /// active, but not for how long.
  package var isPulse: Bool
  /// The time when the chip changed the line; zero if the line is only set to its idle level.
  package var time: Timestamp

  package init(line: Int, level: Bool, isPulse: Bool, time: Timestamp) {
    self.line = line
    self.level = level
    self.isPulse = isPulse
    self.time = time
  }
}

/// The interrupt lines of the chips on a `BusTarget`. They are used by the target's thread.
package protocol InterruptLines: AnyObject {
  /// The time of the next edge if no transaction comes before it; `nil` if no edge will come. Valid
  /// after `takeEdge` has returned `nil`.
  var nextEdge: Timestamp? { get }

  /// Returns the changes until `time`, one per call and in order; `nil` after the last. Later
  /// transactions then take place at `time`.
  func takeEdge(until time: Timestamp) -> LineEdge?
}
