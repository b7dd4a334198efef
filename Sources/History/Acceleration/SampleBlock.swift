// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Quantities

/// An acceleration and when it was measured, as it goes into a store.
public struct TimedAcceleration: Equatable, Sendable, BitwiseCopyable {
  /// On the machine's boot clock (CLOCK_MONOTONIC).
  public var timestamp: Timestamp
  /// g, gravity included; flat and face up at rest is (0, 0, -1).
  public var acceleration: Vector3

  public init(timestamp: Timestamp, acceleration: Vector3) {
    self.timestamp = timestamp
    self.acceleration = acceleration
  }
}

/// An acceleration as a store gives it back.
public struct RecordedSample: Equatable, Sendable, BitwiseCopyable {
  /// That of the batch of about a second with which it was written: never less than that of a
  /// sample recorded before, across restarts and changes of the clock.
  public var identifier: UInt64
  /// The time of measurement by the clock of the wall as it was set then, nanoseconds since 1970,
  /// UTC.
  public var wall: Int64
  /// The same on the boot clock of the run in which it was recorded.
  public var timestamp: Timestamp
  /// g, gravity included; flat and face up at rest is (0, 0, -1).
  public var acceleration: Vector3

  /// `wall` as a date, which resolves a tenth of a microsecond.
  public var date: Date { Date(timeIntervalSince1970: Double(wall) / 1e9) }
}

/// About a second of samples: what is written with one call, and either is in the file or is not.
struct SampleBlock: Equatable, Sendable {
  var identifier: UInt64
  /// The clocks at the first sample.
  var clocks: ClockReading
  var boot: BootIdentifier
  /// Samples known to be lost just before the first.
  var lost: UInt32
  var samples: [TimedAcceleration]

  /// The most samples of a block: a second at 16 kHz.
  static let mostSamples = 16_384

  /// The wall clock at the last sample.
  var endWall: Int64 {
    clocks.wall + ((samples.last?.timestamp ?? clocks.boot) - clocks.boot).nanoseconds
  }
}
