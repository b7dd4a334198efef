// SPDX-License-Identifier: Apache-2.0
public import Sensors

/// Measurements of the very chips of one board.
public struct Calibration: Sendable, Equatable {
  /// The file this was read from, or is to be written to.
  public var file: String
  /// By the chips' names in the board file.
  public var chips: [String: CalibratedChip]

  public init(file: String, chips: [String: CalibratedChip] = [:]) {
    self.file = file
    self.chips = chips
  }
}

/// One chip, as far as its calibration knows it, and its errors.
public struct CalibratedChip: Sendable, Equatable {
  /// Its kind: `invensense,mpu6050`. The calibration holds for no other.
  public var chip: String
  /// Its 7-bit I2C address when it was measured; `nil` for any, and on SPI.
  public var address: UInt8?
  /// A number printed on it.
  public var serial: String?
  /// The date on which it was measured.
  public var made: String?
  public var notes: String?
  public var errors: ChipCalibration
  /// The chip's mounting as it was measured; it takes precedence over the board file's. `nil`: the
  /// board file's holds.
  public var mounting: Mounting?

  public init(
    chip: String, address: UInt8? = nil, serial: String? = nil, made: String? = nil,
    notes: String? = nil, errors: ChipCalibration = ChipCalibration(), mounting: Mounting? = nil
  ) {
    self.chip = chip
    self.address = address
    self.serial = serial
    self.made = made
    self.notes = notes
    self.errors = errors
    self.mounting = mounting
  }
}
