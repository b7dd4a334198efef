// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A change of an interrupt line.
public struct LineEdge: Equatable, Sendable {
  /// The number of the line.
  public var line: Int
  /// The level that it goes to.
  public var level: Bool
  /// True where it goes back at once: the models know when a pin becomes active, and not for how
  /// long.
  public var isPulse: Bool
  /// The time at which the chip that drives it did so; zero where it only takes its resting level.
  public var time: Timestamp

  public init(line: Int, level: Bool, isPulse: Bool, time: Timestamp) {
    self.line = line
    self.level = level
    self.isPulse = isPulse
    self.time = time
  }
}

/// The interrupt lines of the chips behind a `BusTarget`. One thread, the target's own.
public protocol InterruptLines: AnyObject {
  /// The time of the next edge if no chip is talked to meanwhile; `nil`: none is to come. To be
  /// relied on when `takeEdge` has given `nil`.
  var nextEdge: Timestamp? { get }

  /// Takes the next change until `time`: each is given once, none is left out. `nil`: that was all;
  /// what is then asked of the buses happens at `time`.
  func takeEdge(until time: Timestamp) -> LineEdge?
}
