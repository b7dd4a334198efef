// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A topic with samples, as reading a file once shows it.
struct MCAPTopic: Sendable {
  let name: String
  let type: ROSMessage
  private(set) var count = 0
  /// The first and the last of the stamps in headers, and of the times at which messages were
  /// written.
  private(set) var stamps: ClosedRange<Int64>?
  private(set) var logTimes: ClosedRange<Int64>?
  /// The quantities that its messages have.
  private(set) var present: ChannelSet = []
  /// The quantities that are other than exactly zero in some message.
  private(set) var measured: ChannelSet = []
  /// Stamps that are earlier than one before, and the place of the first.
  private(set) var backs = 0
  private(set) var firstBack = 0
  /// True where a stamp is earlier by more than what is put in order.
  private(set) var stepsBack = false

  /// Samples that are earlier by more begin a new stretch.
  static let mostSortedBack = TimeSpan.seconds(1)

  init(_ name: String, _ type: ROSMessage) {
    self.name = name
    self.type = type
  }

  mutating func add(_ read: ROSSample, logTime: Int64, at place: Int) {
    count += 1
    let stamp = read.sample.timestamp.nanoseconds
    if let stamps, stamp < stamps.upperBound {
      backs += 1
      if backs == 1 { firstBack = place }
      if Timestamp(nanoseconds: stamps.upperBound) - read.sample.timestamp > Self.mostSortedBack {
        stepsBack = true
      }
    }
    stamps = Self.widened(stamps, by: stamp)
    logTimes = Self.widened(logTimes, by: logTime)
    present.formUnion(read.sample.channels)
    measured.formUnion(read.sample.channels.subtracting(read.zeros))
  }

  private static func widened(_ range: ClosedRange<Int64>?, by time: Int64) -> ClosedRange<Int64> {
    guard let range else { return time...time }
    return min(range.lowerBound, time)...max(range.upperBound, time)
  }

  /// The quantities that it measures: a sensor at rest is never exactly zero, while drivers fill
  /// with zeros what they do not have.
  var channels: ChannelSet { type == .imu ? measured : present }

  /// True where the stamps say nothing, and the times of writing do.
  var isWithoutStamps: Bool {
    guard let stamps, let logTimes, stamps.lowerBound == stamps.upperBound else { return false }
    return logTimes.lowerBound < logTimes.upperBound || stamps.lowerBound == 0
  }

  /// The names that ROS has for the parts of an IMU's message.
  static func field(_ channel: Channel) -> String {
    channel == .rotationRate ? "angular_velocity" : "linear_acceleration"
  }
}
