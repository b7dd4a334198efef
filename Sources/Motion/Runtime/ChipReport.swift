// SPDX-License-Identifier: Apache-2.0
public import Sensors

/// A report about one chip of a running board.
public struct ChipReport: Sendable {
  /// The chip's name in the board file.
  public var name: String
  /// Its kind: `invensense,mpu6050`.
  public var chip: String
  public var state: ChipState
  public var health: Health
  /// The number of samples delivered later than the board's limit.
  public var late: UInt64
  /// The configured rate in samples per second; 0 while it sleeps.
  public var rate: Double
  /// The number of short stops for changing its rate, or that of the chip behind which it is
  /// connected. Samples not taken during these stops are not counted as missing.
  public var rateChanges: UInt64

  /// The readings without a value, or at the end of the chip's range, since the source began.
  package var losses: ReadingLosses

  package init(
    name: String, chip: String, state: ChipState, health: Health, late: UInt64, rate: Double,
    rateChanges: UInt64, losses: ReadingLosses = ReadingLosses()
  ) {
    self.name = name
    self.chip = chip
    self.state = state
    self.health = health
    self.late = late
    self.rate = rate
    self.rateChanges = rateChanges
    self.losses = losses
  }
}
