// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The chip's axis that points up.
public enum Face: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case xUp
  case xDown
  case yUp
  case yDown
  case zUp
  case zDown

  /// Creates the face that is up for this specific force; `nil` if the nearest axis is more than 30
  /// degrees away, as when the chip stands on an edge or a corner.
  public init?(_ force: Vector3) {
    guard let up = force.normalized else { return nil }
    func isNear(_ component: Scalar) -> Bool { component > 0.8660254037844386 }
    if isNear(up.x) {
      self = .xUp
    } else if isNear(-up.x) {
      self = .xDown
    } else if isNear(up.y) {
      self = .yUp
    } else if isNear(-up.y) {
      self = .yDown
    } else if isNear(up.z) {
      self = .zUp
    } else if isNear(-up.z) {
      self = .zDown
    } else {
      return nil
    }
  }
}

/// A set of faces.
public struct FaceSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public init(_ face: Face) { rawValue = 1 << face.rawValue }

  public static var all: FaceSet { FaceSet(rawValue: 0b11_1111) }

  public func contains(_ face: Face) -> Bool { contains(FaceSet(face)) }
}
