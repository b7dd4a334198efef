// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The measurements in a ROS 2 message, in Core Motion's units and signs. The time of the
/// measurements is the stamp of the header.
struct ROSSample {
  private(set) var sample: Sample
  /// The number of quantities that are not numbers; these quantities are left out of the sample.
  private(set) var invalid = 0
  /// The quantities of the message whose numbers are all exactly zero.
  private(set) var zeros: ChannelSet = []

  /// The message types that contain measurements.
  static let types: [ROSMessage] = [
    .imu, .magneticField, .fluidPressure, .temperature, .relativeHumidity, .illuminance,
  ]

  /// Reads a message; `nil` if the bytes are not a message of this type.
  init?(_ data: ArraySlice<UInt8>, _ type: ROSMessage, _ units: [MeasuredUnit]) {
    guard var reader = CDRReader(data), let seconds = reader.integer(Int32.self),
      let nanoseconds = reader.integer(UInt32.self), reader.text() != nil
    else { return nil }
    sample = Sample(
      timestamp: Timestamp(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(nanoseconds)))
    switch type {
    case .imu:
      guard let values = reader.doubles(4 + 9 + 3 + 9 + 3 + 9) else { return nil }
      // Drivers set -1 for quantities that they do not measure.
      if values[16] != -1 {
        take(.rotationRate, Vector3(values[13], values[14], values[15]), 1, units)
      }
      if values[28] != -1 {
        take(
          .acceleration, Vector3(values[25], values[26], values[27]), ROSUnits.acceleration, units)
      }
    case .magneticField:
      guard let values = reader.doubles(3) else { return nil }
      take(
        .magneticField, Vector3(values[0], values[1], values[2]), ROSUnits.magneticField, units)
    case .fluidPressure, .temperature, .relativeHumidity, .illuminance:
      guard let value = reader.double() else { return nil }
      take(type, Vector3(value, 0, 0), units)
    default: return nil
    }
  }

  private mutating func take(_ type: ROSMessage, _ value: Vector3, _ units: [MeasuredUnit]) {
    switch type {
    case .fluidPressure: take(.pressure, value, ROSUnits.pressure, units)
    case .temperature: take(.temperature, value, 1, units)
    case .relativeHumidity: take(.humidity, value, ROSUnits.humidity, units)
    default: take(.illuminance, value, 1, units)
    }
  }

  /// Adds a quantity of the message to the sample. `usual` is the number of ROS's units in one unit
  /// of `Sample`, negative if the signs are opposite.
  private mutating func take(
    _ channel: Channel, _ written: Vector3, _ usual: Double, _ units: [MeasuredUnit]
  ) {
    if written == .zero { zeros.insert(ChannelSet(channel)) }
    var value = written / usual
    if let unit = units.first(where: { $0.channel == channel }) {
      value = written * (usual < 0 ? -unit.factor : unit.factor)
    }
    guard value.isFinite else {
      invalid += 1
      return
    }
    sample[channel] = value
    sample.channels.insert(ChannelSet(channel))
  }
}
