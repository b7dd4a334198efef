// SPDX-License-Identifier: Apache-2.0

/// The routes of the wires of a picture: from the header straight down to a lane of their own,
/// along it, and straight down to the modules' pins. Wires cross and never lie on one another.
struct WiringRoutes {
  /// All wires at one pin of the header.
  struct Net: Equatable {
    /// The header's pin.
    var number: Int
    /// The place where it leaves the header.
    var start: Int
    /// The places where it arrives, left to right.
    var ends: [Int]

    var from: Int { min(start, ends.first ?? start) }
    var to: Int { max(start, ends.last ?? start) }
  }

  /// The highest lane first.
  private(set) var lanes: [Net]

  init(_ nets: [Net]) {
    // Those that leave the header furthest to the right take the highest lanes; exchanges of two go
    // on while they save crossings. Nets are a dozen, so nothing cleverer is needed.
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

  /// The number of crossings.
  var crossings: Int { Self.crossings(lanes) }

  private static func crossings(_ lanes: [Net]) -> Int {
    var count = 0
    for (index, upper) in lanes.enumerated() {
      for lower in lanes[(index + 1)...] {
        // The lower net comes down from the header through the upper lane, the upper one goes down
        // through the lower.
        if (upper.from..<upper.to).contains(lower.start) { count += 1 }
        count += upper.ends.count { (lower.from..<lower.to).contains($0) }
      }
    }
    return count
  }
}
