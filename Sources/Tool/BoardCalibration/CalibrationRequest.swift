// SPDX-License-Identifier: Apache-2.0
package import Boards

/// The chip to calibrate and how, for every calibration.
package struct CalibrationRequest: Sendable {
  /// The chip by its name in the board file or its kind; `nil` for the first that measures it.
  package var chip: String?
  /// The recording to use instead of the board.
  package var recording: String?
  /// True to reject a recording with unreadable rows or rows out of time order.
  package var isStrict = false
  /// The serial number of the chip or board, stored in the file.
  package var serial: String?
  /// Notes, stored in the file.
  package var notes: String?
  /// True if nothing is written.
  package var isDryRun = false
  /// True to run a simulated board in real time instead of as fast as possible.
  package var isRealTime = false
  /// True if models replace the board's chips.
  package var isSimulated = false

  package init() {}
}

/// A calibration that a terminal, the page of `otolith serve` or the sequence of all can guide.
package protocol GuidedCalibration {
  /// Measures on `board` without writing.
  func measure(
    _ guide: any Guide, on board: Board
  ) throws -> (CalibrationTask, CalibrationOutcome)
}
