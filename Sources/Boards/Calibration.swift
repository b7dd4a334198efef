// SPDX-License-Identifier: Apache-2.0
public import Sensors

/// What was measured of the very chips of one board.
public struct Calibration: Sendable, Equatable {
  /// The file this was read from.
  public var file: String
  /// By the chips' names in the board file.
  public var chips: [String: ChipCalibration]

  public init(file: String, chips: [String: ChipCalibration]) {
    self.file = file
    self.chips = chips
  }
}
