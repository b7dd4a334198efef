// SPDX-License-Identifier: Apache-2.0
public import Sensors

/// The calibration of the individual chips of a board.
public struct Calibration: Sendable, Equatable {
  /// The file from which the calibration was read, or to which the calibration will be written.
  public var file: String
  /// The calibrated chips, by the names that they have in the board file.
  public var chips: [String: CalibratedChip]

  public init(file: String, chips: [String: CalibratedChip] = [:]) {
    self.file = file
    self.chips = chips
  }
}

/// A calibrated chip and its errors.
public struct CalibratedChip: Sendable, Equatable {
  /// The kind of chip, such as `invensense,mpu6050`. The calibration applies only to a chip of this
  /// kind.
  public var chip: String
  /// The 7-bit I2C address at which the chip was calibrated; `nil` if the calibration applies to
  /// any address, or if the chip is on SPI.
  public var address: UInt8?
  /// The serial number that is printed on the chip or module; `nil` if the number is unknown.
  public var serial: String?
  /// The date of the calibration.
  public var made: String?
  public var notes: String?
  public var errors: ChipCalibration
  /// The measured mounting, which has priority over the mounting in the board file; `nil` if the
  /// mounting was not measured.
  public var mounting: Mounting?
  /// The alignment with another chip of the board; `nil` if the alignment was not measured.
  public var alignment: MeasuredAlignment?

  public init(
    chip: String, address: UInt8? = nil, serial: String? = nil, made: String? = nil,
    notes: String? = nil, errors: ChipCalibration = ChipCalibration(), mounting: Mounting? = nil,
    alignment: MeasuredAlignment? = nil
  ) {
    self.chip = chip
    self.address = address
    self.serial = serial
    self.made = made
    self.notes = notes
    self.errors = errors
    self.mounting = mounting
    self.alignment = alignment
  }
}

/// The measured alignment of a chip with another chip of the same board.
public struct MeasuredAlignment: Sendable, Equatable {
  /// The name of the other chip in the board file.
  public var reference: String
  public var value: ChipAlignment

  public init(to reference: String, _ value: ChipAlignment) {
    self.reference = reference
    self.value = value
  }
}
