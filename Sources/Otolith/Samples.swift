// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A vector as a sensor measured it, with both clocks. In device axes, raw: bias and the device's own field included.
public struct VectorSample: Equatable, Sendable {
  /// When it was taken, on CLOCK_MONOTONIC: the clock of `ProcessInfo.processInfo.systemUptime`.
  public var timestamp: Timestamp
  /// The same moment on the wall clock, as that was set when the sample was handed on.
  public var date: Date
  public var vector: Vector3
  /// Samples known to be lost just before this one.
  public var missing: UInt32

  /// `date`: `nil` is that of `timestamp` by the clocks of now.
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

  /// A moment of the wall clock, as that is set now, on CLOCK_MONOTONIC.
  public init(_ date: Date) {
    self = .now + TimeSpan(seconds: date.timeIntervalSinceNow)
  }
}
