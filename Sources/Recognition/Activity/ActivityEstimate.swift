// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The activities of a device's bearer. Several may hold at once: a car at a red light is
/// automotive and stationary.
public struct ActivitySet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The device, or what it rides in, does not move.
  public static var stationary: ActivitySet { ActivitySet(rawValue: 1 << 0) }
  public static var walking: ActivitySet { ActivitySet(rawValue: 1 << 1) }
  public static var running: ActivitySet { ActivitySet(rawValue: 1 << 2) }
  /// On a bicycle.
  public static var cycling: ActivitySet { ActivitySet(rawValue: 1 << 3) }
  /// In a car, bus or train.
  public static var automotive: ActivitySet { ActivitySet(rawValue: 1 << 4) }
  /// There is no estimate: nothing, or not enough, was measured.
  public static var unknown: ActivitySet { ActivitySet(rawValue: 1 << 5) }
}

/// The confidence of an estimate of activity.
public enum ActivityConfidence: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case low
  case medium
  case high
}

/// The bearer's activity from a moment on, until the next of these. No activity at all: the device
/// moves, and it is none of these.
public struct ActivityEstimate: Equatable, Sendable, BitwiseCopyable {
  /// The time when it began, on the samples' clock: before it was known.
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
