// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
package import Fusion
import Otolith

/// The reference frames by their names on the command line.
package enum FrameOption: String, CaseIterable, Sendable {
  case xArbitraryZVertical = "x-arbitrary-z-vertical"
  case xArbitraryCorrectedZVertical = "x-arbitrary-corrected-z-vertical"
  case xMagneticNorthZVertical = "x-magnetic-north-z-vertical"
  case xTrueNorthZVertical = "x-true-north-z-vertical"

  package var frame: ReferenceFrame {
    switch self {
    case .xArbitraryZVertical: .xArbitraryZVertical
    case .xArbitraryCorrectedZVertical: .xArbitraryCorrectedZVertical
    case .xMagneticNorthZVertical: .xMagneticNorthZVertical
    case .xTrueNorthZVertical: .xTrueNorthZVertical
    }
  }

  package var isNorth: Bool { self == .xMagneticNorthZVertical || self == .xTrueNorthZVertical }
}

extension MotionSource {
  /// Returns a message if the source provides no attitude in `frame`; otherwise `nil`.
  package func refusal(of frame: FrameOption) -> Failure? {
    if frame != .xArbitraryZVertical, !channels.contains(.magneticField) {
      return Failure(
        "--reference-frame \(frame.rawValue) needs a magnetometer, and \(place) has none",
        Failure.usage)
    }
    if frame == .xTrueNorthZVertical, trueNorth == nil {
      return Failure(
        "true north needs a location in \(place): "
          + "'location: { latitude-deg: ..., longitude-deg: ... }', or 'declination-deg' in it",
        Failure.configuration)
    }
    return nil
  }
}
