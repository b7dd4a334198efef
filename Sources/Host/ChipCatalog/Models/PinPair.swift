// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The levels and edges of two interrupt pins, 1 and 2.
struct PinPair {
  private var edges = InlineArray<2, EdgeQueue>(repeating: EdgeQueue())
  private var active = InlineArray<2, Bool>(repeating: false)

  func isActive(_ pin: UInt8) -> Bool { active[Int(pin) - 1] }

  /// Makes both interrupt pins inactive, without an edge.
  mutating func release() { active = .init(repeating: false) }

  /// Sets the level of each pin to `level(pin)`. A change to active is an edge.
  mutating func update(at time: Timestamp, _ level: (_ pin: UInt8) -> Bool) {
    for pin in UInt8(1)...2 {
      let isActive = level(pin)
      if isActive, !self.isActive(pin) { pulse(pin, at: time) }
      active[Int(pin) - 1] = isActive
    }
  }

  mutating func pulse(_ pin: UInt8, at time: Timestamp) { edges[Int(pin) - 1].append(time) }

  /// Returns the edges of a pin and clears them. Returns an empty queue if `pin` is neither 1 nor
  /// 2.
  mutating func take(_ pin: UInt8) -> EdgeQueue {
    (1...2).contains(pin) ? edges[Int(pin) - 1].take() : EdgeQueue()
  }
}
