// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The noise figures in the data sheet for one channel of a chip: typical values in the best mode.
/// Densities apply at 10 Hz.
public struct ChannelNoise: Equatable, Sendable {
  public var channel: Channel
  /// The one-sided density of white noise, in the channel's unit / sqrt(Hz): one value for all
  /// full-scale ranges, or one value for each of `ChannelDescription.ranges`. Empty if the data
  /// sheet gives none.
  public var densities: [Double]
  /// The standard deviation of the samples in the channel's unit; `nil` if the data sheet gives
  /// none.
  public var deviation: Double?
  /// The measuring conditions of `deviation`, for example "in 92 Hz".
  public var conditions: String
  /// The document and section of the noise figures.
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
  /// Returns the data sheet's density of white noise for a channel at full scale `range`, both in
  /// the channel's unit; `nil` if the sheet gives no density.
  public func noiseDensity(of channel: Channel, at range: Double) -> Double? {
    guard let row = noise.first(where: { $0.channel == channel }), let first = row.densities.first
    else { return nil }
    let ranges = channels.first { $0.channel == channel }?.ranges ?? []
    guard row.densities.count == ranges.count else { return first }
    // Drivers choose the smallest range that is wide enough.
    let index = ranges.firstIndex { $0 >= range * 0.999 } ?? ranges.count - 1
    return row.densities[index]
  }
}
