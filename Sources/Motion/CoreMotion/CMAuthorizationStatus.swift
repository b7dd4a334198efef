// SPDX-License-Identifier: Apache-2.0

/// This program's permission to read the device's motion.
public enum CMAuthorizationStatus: Int, Sendable, BitwiseCopyable {
  /// The board has not been opened yet.
  case notDetermined = 0
  /// Another process or a kernel driver uses the board.
  case restricted = 1
  /// This user may not open the board.
  case denied = 2
  /// The board can be opened.
  case authorized = 3
}
