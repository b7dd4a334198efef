// SPDX-License-Identifier: Apache-2.0
package import Boards

/// The request for a calibration of any kind: the chip to calibrate, and how.
package struct CalibrationRequest: Sendable {
  /// The chip's name in the board file, or its kind; `nil` for the first chip with the sensor.
  package var chip: String?
  /// The recording to use instead of the board.
  package var recording: String?
  /// True to reject a recording with unreadable rows or rows out of time order.
  package var isStrict = false
  /// The serial number of the chip or board, stored in the file.
  package var serial: String?
  /// Notes, stored in the file.
  package var notes: String?
  /// True if the calibration only measures, and writes no file.
  package var isDryRun = false
  /// True to run a simulated board in real time instead of as fast as possible.
  package var isRealTime = false
  /// True if models replace the board's chips.
  package var isSimulated = false

  package init() {}
}

/// A calibration that a terminal, the page of `otolith serve` or `otolith calibrate all` can guide.
package protocol GuidedCalibration {
  /// Measures on `board` and writes nothing.
  func measure(
    _ guide: any Guide, on board: Board
  ) throws -> (CalibrationTask, CalibrationOutcome)
}
