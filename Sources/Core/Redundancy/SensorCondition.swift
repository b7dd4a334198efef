// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The condition of one channel of a chip, found by comparison with chips that measure the same
/// quantity.
public struct SensorCondition: Equatable, Sendable, BitwiseCopyable {
  /// The state of an axis: good, or the fault that was found.
  public enum State: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// Nothing is known to be wrong.
    case good
    /// No samples arrive.
    case silent
    /// Successive values are equal to the last bit.
    case frozen
    /// The value is wrong by more than the part's offset, scale and alignment errors explain.
    case biased
    /// The noise is far above the value in the part's data sheet.
    case noisy
    /// The value is at the end of the range.
    case clipping
    /// Samples arrive much later or less often than they should.
    case slow
    /// Single values are wrong.
    case glitching
    /// The quantity cannot have this value.
    case implausible
    /// Two sensors disagree, and nothing shows which of them is wrong. Both are used.
    case disagreeing
  }

  /// The state of each axis; a scalar channel has its state in x.
  public var x: State
  public var y: State
  public var z: State
  /// The time at which the present states began, on the clock of the samples.
  public var since: Timestamp
  /// The number of times that a fault has appeared in the channel while all axes were good.
  public var count: UInt32
  /// True if the channel takes part in the combined value.
  public var isUsed: Bool

  /// Creates the condition of a channel that is good.
  public init() {
    x = .good
    y = .good
    z = .good
    since = .zero
    count = 0
    isUsed = true
  }

  /// The state of an axis, 0, 1 and 2 for x, y and z.
  public subscript(axis: Int) -> State {
    get { axis == 0 ? x : axis == 1 ? y : z }
    set {
      switch axis {
      case 0: x = newValue
      case 1: y = newValue
      default: z = newValue
      }
    }
  }

  /// True if all axes are good.
  public var isGood: Bool { x == .good && y == .good && z == .good }

  /// The state of the first axis that is not good; `good` if all are.
  public var worst: State { x != .good ? x : y != .good ? y : z }
}
