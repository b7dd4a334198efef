// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The demand on a source: the number of samples per second of each channel, and of motions per
/// second. 0 means none; `.infinity` means the rate in the board file.
public struct SampleDemand: Equatable, Sendable, BitwiseCopyable {
  // Contains a rate for each channel that a set can contain.
  private var channels: InlineArray<16, Double>
  /// The demand for motions per second, which fusion computes from all sensors.
  public var motion: Double {
    didSet { motion = Self.valid(motion) }
  }

  private init(_ rate: Double) {
    channels = InlineArray(repeating: 0)
    motion = rate
    for channel in Channel.allCases { channels[Int(channel.rawValue)] = rate }
  }

  /// The demand of a user that needs nothing.
  public static var nothing: SampleDemand { SampleDemand(0) }

  /// The demand for every sample and every motion.
  public static var everything: SampleDemand { SampleDemand(.infinity) }

  /// Creates the demand for `rate` samples per second of each channel in `channels`, and for
  /// `motion` motions per second. Negative values and NaN become 0.
  public init(_ channels: ChannelSet, at rate: Double = .infinity, motion: Double = 0) {
    self = .nothing
    for channel in Channel.allCases where channels.contains(channel) { self[channel] = rate }
    self.motion = Self.valid(motion)
  }

  /// The demand for `channel`, in samples per second. Negative values and NaN become 0.
  public subscript(_ channel: Channel) -> Double {
    get { channels[Int(channel.rawValue)] }
    set { channels[Int(channel.rawValue)] = Self.valid(newValue) }
  }

  /// Returns the highest demand for any channel in `channels`, in samples per second.
  public func rate(of channels: ChannelSet) -> Double {
    var greatest = 0.0
    for channel in Channel.allCases where channels.contains(channel) {
      greatest = max(greatest, self[channel])
    }
    return greatest
  }

  public var isNothing: Bool { self == .nothing }

  /// Raises each rate to the rate in `other` if that rate is higher, so that both demands are met.
  public mutating func formUnion(_ other: SampleDemand) {
    for index in channels.indices { channels[index] = max(channels[index], other.channels[index]) }
    motion = max(motion, other.motion)
  }

  public static func == (a: SampleDemand, b: SampleDemand) -> Bool {
    a.motion == b.motion && a.channels.indices.allSatisfy { a.channels[$0] == b.channels[$0] }
  }

  /// Returns the demand, in samples per second, of a user that takes one sample every `interval`
  /// seconds. 0, negative values and NaN mean every sample.
  public static func rate(every interval: Double) -> Double {
    // Never return 0, because the first sample is needed even if the interval is huge.
    interval > 0 ? max(1 / interval, .leastNormalMagnitude) : .infinity
  }

  private static func valid(_ rate: Double) -> Double { rate > 0 ? rate : 0 }
}
