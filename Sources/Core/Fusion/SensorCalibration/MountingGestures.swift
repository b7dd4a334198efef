// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Recognises the gestures that show the mounting of a chip. In each gesture the device is held
/// still: flat, then with its top edge up, and finally, as a check, with its right edge down. The
/// device may lie flat again between two gestures.
public struct MountingGestures: Equatable, Sendable {
  /// A gesture that the user must make.
  public enum Step: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// The device lies flat, face up.
    case flat
    /// The top edge of the device is up.
    case upright
    /// The right edge of the device is down.
    case rightEdgeDown
  }

  /// The result of a period in which the device was held still.
  public enum Verdict: Equatable, Sendable {
    /// The device was held still in this gesture.
    case taken(Step)
    /// The device still has the position of the last gesture, or lies flat again.
    case waiting
    /// The device was held still, but not in a valid gesture.
    case refused(MountingError)
  }

  public let params: MountingFit.Params
  /// The gesture that is expected next; `nil` after the last.
  public private(set) var next: Step? = .flat
  /// The mounting of the chip, determined by the first two gestures. It is confirmed once `next` is
  /// `nil`.
  public private(set) var fit: MountingFit?
  private var flat: StillSegment?

  public init(_ params: MountingFit.Params = MountingFit.Params()) { self.params = params }

  /// Adds a period in which the device was held still, given by its mean specific force, g in chip
  /// axes.
  public mutating func add(_ segment: StillSegment) -> Verdict {
    do throws(MountingError) {
      let up = try MountingFit.up(segment, params)
      switch next {
      case nil: return .waiting
      case .flat:
        flat = segment
        next = .upright
        return .taken(.flat)
      case .upright:
        guard let flat else { return .waiting }
        if isNear(up, flat) { return .waiting }
        fit = try MountingFit(flat: flat, upright: segment, params)
        next = .rightEdgeDown
        return .taken(.upright)
      case .rightEdgeDown:
        guard let fit, let flat else { return .waiting }
        let top = Vector3(fit.matrix.m21, fit.matrix.m22, fit.matrix.m23)
        if isNear(up, flat) || up.angle(to: top) < Self.samePlace { return .waiting }
        try fit.check(rightEdgeDown: segment)
        next = nil
        return .taken(.rightEdgeDown)
      }
    } catch { return .refused(error) }
  }

  /// Restarts. If gestures contradict one another, it is unknown which of them are right.
  public mutating func reset() { self = MountingGestures(params) }

  private func isNear(_ up: Vector3, _ segment: StillSegment) -> Bool {
    up.angle(to: segment.mean) < Self.samePlace
  }

  /// A direction within 35 degrees of the last gesture is the same gesture.
  private static var samePlace: Scalar { 35 * Scalar.pi / 180 }
}
