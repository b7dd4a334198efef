// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Steps that wait, oldest first; when there is no room the oldest is lost.
struct StepQueue: Equatable, Sendable {
  static let capacity = 48

  private var steps = InlineArray<48, Step>(
    repeating: Step(timestamp: .zero, confidence: 0, swing: 0))
  private var first = 0
  private(set) var count = 0

  mutating func add(_ step: Step) {
    if count == Self.capacity { _ = next() }
    steps[(first + count) % Self.capacity] = step
    count += 1
  }

  mutating func next() -> Step? {
    guard count > 0 else { return nil }
    let step = steps[first]
    first = (first + 1) % Self.capacity
    count -= 1
    return step
  }

  mutating func clear() { count = 0 }

  static func == (a: Self, b: Self) -> Bool {
    guard a.count == b.count else { return false }
    for i in 0..<a.count
    where a.steps[(a.first + i) % capacity] != b.steps[(b.first + i) % capacity] { return false }
    return true
  }
}
