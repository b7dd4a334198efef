// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities

/// A tracker for the interrupt pins of models and the levels of their lines. A model is polled only
/// if its next edge is due or after a transaction. The tracker allocates no memory.
struct PinWatch {
  private struct Pin {
    let model: any ChipModel
    let number: UInt8
    let line: Int
    /// The time of the pin's next possible edge; `distantFuture` if none will come.
    var next = Timestamp.distantFuture
    /// The idle level of the line, and whether the line must still be set to this level.
    var idle = false
    var isStale = true
    /// The number of edges that have not been applied to the line yet, and the time of the newest
    /// of them.
    var pendingEdges = 0
    var newest = Timestamp.zero
  }

  /// The chips whose pins a transaction may affect, as indices of `groups`: the addressed chip and,
  /// if that chip is on another chip's auxiliary bus, that other chip.
  struct Route {
    let group: Int?
    let host: Int?
  }

  private var pins: [Pin] = []
  /// For each model, the range of its pins in `pins`.
  private var groups: [Range<Int>] = []
  /// For each chip that a transaction can address, the chips whose pins it may affect; empty if no
  /// pin is wired.
  var routes: [Route] = []
  /// The number of pins whose lines have pending changes.
  private var busy = 0
  /// The earliest of the pins' `next` times.
  private(set) var soonest = Timestamp.distantFuture

  var isEmpty: Bool { pins.isEmpty }

  /// Adds the wired pins of `model`, each with the interrupt line that it drives. Returns the index
  /// of the model in `groups`.
  mutating func add(_ model: any ChipModel, _ lines: [(pin: UInt8, line: Int)]) -> Int {
    let first = pins.count
    for (pin, line) in lines { pins.append(Pin(model: model, number: pin, line: line)) }
    busy += lines.count
    groups.append(first..<pins.count)
    poll(at: groups.count - 1)
    return groups.count - 1
  }

  /// Returns the next edge, as `takeEdge(until:)` of `InterruptLines` does. Each model is advanced
  /// from edge to edge, so that each edge has its exact time.
  mutating func takeEdge(until time: Timestamp) -> LineEdge? {
    while true {
      if busy > 0, let edge = takePending() { return edge }
      guard soonest <= time else { return nil }
      let due = soonest
      for group in groups.indices {
        guard groups[group].contains(where: { pins[$0].next <= due }) else { continue }
        pins[groups[group].lowerBound].model.advance(to: due)
        poll(at: group, after: due)
      }
    }
  }

  /// Polls all pins, after time has passed for every model.
  mutating func pollAll() { for group in groups.indices { poll(at: group) } }

  /// Polls the pins that a transaction may have affected. `number` is the index of its route in
  /// `routes`.
  mutating func poll(atRoute number: Int) {
    guard number < routes.count else { return }
    if let group = routes[number].group { poll(at: group) }
    if let host = routes[number].host { poll(at: host) }
  }

  /// Polls the pins of one model: after a transaction, or after the model was advanced to the time
  /// `after`.
  mutating func poll(at group: Int, after time: Timestamp = .zero) {
    for index in groups[group] {
      let model = pins[index].model
      let came = model.takeEdges(of: pins[index].number)
      let next = model.nextEdge(of: pins[index].number)
      // If a model predicts an edge in the past, poll the model again after 1 ms, to avoid an
      // endless loop.
      pins[index].next =
        next.map { $0 > time ? $0 : time + .milliseconds(1) } ?? .distantFuture
      // Ignore a pin that is not active, because the chip may not drive it and its polarity may not
      // be configured yet.
      guard came.count > 0 || next != nil else { continue }
      let wasQuiet = !pins[index].isStale && pins[index].pendingEdges == 0
      let idle = model.isActiveLow
      if idle != pins[index].idle {
        pins[index].idle = idle
        pins[index].isStale = true
      }
      if came.count > 0 {
        pins[index].pendingEdges += came.count
        pins[index].newest = came.newest
      }
      if wasQuiet, pins[index].isStale || pins[index].pendingEdges > 0 { busy += 1 }
    }
    var soonest = Timestamp.distantFuture
    for index in pins.indices { soonest = min(soonest, pins[index].next) }
    self.soonest = soonest
  }

  private mutating func takePending() -> LineEdge? {
    for index in pins.indices {
      if pins[index].isStale {
        pins[index].isStale = false
        if pins[index].pendingEdges == 0 { busy -= 1 }
        return LineEdge(
          line: pins[index].line, level: pins[index].idle, isPulse: false, time: .zero)
      }
      guard pins[index].pendingEdges > 0 else { continue }
      pins[index].pendingEdges -= 1
      if pins[index].pendingEdges == 0 { busy -= 1 }
      return LineEdge(
        line: pins[index].line, level: !pins[index].idle, isPulse: true, time: pins[index].newest)
    }
    return nil
  }
}
