// SPDX-License-Identifier: Apache-2.0

/// The side of the device that is up. Raw values and questions are those of UIKit's
/// `UIDeviceOrientation`.
public enum DeviceOrientation: Int, CaseIterable, Sendable, BitwiseCopyable {
  /// Nothing is known, or the orientation is not followed.
  case unknown = 0
  /// Upright, the bottom edge (-y) down.
  case portrait = 1
  /// Upright, the top edge (+y) down.
  case portraitUpsideDown = 2
  /// Upright, the left edge (-x) down: what was the bottom edge is to the right.
  case landscapeLeft = 3
  /// Upright, the right edge (+x) down.
  case landscapeRight = 4
  /// Lying with the screen (+z) up.
  case faceUp = 5
  /// Lying with the screen down.
  case faceDown = 6

  /// Upright with the bottom or the top edge down.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }

  /// Upright with the left or the right edge down.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }

  /// Lying on its back or on its face.
  public var isFlat: Bool { self == .faceUp || self == .faceDown }

  /// True where a picture can be drawn upright for it: portrait or landscape.
  public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}
