// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A topic with samples, as found by reading a file.
struct MCAPTopic: Sendable {
  let name: String
  let type: ROSMessage
  private(set) var count = 0
  /// The first and last stamp in a message's header, and the first and last log time.
  private(set) var stamps: ClosedRange<Int64>?
  private(set) var logTimes: ClosedRange<Int64>?
  /// The quantities that the topic's messages contain.
  private(set) var present: ChannelSet = []
  /// The quantities that are not exactly zero in at least one message on the topic.
  private(set) var measured: ChannelSet = []
  /// The number of stamps that are before an earlier message's stamp, and the position of the first
  /// such message.
  private(set) var backs = 0
  private(set) var firstBack = 0
  /// True if a stamp is before an earlier message's stamp by more than the window for sorting.
  private(set) var stepsBack = false

  /// The longest time by which a sample may be earlier than a preceding sample. If the difference
  /// is larger, the sample begins a new section of the recording.
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

  /// The quantities that are measured. A sensor is never exactly zero even at rest, whereas drivers
  /// set missing values to zero.
  var channels: ChannelSet { type == .imu ? measured : present }

  /// True if the stamps of the topic's messages cannot be used but the log times can.
  var isWithoutStamps: Bool {
    guard let stamps, let logTimes, stamps.lowerBound == stamps.upperBound else { return false }
    return logTimes.lowerBound < logTimes.upperBound || stamps.lowerBound == 0
  }

  /// Returns ROS's name for the part of an IMU message that contains `channel`.
  static func field(_ channel: Channel) -> String {
    channel == .rotationRate ? "angular_velocity" : "linear_acceleration"
  }
}
