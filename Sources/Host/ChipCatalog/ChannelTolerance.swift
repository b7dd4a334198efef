// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The size of a chip's error according to the data sheet.
public enum Tolerance: Equatable, Sendable {
  /// The size is the largest possible error, in both directions.
  case limit(Double)
  /// A typical error.
  case typical(Double)

  /// The standard deviation of the error. For a limit, the errors are assumed to be uniformly
  /// distributed up to the limit.
  public var sigma: Double {
    switch self {
    case .limit(let limit): limit / 3.0.squareRoot()
    case .typical(let sigma): sigma
    }
  }
}

/// The error figures in the data sheet for one channel of a new chip.
public struct ChannelTolerance: Equatable, Sendable {
  public var channel: Channel
  /// The offset error in the channel's unit, which is the output at zero input.
  public var offset: Tolerance
  /// The offset error of the z axis.
  public var verticalOffset: Tolerance
  /// The relative scale error of each axis.
  public var scale: Tolerance
  /// The sensitivity to a movement along another axis, in rad.
  public var crossAxis: Tolerance
  /// The error of a gyroscope per g of acceleration, in rad/s; `nil` if the data sheet gives none.
  public var perG: Tolerance?
  /// The change of the offset per kelvin, in the channel's unit; `nil` if the data sheet gives
  /// none. If the sheet gives the change over a temperature range, the change is divided by the
  /// width of that range.
  public var perKelvin: Tolerance?
  /// The document and section of the error figures.
  public var source: String

  public init(
    _ channel: Channel, offset: Tolerance, verticalOffset: Tolerance? = nil, scale: Tolerance,
    crossAxis: Tolerance, perG: Tolerance? = nil, perKelvin: Tolerance? = nil, source: String
  ) {
    self.channel = channel
    self.offset = offset
    self.verticalOffset = verticalOffset ?? offset
    self.scale = scale
    self.crossAxis = crossAxis
    self.perG = perG
    self.perKelvin = perKelvin
    self.source = source
  }
}
