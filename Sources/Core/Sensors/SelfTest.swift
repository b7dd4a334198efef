// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// One result of a self-test, with the manufacturer's limits.
public struct SelfTestItem: Equatable, Sendable, BitwiseCopyable {
  public var channel: Channel
  /// The tested axis: 0, 1 or 2 for x, y and z.
  public var axis: UInt8
  /// The response to the built-in stimulus in the channel's unit (g, rad/s, microtesla). The
  /// response is 1 or 0 for chips that test themselves and report only pass or fail.
  public var response: Scalar
  /// The lowest response to the stimulus that passes the self-test.
  public var lowest: Scalar
  public var highest: Scalar

  public init(_ channel: Channel, axis: UInt8, response: Scalar, lowest: Scalar, highest: Scalar) {
    self.channel = channel
    self.axis = axis
    self.response = response
    self.lowest = lowest
    self.highest = highest
  }

  public var isPassed: Bool { response >= lowest && response <= highest }
}

/// The results of a self-test.
public struct SelfTestReport: Sendable {
  /// The results of the self-test. Only the first `count` are valid.
  public private(set) var items = InlineArray<6, SelfTestItem>(
    repeating: SelfTestItem(.acceleration, axis: 0, response: 0, lowest: 0, highest: 0))
  public private(set) var count = 0
  /// True if the chip ended the self-test early because it was moved. The results that fail then
  /// say nothing about the chip.
  public var wasMoved = false

  public init() {}

  /// Adds a result to the report. A report holds up to six results; further ones are dropped.
  public mutating func append(_ item: SelfTestItem) {
    guard count < 6 else { return }
    items[count] = item
    count += 1
  }

  /// Adds a self-test result for each of the three axes.
  public mutating func append(
    _ channel: Channel, _ responses: Vector3, x: ClosedRange<Scalar>, y: ClosedRange<Scalar>,
    z: ClosedRange<Scalar>
  ) {
    func item(_ axis: UInt8, _ response: Scalar, _ limits: ClosedRange<Scalar>) -> SelfTestItem {
      SelfTestItem(
        channel, axis: axis, response: response, lowest: limits.lowerBound,
        highest: limits.upperBound)
    }
    append(item(0, responses.x, x))
    append(item(1, responses.y, y))
    append(item(2, responses.z, z))
  }

  /// Adds a self-test result for the magnitude of the change on each axis.
  package mutating func append(
    _ channel: Channel, change: Vector3, within limits: ClosedRange<Scalar>
  ) { append(channel, change.magnitudes, x: limits, y: limits, z: limits) }

  /// True if the self-test has results and all are within their limits.
  public var isPassed: Bool {
    for index in 0..<count where !items[index].isPassed { return false }
    return count > 0
  }
}

extension Vector3 {
  /// The vector of the magnitudes of this vector's components.
  package var magnitudes: Vector3 { Vector3(x.magnitude, y.magnitude, z.magnitude) }
}
