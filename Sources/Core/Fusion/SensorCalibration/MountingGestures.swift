// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A recogniser of the gestures that show a chip's mounting, each a stretch in which the device is
/// still: flat, top edge up, and as a check right edge down. Lying flat again between two gestures
/// is ignored.
public struct MountingGestures: Equatable, Sendable {
  /// The gesture to be made.
  public enum Step: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// Laid down flat, face up.
    case flat
    /// Its top edge up.
    case upright
    /// Its right edge down.
    case rightEdgeDown
  }

  /// The result of a stretch.
  public enum Verdict: Equatable, Sendable {
    /// It was this step.
    case taken(Step)
    /// The device still lies as in the last gesture, or flat again.
    case waiting
    /// The stretch was no valid gesture.
    case refused(MountingError)
  }

  public let params: MountingFit.Params
  /// The gesture that is expected next; `nil` after the last.
  public private(set) var next: Step? = .flat
  /// The chip's mounting, by the first two gestures; confirmed once `next` is `nil`.
  public private(set) var fit: MountingFit?
  private var flat: StillSegment?

  public init(_ params: MountingFit.Params = MountingFit.Params()) { self.params = params }

  /// Takes a stretch in which the device was held still: its mean specific force, g in chip axes.
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

  /// Restarts: if gestures contradict each other, it is unknown which of them are right.
  public mutating func reset() { self = MountingGestures(params) }

  private func isNear(_ up: Vector3, _ segment: StillSegment) -> Bool {
    up.angle(to: segment.mean) < Self.samePlace
  }

  /// A direction within 35 degrees of the last gesture is the same gesture.
  private static var samePlace: Scalar { 35 * Scalar.pi / 180 }
}
