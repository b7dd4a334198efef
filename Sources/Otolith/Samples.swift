// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A sensor's vector, with the time on both clocks. In device axes, raw: bias and the device's own
/// field included.
public struct VectorSample: Equatable, Codable, Sendable {
  /// The time of the sample, on CLOCK_MONOTONIC: the clock of
  /// `ProcessInfo.processInfo.systemUptime`.
  public var timestamp: Timestamp
  /// The same moment on the wall clock, as set when the sample was handed on.
  public var date: Date
  public var vector: Vector3
  /// Samples known to be lost just before this one.
  public var missing: UInt32

  /// Creates a sample. Without a `date` it is that of `timestamp` by the clocks of now.
  public init(
    _ vector: Vector3, timestamp: Timestamp = .now, date: Date? = nil, missing: UInt32 = 0
  ) {
    self.timestamp = timestamp
    self.date = date ?? timestamp.date
    self.vector = vector
    self.missing = missing
  }
}

extension Timestamp {
  /// This moment on the wall clock, as that is set now.
  public var date: Date { Date(timeIntervalSinceNow: (self - .now).seconds) }

  /// Converts a moment of the wall clock, as that is set now, to CLOCK_MONOTONIC.
  public init(_ date: Date) {
    self = .now + TimeSpan(seconds: date.timeIntervalSinceNow)
  }
}
