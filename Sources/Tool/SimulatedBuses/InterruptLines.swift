// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A change of an interrupt line.
package struct LineEdge: Equatable, Sendable {
  /// The line's number.
  package var line: Int
  /// The new level.
  package var level: Bool
  /// True if the line returns at once: the models know when a pin becomes active, but not for
  /// how long.
  package var isPulse: Bool
  /// The time at which the chip changed the line; zero if the line only takes its idle level.
  package var time: Timestamp

  package init(line: Int, level: Bool, isPulse: Bool, time: Timestamp) {
    self.line = line
    self.level = level
    self.isPulse = isPulse
    self.time = time
  }
}

/// The interrupt lines of the chips at a `BusTarget`. Used from the target's thread.
package protocol InterruptLines: AnyObject {
  /// The time of the next edge if there is no transaction before it; `nil` if no edge will come.
  /// Valid after `takeEdge` has returned `nil`.
  var nextEdge: Timestamp? { get }

  /// Returns the next change until `time`, each once and in order. `nil` after the last; later
  /// transactions then happen at `time`.
  func takeEdge(until time: Timestamp) -> LineEdge?
}
