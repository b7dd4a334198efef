// SPDX-License-Identifier: Apache-2.0
public import Sensors

/// A report about one chip of a running board.
public struct ChipReport: Sendable {
  /// The chip's name in the board file.
  public var name: String
  /// The kind of the chip, such as `invensense,mpu6050`.
  public var chip: String
  public var state: ChipState
  public var health: Health
  /// The number of samples delivered later than the board's limit.
  public var late: UInt64
  /// The configured sample rate in Hz; 0 while the chip sleeps.
  public var rate: Double
  /// The number of short stops to change the sample rate of this chip, or of the chip on whose
  /// auxiliary bus it is. Samples that were not taken during these stops do not count as missing.
  public var rateChanges: UInt64

  /// The readings without a value, and the readings at the end of the chip's range, since the
  /// source was started.
  package var losses: ReadingLosses

  /// The conditions of the channels that are combined with other chips' channels.
  package var conditions: [ChannelCondition] = []

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
