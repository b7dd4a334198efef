// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Recognition

/// The person's activity from a date on, until the next record.
public struct RecordedActivity: Equatable, Sendable {
  public var start: Date
  /// The person's activities; `.unknown` if no counter was running.
  public var activities: ActivitySet
  public var confidence: ActivityConfidence

  public init(start: Date, activities: ActivitySet, confidence: ActivityConfidence) {
    self.start = start
    self.activities = activities
    self.confidence = confidence
  }
}

/// A pause or resumption of walking, with its date.
public struct RecordedEvent: Equatable, Sendable {
  public var date: Date
  public var kind: WalkingEvent.Kind

  public init(date: Date, kind: WalkingEvent.Kind) {
    self.date = date
    self.kind = kind
  }
}
