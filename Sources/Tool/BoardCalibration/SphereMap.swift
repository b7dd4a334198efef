// SPDX-License-Identifier: Apache-2.0
import Fusion
import Otolith

/// The directions in which the field was measured, as a sphere unrolled into six bands from the
/// chip's +z axis to -z. Each band starts at +x and goes around through +y.
package struct SphereMap: Equatable {
  var coverage = SphereCoverage()
  var center = Vector3.zero
  var newest = Vector3.zero

  /// The map as one line per band: `#` for a measured direction, `.` for a missing one, `@` for the
  /// current one.
  package var marks: [String] {
    let here = SphereCoverage.region(of: newest - center)
    let bands = SphereCoverage.bands
    return bands.indices.map { band in
      (0..<bands[band]).map { place in
        if let here, here == (band, place) { return "@" }
        return coverage.contains(band: band, place: place) ? "#" : "."
      }.joined()
    }
  }

  var lines: [String] {
    ["  the directions of the field in chip axes: # measured, . missing, @ now"]
      + marks.map { marks in
        "    " + String(repeating: "  ", count: (12 - marks.count) / 2)
          + marks.map(String.init).joined(separator: " ")
      }
  }
}
