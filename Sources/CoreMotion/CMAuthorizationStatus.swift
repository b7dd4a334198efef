// SPDX-License-Identifier: Apache-2.0

/// Whether this program may read the device's motion.
public enum CMAuthorizationStatus: Int, Sendable, BitwiseCopyable {
  /// Nobody has tried yet.
  case notDetermined = 0
  /// Another process holds the board.
  case restricted = 1
  /// The board may not be opened by this user.
  case denied = 2
  /// The board can be opened.
  case authorized = 3
}
