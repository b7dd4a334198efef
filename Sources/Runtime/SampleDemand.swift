// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A demand on a source: samples per second of each channel, and of motion. 0: none; `.infinity`:
/// all that the board file allows.
public struct SampleDemand: Equatable, Sendable, BitwiseCopyable {
  // As many as a set has room for.
  private var channels: InlineArray<16, Double>
  /// Motions per second: what fusion makes of all sensors.
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

  /// Every sample and every motion.
  public static var everything: SampleDemand { SampleDemand(.infinity) }

  /// `rate` samples per second of each of `channels`, and so many motions. What is negative or not
  /// a number is 0.
  public init(_ channels: ChannelSet, at rate: Double = .infinity, motion: Double = 0) {
    self = .nothing
    for channel in Channel.allCases where channels.contains(channel) { self[channel] = rate }
    self.motion = Self.valid(motion)
  }

  /// Samples per second of `channel`. What is negative or not a number is 0.
  public subscript(_ channel: Channel) -> Double {
    get { channels[Int(channel.rawValue)] }
    set { channels[Int(channel.rawValue)] = Self.valid(newValue) }
  }

  /// The greatest that is needed of any of `channels`, samples per second.
  public func rate(of channels: ChannelSet) -> Double {
    var greatest = 0.0
    for channel in Channel.allCases where channels.contains(channel) {
      greatest = max(greatest, self[channel])
    }
    return greatest
  }

  public var isNothing: Bool { self == .nothing }

  /// Satisfies `other`, too: of each the greater.
  public mutating func formUnion(_ other: SampleDemand) {
    for index in channels.indices { channels[index] = max(channels[index], other.channels[index]) }
    motion = max(motion, other.motion)
  }

  public static func == (a: SampleDemand, b: SampleDemand) -> Bool {
    a.motion == b.motion && a.channels.indices.allSatisfy { a.channels[$0] == b.channels[$0] }
  }

  /// Returns the samples per second of a user that takes one each `interval` seconds; 0, less and
  /// not a number take every one.
  public static func rate(every interval: Double) -> Double {
    // Who takes one in an age takes the first.
    interval > 0 ? max(1 / interval, .leastNormalMagnitude) : .infinity
  }

  private static func valid(_ rate: Double) -> Double { rate > 0 ? rate : 0 }
}
