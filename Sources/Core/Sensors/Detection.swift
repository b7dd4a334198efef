// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// An event that a chip can detect by itself, without samples being read.
public enum DetectionKind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// A step was taken. The detail is the number of steps since the driver was started.
  case step
  /// One tap (`singleTap`), or two within a short time (`doubleTap`). The detail is the axis and
  /// direction (see `Detection.detail`).
  case singleTap
  case doubleTap
  /// The chip is in free fall: all axes are near 0 g.
  case freeFall
  /// The chip was turned by more than about 35 degrees from its earlier attitude.
  case tilt
  /// The acceleration changed by more than the threshold; data sheets call this wake-up, any-motion
  /// or wake-on-motion. The detail is the axis and direction if the chip reports them.
  case motion
  /// There was no motion for `stillDuration`.
  case noMotion
  /// Motion continued for seconds, as when a person starts to walk.
  case significantMotion
  /// A different side of the chip now points up. The detail is the axis that points up.
  case orientation
  /// The chip lies flat (detail 1), or no longer lies flat (detail 0).
  case flat
}

/// A set of kinds of events that a chip can detect.
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

/// The events for a chip to detect, with thresholds in physical units. A driver uses the nearest
/// thresholds that the chip supports.
public struct DetectionSettings: Equatable, Sendable, BitwiseCopyable {
  public var kinds: DetectionSet = []
  /// The change of acceleration that counts as motion, in g.
  public var motionThreshold = 0.1
  /// The minimum duration, in seconds, of a change that counts as motion.
  public var motionDuration = TimeSpan.zero
  /// The time in seconds without motion after which `noMotion` is reported.
  public var stillDuration = TimeSpan.seconds(5)
  /// The change of acceleration between two samples that counts as a tap, in g.
  public var tapThreshold = 1.0
  /// The free-fall threshold in g: there is free fall if all axes are below the threshold for
  /// `freeFallDuration`.
  public var freeFallThreshold = 0.312
  public var freeFallDuration = TimeSpan.milliseconds(50)

  public init() {}

  public init(_ kinds: DetectionSet) { self.kinds = kinds }
}

/// An event that a chip detected by itself.
public struct Detection: Equatable, Sendable, BitwiseCopyable {
  public var kind: DetectionKind
  /// The time of the interrupt edge, or of the poll that found the event.
  public var timestamp: Timestamp
  /// The detail, whose meaning depends on `kind`. An axis with its direction is 1, 2 or 3 for the
  /// chip's x, y and z, and negative for the negative direction; 0 if the chip does not report the
  /// axis.
  public var detail: Int32

  public init(_ kind: DetectionKind = .step, at timestamp: Timestamp = .zero, detail: Int32 = 0) {
    self.kind = kind
    self.timestamp = timestamp
    self.detail = detail
  }
}
