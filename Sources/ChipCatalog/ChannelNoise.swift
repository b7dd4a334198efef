// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The data sheet's figures of the noise of one channel of a chip: typical values, at the chip's
/// best; densities at 10 Hz.
public struct ChannelNoise: Equatable, Sendable {
  public var channel: Channel
  /// White noise: one-sided density in the channel's unit / sqrt(Hz), one for all full-scale ranges
  /// or one for each of `ChannelDescription.ranges`; empty where the data sheet gives none.
  public var densities: [Double]
  /// Standard deviation of the samples in the channel's unit, where the data sheet gives one.
  public var deviation: Double?
  /// The conditions of `deviation`, where that is given: "in 92 Hz".
  public var conditions: String
  /// Document and place.
  public var source: String

  public init(
    _ channel: Channel, densities: [Double] = [], deviation: Double? = nil,
    conditions: String = "", source: String
  ) {
    self.channel = channel
    self.densities = densities
    self.deviation = deviation
    self.conditions = conditions
    self.source = source
  }
}

extension ChipDescription {
  /// The density of the white noise that the data sheet gives a channel at full scale `range`, both
  /// in the channel's unit; `nil` where it gives none.
  public func noiseDensity(of channel: Channel, at range: Double) -> Double? {
    guard let row = noise.first(where: { $0.channel == channel }), let first = row.densities.first
    else { return nil }
    let ranges = channels.first { $0.channel == channel }?.ranges ?? []
    guard row.densities.count == ranges.count else { return first }
    // Drivers take the smallest range that is enough.
    let index = ranges.firstIndex { $0 >= range * 0.999 } ?? ranges.count - 1
    return row.densities[index]
  }
}
