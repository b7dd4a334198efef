// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// How far an error goes by a data sheet.
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

/// What a chip's data sheet says of the errors that one of its channels is sold with.
public struct ChannelTolerance: Equatable, Sendable {
  public var channel: Channel
  /// What it says of nothing, in the channel's unit.
  public var offset: Tolerance
  /// The same of the z axis.
  public var verticalOffset: Tolerance
  /// Relative error of each axis.
  public var scale: Tolerance
  /// How much of another axis an axis sees, rad.
  public var crossAxis: Tolerance
  /// What a gyroscope says of one g, rad/s; `nil` where the data sheet gives none.
  public var perG: Tolerance?
  /// Document and place.
  public var source: String

  public init(
    _ channel: Channel, offset: Tolerance, verticalOffset: Tolerance? = nil, scale: Tolerance,
    crossAxis: Tolerance, perG: Tolerance? = nil, source: String
  ) {
    self.channel = channel
    self.offset = offset
    self.verticalOffset = verticalOffset ?? offset
    self.scale = scale
    self.crossAxis = crossAxis
    self.perG = perG
    self.source = source
  }
}

/// Rows of the catalogue. Where ST and Bosch say nothing of the cross axis or of the scale, 1 %: what makers call trimmed.
enum ToleranceTable {
  private static let degree = Double.pi / 180
  private static let mg = 1e-3

  static let mpu6050 = [
    ChannelTolerance(
      .acceleration, offset: .limit(50 * mg), verticalOffset: .limit(80 * mg), scale: .limit(0.03),
      crossAxis: .limit(0.02), source: "PS-MPU-6000A-00 rev. 3.4, 6.2"),
    ChannelTolerance(
      .rotationRate, offset: .limit(20 * degree), scale: .limit(0.03), crossAxis: .limit(0.02),
      perG: .typical(0.1 * degree), source: "PS-MPU-6000A-00 rev. 3.4, 6.1"),
  ]

  static let mpu6500 = invensense("PS-MPU-6500A-01 rev. 1.1, tables 1 and 2")

  static let mpu9250 = invensense("PS-MPU-9250A-01 rev. 1.1, tables 1 and 2")

  private static func invensense(_ source: String) -> [ChannelTolerance] {
    [
      ChannelTolerance(
        .acceleration, offset: .limit(60 * mg), verticalOffset: .limit(80 * mg),
        scale: .limit(0.03), crossAxis: .limit(0.02), source: source),
      ChannelTolerance(
        .rotationRate, offset: .limit(5 * degree), scale: .limit(0.03), crossAxis: .limit(0.02),
        source: source),
    ]
  }

  static let bmi160 = [
    ChannelTolerance(
      .acceleration, offset: .typical(40 * mg), scale: .typical(0.01), crossAxis: .limit(0.01),
      source: "BST-BMI160-DS000-07, table 2"),
    ChannelTolerance(
      .rotationRate, offset: .typical(3 * degree), scale: .typical(0.01), crossAxis: .limit(0.02),
      perG: .limit(0.1 * degree), source: "BST-BMI160-DS000-07, table 3"),
  ]

  static let lsm6ds3 = st(zeroRate: 10, "DocID026899 rev. 8, table 3")

  static let lsm6ds3trc = st(zeroRate: 3, "DocID030071 rev. 3, table 3")

  private static func st(zeroRate: Double, _ source: String) -> [ChannelTolerance] {
    [
      ChannelTolerance(
        .acceleration, offset: .typical(40 * mg), scale: .typical(0.01), crossAxis: .limit(0.01),
        source: source),
      ChannelTolerance(
        .rotationRate, offset: .typical(zeroRate * degree), scale: .typical(0.01),
        crossAxis: .limit(0.01), source: source),
    ]
  }
}
