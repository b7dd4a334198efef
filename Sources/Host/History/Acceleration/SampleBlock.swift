// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Quantities

/// An acceleration with its time, to be written to a store.
public struct TimedAcceleration: Equatable, Sendable, BitwiseCopyable {
  /// The time of the sample on CLOCK_MONOTONIC.
  public var timestamp: Timestamp
  /// The acceleration in g, including gravity. At rest, flat and face up, the acceleration is (0,
  /// 0, -1).
  public var acceleration: Vector3

  public init(timestamp: Timestamp, acceleration: Vector3) {
    self.timestamp = timestamp
    self.acceleration = acceleration
  }
}

/// An acceleration that was read from a store.
public struct RecordedSample: Equatable, Sendable, BitwiseCopyable {
  /// The identifier of the sample's batch, which lasts about a second. The identifier never
  /// decreases, even across restarts and changes of the clock.
  public var identifier: UInt64
  /// The time of measurement on the wall clock as the clock was set at that time, in nanoseconds
  /// since 1970, UTC.
  public var wall: Int64
  /// The time of measurement on CLOCK_MONOTONIC of the boot in which the sample was measured.
  public var timestamp: Timestamp
  /// The acceleration in g, including gravity. At rest, flat and face up, the acceleration is (0,
  /// 0, -1).
  public var acceleration: Vector3

  /// The sample's time on the wall clock as a date, with a resolution of 0.1 microseconds.
  public var date: Date { Date(timeIntervalSince1970: Double(wall) / 1e9) }
}

/// About a second of samples, written by one system call. A file contains the whole block or no
/// part of it.
struct SampleBlock: Equatable, Sendable {
  var identifier: UInt64
  /// The readings of the clocks at the block's first sample.
  var clocks: ClockReading
  var boot: BootIdentifier
  /// The number of samples that are known to be lost just before the first sample.
  var lost: UInt32
  var samples: [TimedAcceleration]

  /// The largest number of samples in a block of the store: one second at 16 kHz.
  static let mostSamples = 16_384

  /// The time on the wall clock at the block's last sample.
  var endWall: Int64 {
    clocks.wall + ((samples.last?.timestamp ?? clocks.boot) - clocks.boot).nanoseconds
  }
}
