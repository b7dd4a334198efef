// SPDX-License-Identifier: Apache-2.0

/// The side of the device that is up. Raw values and properties are those of UIKit's
/// `UIDeviceOrientation`.
public enum DeviceOrientation: Int, CaseIterable, Sendable, BitwiseCopyable {
  /// Unknown, or orientation is not monitored.
  case unknown = 0
  /// Upright, the bottom edge (-y) down.
  case portrait = 1
  /// Upright, the top edge (+y) down.
  case portraitUpsideDown = 2
  /// Upright, the left edge (-x) down: the bottom edge is on the right.
  case landscapeLeft = 3
  /// Upright, the right edge (+x) down.
  case landscapeRight = 4
  /// Lying with the screen (+z) up.
  case faceUp = 5
  /// Lying with the screen down.
  case faceDown = 6

  /// True if upright with the bottom or the top edge down.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }

  /// True if upright with the left or the right edge down.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }

  /// True if lying face up or face down.
  public var isFlat: Bool { self == .faceUp || self == .faceDown }

  /// True if a user interface can be shown upright: portrait or landscape.
  public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}
