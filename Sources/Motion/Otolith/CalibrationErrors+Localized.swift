// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Fusion
internal import Quantities

// The messages are in this module, because the portable core contains no text.

extension AccelerationFitError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .missing(let faces):
      "not all faces were measured; missing, facing up: \(faces.words) (chip axes)"
    case .undetermined: "the positions do not determine the chip's errors: choose others"
    case .implausible:
      "the errors are too large for a working chip: is its range right, and was it still?"
    case .inconsistent(let residual):
      "the positions contradict each other by \(Int(saturating: residual * 1000)) mg: "
        + "lay it on something that does not move"
    }
  }
}

extension IMUAlignmentError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .tooShort:
      "both sensors gave too few samples at the same time: record for longer, without gaps"
    case .notMoved(let rate):
      String(
        format: "turned at only %.0f degrees/s: turn it faster, about every axis", rate * 180 / .pi)
    case .unrelated(let correlation):
      "the two sensors do not measure the same motion"
        + (correlation.map { String(format: " (correlation %.2f)", $0) } ?? "")
        + ": is one loose or broken?"
    }
  }
}

extension MagneticSphereError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .tooFew: "the field hardly changed: turn the board about all axes, not only to and fro"
    case .uncovered(let share):
      String(
        format: "the field was measured in %.0f %% of all directions: turn the board over and on "
          + "each edge too, and take more time", share * 100)
    case .disturbed(let residual):
      (residual.map {
        String(format: "the field's strength still varies by %.1f uT after the correction", $0)
      } ?? "the fields do not form an ellipsoid")
        + ": a magnetic object nearby does not turn with the board; move away from it"
    case .notEarth(let strength):
      String(
        format:
          "the field is %.0f uT strong, but the earth's is 22 to 67: is a magnet near, or the "
          + "chip's range wrong?", strength)
    case .unexpected(let strength, let expected):
      String(
        format: "the field is %.0f uT strong, and that of the board file's location %.0f: is the "
          + "location right, or steel near?", strength, expected)
    }
  }
}

extension MountingError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    func degrees(_ angle: Double) -> Int { Int(saturating: angle * 180 / .pi) }
    return switch self {
    case .moved: "it was not held still"
    case .notGravity(let norm):
      String(format: "%.2f g at rest is not gravity: calibrate the accelerometer first", norm)
    case .notTurned(let angle):
      "it was turned by only \(degrees(angle)) degrees; upright is 90"
    case .turnedOver(let angle):
      "it was turned over, by \(degrees(angle)) degrees; upright is 90"
    case .contradicted(let angle):
      "right edge down would be \(degrees(angle)) degrees from that: the edge or the order was "
        + "wrong"
    }
  }
}

extension Face {
  /// The chip axis that points up, in words.
  package var words: String {
    switch self {
    case .xUp: "+x"
    case .xDown: "-x"
    case .yUp: "+y"
    case .yDown: "-y"
    case .zUp: "+z"
    case .zDown: "-z"
    }
  }
}

extension FaceSet {
  package var words: String {
    Face.allCases.filter { contains($0) }.map(\.words).joined(separator: ", ")
  }
}
