// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The activities of the person who carries the device. Several may apply at once: a person in a
/// car at a red light is both automotive and stationary.
public struct ActivitySet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Neither the device nor the vehicle that it is in moves.
  public static var stationary: ActivitySet { ActivitySet(rawValue: 1 << 0) }
  public static var walking: ActivitySet { ActivitySet(rawValue: 1 << 1) }
  public static var running: ActivitySet { ActivitySet(rawValue: 1 << 2) }
  /// The person rides a bicycle.
  public static var cycling: ActivitySet { ActivitySet(rawValue: 1 << 3) }
  /// The person rides in a car, bus or train.
  public static var automotive: ActivitySet { ActivitySet(rawValue: 1 << 4) }
  /// There is no estimate, because there are too few measurements.
  public static var unknown: ActivitySet { ActivitySet(rawValue: 1 << 5) }
}

/// The certainty of an activity estimate.
public enum ActivityConfidence: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case low
  case medium
  case high
}

/// The person's activity from a certain time until the next estimate. An empty set means that the
/// device moves in some other way.
public struct ActivityEstimate: Equatable, Sendable, BitwiseCopyable {
  /// The start of the activity, on the clock of the samples. It is earlier than the time at which
  /// the activity was recognised.
  public var timestamp: Timestamp
  public var activities: ActivitySet
  public var confidence: ActivityConfidence

  public init(
    timestamp: Timestamp, activities: ActivitySet = .unknown, confidence: ActivityConfidence = .low
  ) {
    self.timestamp = timestamp
    self.activities = activities
    self.confidence = confidence
  }
}
