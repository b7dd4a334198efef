// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A change of an interrupt line.
public struct LineEdge: Equatable, Sendable {
  /// The line's number.
  public var line: Int
  /// The new level.
  public var level: Bool
  /// True where the line returns at once: the models know when a pin becomes active, but not for
  /// how long.
  public var isPulse: Bool
  /// The time at which the chip changed the line; zero where the line only takes its idle level.
  public var time: Timestamp

  public init(line: Int, level: Bool, isPulse: Bool, time: Timestamp) {
    self.line = line
    self.level = level
    self.isPulse = isPulse
    self.time = time
  }
}

/// The interrupt lines of the chips at a `BusTarget`. Used from the target's thread.
public protocol InterruptLines: AnyObject {
  /// The time of the next edge if there is no transaction before it; `nil` where no edge will come.
  /// Valid after `takeEdge` has returned `nil`.
  var nextEdge: Timestamp? { get }

  /// Returns the next change until `time`, each once and in order. `nil` after the last; later
  /// transactions then happen at `time`.
  func takeEdge(until time: Timestamp) -> LineEdge?
}
