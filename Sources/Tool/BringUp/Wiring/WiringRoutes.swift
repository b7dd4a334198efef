// SPDX-License-Identifier: Apache-2.0

/// The routes of the wires in a picture. Each wire goes from the header straight down to its own
/// lane, along the lane, and straight down to the modules' pins. Wires cross but never overlap.
struct WiringRoutes {
  /// All wires that start at one header pin.
  struct Net: Equatable {
    var number: Int
    /// The x position where the net leaves the header.
    var start: Int
    /// The x positions where the net reaches module pins, from left to right.
    var ends: [Int]

    var from: Int { min(start, ends.first ?? start) }
    var to: Int { max(start, ends.last ?? start) }
  }

  /// The nets in the order of their lanes, the highest first.
  private(set) var lanes: [Net]

  init(_ nets: [Net]) {
    // Nets that leave the header furthest to the right get the highest lanes. Then pairs of nets
    // are swapped for as long as this reduces crossings. This method is good enough for about a
    // dozen nets.
    lanes = nets.sorted { ($0.start, $0.number) > ($1.start, $1.number) }
    var best = Self.crossings(lanes)
    var isBetter = true
    while isBetter, best > 0 {
      isBetter = false
      for a in lanes.indices {
        for b in lanes.indices where b > a {
          lanes.swapAt(a, b)
          let count = Self.crossings(lanes)
          if count < best {
            best = count
            isBetter = true
          } else {
            lanes.swapAt(a, b)
          }
        }
      }
    }
  }

  var crossings: Int { Self.crossings(lanes) }

  private static func crossings(_ lanes: [Net]) -> Int {
    var count = 0
    for (index, upper) in lanes.enumerated() {
      for lower in lanes[(index + 1)...] {
        // A lower net crosses the upper lane on its way from the header; an upper net crosses the
        // lower lane on its way to the modules.
        if (upper.from..<upper.to).contains(lower.start) { count += 1 }
        count += upper.ends.count { (lower.from..<lower.to).contains($0) }
      }
    }
    return count
  }
}
