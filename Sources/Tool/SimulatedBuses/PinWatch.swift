// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities

/// Tracks the interrupt pins of models and the levels of their lines. A model is polled only if its
/// next edge is due or after a transaction. Nothing is allocated.
struct PinWatch {
  private struct Pin {
    let model: any ChipModel
    let number: UInt8
    let line: Int
    /// The time of the pin's next possible edge; `distantFuture` if none will come.
    var next = Timestamp.distantFuture
    /// The idle level of the line, and whether the line still has to be set to it.
    var idle = false
    var isStale = true
    /// The number of edges not yet applied to the line, and the time of the newest.
    var owed = 0
    var newest = Timestamp.zero
  }

  /// The pin groups that a transaction may affect: that of the chip, and that of the chip whose
  /// auxiliary bus it is on.
  struct Route {
    let group: Int?
    let host: Int?
  }

  private var pins: [Pin] = []
  /// The range of pins of each model.
  private var groups: [Range<Int>] = []
  /// The routes, by the index of a transaction's route; empty if no pin is wired.
  var routes: [Route] = []
  /// The number of pins whose lines have pending changes.
  private var busy = 0
  /// The earliest of the pins' `next` times.
  private(set) var soonest = Timestamp.distantFuture

  var isEmpty: Bool { pins.isEmpty }

  /// Adds the wired pins of `model` with their lines. Returns the index of the new group.
  mutating func add(_ model: any ChipModel, _ lines: [(pin: UInt8, line: Int)]) -> Int {
    let first = pins.count
    for (pin, line) in lines { pins.append(Pin(model: model, number: pin, line: line)) }
    busy += lines.count
    groups.append(first..<pins.count)
    poll(at: groups.count - 1)
    return groups.count - 1
  }

  /// Returns the next edge, as `takeEdge(until:)` of `InterruptLines`. Each model is advanced from
  /// edge to edge, so that each edge has its exact time.
  mutating func takeEdge(until time: Timestamp) -> LineEdge? {
    while true {
      if busy > 0, let edge = takeOwed() { return edge }
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

  /// Polls the pins that a transaction on this route may have affected.
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
      // If a model predicts an edge in the past, poll it again after 1 ms, to avoid an endless
      // loop.
      pins[index].next =
        next.map { $0 > time ? $0 : time + .milliseconds(1) } ?? .distantFuture
      // Ignore a pin that is not active: the chip may not drive it, and its polarity may not be
      // configured yet.
      guard came.count > 0 || next != nil else { continue }
      let wasQuiet = !pins[index].isStale && pins[index].owed == 0
      let idle = model.isActiveLow
      if idle != pins[index].idle {
        pins[index].idle = idle
        pins[index].isStale = true
      }
      if came.count > 0 {
        pins[index].owed += came.count
        pins[index].newest = came.newest
      }
      if wasQuiet, pins[index].isStale || pins[index].owed > 0 { busy += 1 }
    }
    var soonest = Timestamp.distantFuture
    for index in pins.indices { soonest = min(soonest, pins[index].next) }
    self.soonest = soonest
  }

  private mutating func takeOwed() -> LineEdge? {
    for index in pins.indices {
      if pins[index].isStale {
        pins[index].isStale = false
        if pins[index].owed == 0 { busy -= 1 }
        return LineEdge(
          line: pins[index].line, level: pins[index].idle, isPulse: false, time: .zero)
      }
      guard pins[index].owed > 0 else { continue }
      pins[index].owed -= 1
      if pins[index].owed == 0 { busy -= 1 }
      return LineEdge(
        line: pins[index].line, level: !pins[index].idle, isPulse: true, time: pins[index].newest)
    }
    return nil
  }
}
