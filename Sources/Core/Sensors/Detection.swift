// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// An event that a chip can detect on its own, while no samples are read.
public enum DetectionKind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// A step. The detail is the number of steps since the driver was started.
  case step
  /// One tap, or two in sequence. The detail is the axis and direction (see `Detection.detail`).
  case singleTap
  case doubleTap
  /// All axes are near 0 g.
  case freeFall
  /// A turn by more than about 35 degrees from the earlier attitude.
  case tilt
  /// A change of acceleration by more than the threshold: wake-up, any-motion, wake-on-motion. The
  /// detail is the axis and direction where the chip reports them.
  case motion
  /// No motion for `stillDuration`.
  case noMotion
  /// Continued motion, as when a person starts to walk.
  case significantMotion
  /// A new side up. The detail is the axis that points up.
  case orientation
  /// The chip lies flat (detail 1), or no longer lies flat (detail 0).
  case flat
}

/// A set of kinds of detection.
public struct DetectionSet: OptionSet, Sendable, BitwiseCopyable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public init(_ kind: DetectionKind) { rawValue = 1 << UInt16(kind.rawValue) }

  public static var step: DetectionSet { DetectionSet(.step) }
  public static var singleTap: DetectionSet { DetectionSet(.singleTap) }
  public static var doubleTap: DetectionSet { DetectionSet(.doubleTap) }
  public static var freeFall: DetectionSet { DetectionSet(.freeFall) }
  public static var tilt: DetectionSet { DetectionSet(.tilt) }
  public static var motion: DetectionSet { DetectionSet(.motion) }
  public static var noMotion: DetectionSet { DetectionSet(.noMotion) }
  public static var significantMotion: DetectionSet { DetectionSet(.significantMotion) }
  public static var orientation: DetectionSet { DetectionSet(.orientation) }
  public static var flat: DetectionSet { DetectionSet(.flat) }
}

/// The events for a chip to detect, in physical units; a driver uses the chip's nearest thresholds.
public struct DetectionSettings: Equatable, Sendable, BitwiseCopyable {
  public var kinds: DetectionSet = []
  /// The change of acceleration that counts as motion, g.
  public var motionThreshold = 0.1
  /// The minimum duration of motion.
  public var motionDuration = TimeSpan.zero
  /// The time without motion that counts as `noMotion`.
  public var stillDuration = TimeSpan.seconds(5)
  /// The jerk that counts as a tap, g.
  public var tapThreshold = 1.0
  /// The acceleration below which, on all axes and for `freeFallDuration`, there is free fall, g.
  public var freeFallThreshold = 0.312
  public var freeFallDuration = TimeSpan.milliseconds(50)

  public init() {}

  public init(_ kinds: DetectionSet) { self.kinds = kinds }
}

/// An event that a chip detected on its own.
public struct Detection: Equatable, Sendable, BitwiseCopyable {
  public var kind: DetectionKind
  /// The time of the interrupt edge, or of the poll that found the event.
  public var timestamp: Timestamp
  /// The detail, whose meaning depends on `kind`. An axis and direction of the chip is 1, 2 or 3
  /// for x, y and z, negative for the axis's negative direction; 0 if the chip does not report
  /// it.
  public var detail: Int32

  public init(_ kind: DetectionKind = .step, at timestamp: Timestamp = .zero, detail: Int32 = 0) {
    self.kind = kind
    self.timestamp = timestamp
    self.detail = detail
  }
}
