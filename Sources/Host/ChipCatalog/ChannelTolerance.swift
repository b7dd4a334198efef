// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The size of an error according to the data sheet.
public enum Tolerance: Equatable, Sendable {
  /// The limit in both directions.
  case limit(Double)
  /// A typical value.
  case typical(Double)

  /// The standard deviation; for a limit, that of errors distributed evenly up to it.
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
  /// The error at zero, in the channel's unit.
  public var offset: Tolerance
  /// The error at zero for the z axis.
  public var verticalOffset: Tolerance
  /// The relative scale error of each axis.
  public var scale: Tolerance
  /// The sensitivity to another axis, rad.
  public var crossAxis: Tolerance
  /// A gyroscope's error in one g, rad/s; `nil` if the data sheet gives none.
  public var perG: Tolerance?
  /// The change of the offset by one kelvin, in the channel's unit; `nil` if the data sheet
  /// gives none. A change over a range of temperature is divided by the whole range.
  public var perKelvin: Tolerance?
  /// Document and section.
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
