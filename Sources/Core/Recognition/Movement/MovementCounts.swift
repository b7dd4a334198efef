// SPDX-License-Identifier: Apache-2.0

/// The totals of a person's movement on foot.
public struct MovementCounts: Equatable, Sendable, BitwiseCopyable {
  public var steps = 0
  /// The distance in metres.
  public var distance = 0.0
  /// The time in motion in seconds. `activeTime / distance` is the average active pace.
  public var activeTime = 0.0
  /// The number of floors climbed.
  public var floorsAscended = 0
  /// The number of floors descended.
  public var floorsDescended = 0

  /// Creates totals of zero.
  public init() {}

  /// Returns the sum of two totals, value by value. Integers wrap, because a service or a file may
  /// contain arbitrary values.
  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.steps &+= b.steps
    sum.distance += b.distance
    sum.activeTime += b.activeTime
    sum.floorsAscended &+= b.floorsAscended
    sum.floorsDescended &+= b.floorsDescended
    return sum
  }

  /// Returns the difference between two totals, value by value. Integers wrap, as in addition.
  public static func - (a: Self, b: Self) -> Self {
    var rest = a
    rest.steps &-= b.steps
    rest.distance -= b.distance
    rest.activeTime -= b.activeTime
    rest.floorsAscended &-= b.floorsAscended
    rest.floorsDescended &-= b.floorsDescended
    return rest
  }

  /// Adds `b` to `a`.
  public static func += (a: inout Self, b: Self) { a = a + b }
}
