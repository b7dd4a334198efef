// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Fusion
import Otolith

/// The reference frames, by their names on the command line.
enum FrameOption: String, CaseIterable, ExpressibleByArgument {
  case xArbitraryZVertical = "x-arbitrary-z-vertical"
  case xArbitraryCorrectedZVertical = "x-arbitrary-corrected-z-vertical"
  case xMagneticNorthZVertical = "x-magnetic-north-z-vertical"
  case xTrueNorthZVertical = "x-true-north-z-vertical"

  var frame: ReferenceFrame {
    switch self {
    case .xArbitraryZVertical: .xArbitraryZVertical
    case .xArbitraryCorrectedZVertical: .xArbitraryCorrectedZVertical
    case .xMagneticNorthZVertical: .xMagneticNorthZVertical
    case .xTrueNorthZVertical: .xTrueNorthZVertical
    }
  }

  var isNorth: Bool { self == .xMagneticNorthZVertical || self == .xTrueNorthZVertical }
}

extension MotionSource {
  /// Returns a message if the source provides no attitude in `frame`; otherwise `nil`.
  func refusal(of frame: FrameOption) -> Failure? {
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
