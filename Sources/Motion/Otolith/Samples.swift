// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A vector measured by a sensor, with its time on two clocks. The vector is in device axes and
/// uncorrected: it includes the bias and the device's own field.
public struct VectorSample: Equatable, Codable, Sendable {
  /// The time of the sample, on CLOCK_MONOTONIC: the clock of
  /// `ProcessInfo.processInfo.systemUptime`.
  public var timestamp: Timestamp
  /// The same time on the wall clock, according to its setting when the sample was delivered.
  public var date: Date
  public var vector: Vector3
  /// The number of samples lost since the last delivered item.
  public var missing: UInt32

  /// Creates a sample. Without a `date`, `timestamp` is converted with the current clocks.
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
  /// The same time on the wall clock, according to the clock's current setting.
  public var date: Date { Date(timeIntervalSinceNow: (self - .now).seconds) }

  /// Converts a wall-clock time to CLOCK_MONOTONIC, according to the wall clock's current setting.
  public init(_ date: Date) {
    self = .now + TimeSpan(seconds: date.timeIntervalSinceNow)
  }
}
