// SPDX-License-Identifier: Apache-2.0
public import Sensors

/// The calibration of a board's individual chips.
public struct Calibration: Sendable, Equatable {
  /// The file that it was read from, or will be written to.
  public var file: String
  /// The calibrations by the chips' names in the board file.
  public var chips: [String: CalibratedChip]

  public init(file: String, chips: [String: CalibratedChip] = [:]) {
    self.file = file
    self.chips = chips
  }
}

/// One calibrated chip and its errors.
public struct CalibratedChip: Sendable, Equatable {
  /// The kind of chip: `invensense,mpu6050`. The calibration applies to no other kind.
  public var chip: String
  /// The 7-bit I2C address during calibration; `nil` for any, and on SPI.
  public var address: UInt8?
  /// A serial number printed on the chip or module.
  public var serial: String?
  /// The date of the calibration.
  public var made: String?
  public var notes: String?
  public var errors: ChipCalibration
  /// The measured mounting, which overrides the board file's; `nil` to use the board file's.
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
