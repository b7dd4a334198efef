// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// The directions that have been measured. The sphere is divided into 48 regions of equal area, in
/// six bands from the top (+z) to the bottom.
public struct SphereCoverage: Equatable, Sendable {
  /// The number of regions in each band. The height of a band is proportional to this number, so
  /// all regions have the same area (Archimedes: the area of a zone is proportional to its height).
  public static var bands: InlineArray<6, Int> { [4, 8, 12, 12, 8, 4] }
  public static var count: Int { 48 }

  private var seen: UInt64 = 0

  public init() {}

  /// Returns the region of a direction of any length: the band, and the place within the band,
  /// counted from +x through +y. `nil` for a zero vector.
  public static func region(of direction: Vector3) -> (band: Int, place: Int)? {
    guard let unit = direction.normalized else { return nil }
    // The area of the sphere above the direction, as a number of regions: 0 at the top, 48 at the
    // bottom.
    let depth = (1 - unit.z) / 2 * Scalar(count)
    var band = 0
    var below = Scalar(bands[0])
    while band < 5, depth >= below {
      band += 1
      below += Scalar(bands[band])
    }
    let turn = atan2(unit.y, unit.x) / (2 * .pi)
    let place = Int((turn < 0 ? turn + 1 : turn) * Scalar(bands[band]))
    return (band, min(place, bands[band] - 1))
  }

  public mutating func add(_ direction: Vector3) {
    guard let region = Self.region(of: direction) else { return }
    seen |= 1 << UInt64(Self.number(region.band, region.place))
  }

  /// Returns true if a direction in this region has been measured.
  public func contains(band: Int, place: Int) -> Bool {
    seen & 1 << UInt64(Self.number(band, place)) != 0
  }

  /// The share of the regions in which a direction has been measured, 0 to 1.
  public var share: Scalar { Scalar(seen.nonzeroBitCount) / Scalar(Self.count) }

  private static func number(_ band: Int, _ place: Int) -> Int {
    var number = place
    for earlier in 0..<band { number += bands[earlier] }
    return number
  }
}
