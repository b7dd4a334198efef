// SPDX-License-Identifier: Apache-2.0

/// The orientation of the device, that is, the side that is up. Raw values and properties match
/// UIKit's `UIDeviceOrientation`.
public enum DeviceOrientation: Int, CaseIterable, Sendable, BitwiseCopyable {
  /// The orientation is unknown or not monitored.
  case unknown = 0
  /// The device is upright with its bottom edge (-y) down.
  case portrait = 1
  /// The device is upright with its top edge (+y) down.
  case portraitUpsideDown = 2
  /// The device is upright with its left edge (-x) down and its bottom edge on the right.
  case landscapeLeft = 3
  /// The device is upright with its right edge (+x) down.
  case landscapeRight = 4
  /// The device lies with its screen (+z) up.
  case faceUp = 5
  /// The device lies with its screen down.
  case faceDown = 6

  /// True if the device is upright with its bottom or its top edge down.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }

  /// True if the device is upright with its left or its right edge down.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }

  /// True if the device lies face up or face down.
  public var isFlat: Bool { self == .faceUp || self == .faceDown }

  /// True if a user interface can be shown in this orientation: portrait or landscape.
  public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}
