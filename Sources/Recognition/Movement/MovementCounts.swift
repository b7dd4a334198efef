// SPDX-License-Identifier: Apache-2.0

/// Sums of what was done on foot.
public struct MovementCounts: Equatable, Sendable, BitwiseCopyable {
  public var steps = 0
  /// Metres.
  public var distance = 0.0
  /// Seconds: `activeTime / distance` is the average active pace.
  public var activeTime = 0.0
  /// Floors climbed.
  public var floorsAscended = 0
  /// Floors descended.
  public var floorsDescended = 0

  /// Creates sums of nothing.
  public init() {}

  /// Returns both together. Whole numbers wrap: those of a service or a file may be any.
  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.steps &+= b.steps
    sum.distance += b.distance
    sum.activeTime += b.activeTime
    sum.floorsAscended &+= b.floorsAscended
    sum.floorsDescended &+= b.floorsDescended
    return sum
  }

  /// Returns what `a` has more than `b`, likewise.
  public static func - (a: Self, b: Self) -> Self {
    var rest = a
    rest.steps &-= b.steps
    rest.distance -= b.distance
    rest.activeTime -= b.activeTime
    rest.floorsAscended &-= b.floorsAscended
    rest.floorsDescended &-= b.floorsDescended
    return rest
  }

  /// Adds `b`.
  public static func += (a: inout Self, b: Self) { a = a + b }
}
