// SPDX-License-Identifier: Apache-2.0

/// The permission of this program to read the device's motion.
public enum CMAuthorizationStatus: Int, Sendable, BitwiseCopyable {
  /// Reading has not been tried yet.
  case notDetermined = 0
  /// Another process holds the board.
  case restricted = 1
  /// The board may not be opened by this user.
  case denied = 2
  /// The board can be opened.
  case authorized = 3
}
