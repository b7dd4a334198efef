// SPDX-License-Identifier: Apache-2.0
public import Boards
public import LinuxBus
public import Recordings
public import Registers

/// Why a board could not be run.
public enum SessionError: Error, Sendable {
  /// The board file is wrong.
  case board(BoardErrors)
  /// A device node cannot be opened.
  case open(OpenError)
  /// The recording that shall move a simulated board cannot be read.
  case recording(RecordingError)
  /// A chip cannot be set as the board file asks.
  case setting(chip: String, ChipError)
}
