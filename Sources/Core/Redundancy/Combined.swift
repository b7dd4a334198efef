// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// One value of a virtual sensor, combined from the samples of several sensors.
public struct Combined: Equatable, Sendable, BitwiseCopyable {
  /// The value in the channel's unit, device axes; a scalar channel has its value in x.
  public var value: Vector3
  /// The time stamp of the newest sample of the member that leads.
  public var time: Timestamp
  /// The variance to add to the usual variance of each axis, in the square of the channel's unit.
  /// It is above zero while two sensors disagree, or while an axis is at the end of the range of
  /// all usable sensors.
  public var addedVariance: Vector3

  init(value: Vector3, time: Timestamp, addedVariance: Vector3 = .zero) {
    self.value = value
    self.time = time
    self.addedVariance = addedVariance
  }
}
