// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Quantities

/// An acceleration with its time, for writing to a store.
public struct TimedAcceleration: Equatable, Sendable, BitwiseCopyable {
  /// The time on CLOCK_MONOTONIC.
  public var timestamp: Timestamp
  /// The acceleration in g, including gravity; flat and face up at rest is (0, 0, -1).
  public var acceleration: Vector3

  public init(timestamp: Timestamp, acceleration: Vector3) {
    self.timestamp = timestamp
    self.acceleration = acceleration
  }
}

/// An acceleration read from a store.
public struct RecordedSample: Equatable, Sendable, BitwiseCopyable {
  /// The identifier of its batch of about a second: never decreases, across restarts and changes of
  /// the clock.
  public var identifier: UInt64
  /// The time of measurement by the wall clock as set then, nanoseconds since 1970, UTC.
  public var wall: Int64
  /// The time of measurement on CLOCK_MONOTONIC of its boot.
  public var timestamp: Timestamp
  /// The acceleration in g, including gravity; flat and face up at rest is (0, 0, -1).
  public var acceleration: Vector3

  /// `wall` as a date, with a resolution of 0.1 microseconds.
  public var date: Date { Date(timeIntervalSince1970: Double(wall) / 1e9) }
}

/// About a second of samples, written with one call: it is in the file as a whole or not at all.
struct SampleBlock: Equatable, Sendable {
  var identifier: UInt64
  /// The clocks at the first sample.
  var clocks: ClockReading
  var boot: BootIdentifier
  /// Samples known to be lost just before the first.
  var lost: UInt32
  var samples: [TimedAcceleration]

  /// The maximum number of samples in a block: one second at 16 kHz.
  static let mostSamples = 16_384

  /// The wall clock at the last sample.
  var endWall: Int64 {
    clocks.wall + ((samples.last?.timestamp ?? clocks.boot) - clocks.boot).nanoseconds
  }
}
