// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A vector and the time at which it was sampled.
public struct TimedVector: Equatable, Sendable, BitwiseCopyable {
  public var time: Timestamp
  public var value: Vector3

  public init(_ time: Timestamp, _ value: Vector3) {
    self.time = time
    self.value = value
  }
}
