// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The size of an error by a data sheet.
public enum Tolerance: Equatable, Sendable {
  /// No further, on either side.
  case limit(Double)
  /// A typical value.
  case typical(Double)

  /// Its standard deviation: of a limit, that of errors spread evenly up to it.
  public var sigma: Double {
    switch self {
    case .limit(let limit): limit / 3.0.squareRoot()
    case .typical(let sigma): sigma
    }
  }
}

/// The data sheet's figures of the errors with which one channel of a chip is sold.
public struct ChannelTolerance: Equatable, Sendable {
  public var channel: Channel
  /// The error at zero, in the channel's unit.
  public var offset: Tolerance
  /// The same of the z axis.
  public var verticalOffset: Tolerance
  /// Relative error of each axis.
  public var scale: Tolerance
  /// The part of another axis that an axis sees, rad.
  public var crossAxis: Tolerance
  /// The error of a gyroscope in one g, rad/s; `nil` where the data sheet gives none.
  public var perG: Tolerance?
  /// The change of the offset by one kelvin, in the channel's unit; `nil` where the data sheet
  /// gives none. A change over a range of temperature is divided by the whole range.
  public var perKelvin: Tolerance?
  /// Document and place.
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
