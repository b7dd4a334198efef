// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities

/// The interrupt pins of models, and what the lines that they are wired to have to do. Looks at a
/// model only when its next edge is due or a transaction has reached it, and allocates nothing
/// then.
struct PinWatch {
  private struct Pin {
    let model: any ChipModel
    let number: UInt8
    let line: Int
    /// The time at which its next edge may come; in the distant future where none is to come.
    var next = Timestamp.distantFuture
    /// The level while it is inactive, and whether the line has still to be brought there.
    var idle = false
    var isStale = true
    /// Edges that the line has not made yet, and when the newest of them was.
    var owed = 0
    var newest = Timestamp.zero
  }

  /// The groups of pins that a transaction may move: the chip's, and those of the one behind which
  /// it sits.
  struct Route {
    let group: Int?
    let host: Int?
  }

  private var pins: [Pin] = []
  /// The pins of each model.
  private var groups: [Range<Int>] = []
  /// By the numbers that transactions have; none where nothing is wired.
  var routes: [Route] = []
  /// The number of pins that have something for their line.
  private var busy = 0
  /// The soonest that is next.
  private(set) var soonest = Timestamp.distantFuture

  var isEmpty: Bool { pins.isEmpty }

  /// Watches the pins of `model` that are wired, each with its line. Returns the number of the
  /// group that they make.
  mutating func add(_ model: any ChipModel, _ lines: [(pin: UInt8, line: Int)]) -> Int {
    let first = pins.count
    for (pin, line) in lines { pins.append(Pin(model: model, number: pin, line: line)) }
    busy += lines.count
    groups.append(first..<pins.count)
    look(at: groups.count - 1)
    return groups.count - 1
  }

  /// Takes the next edge, as `takeEdge(until:)` of `InterruptLines` does. Brings each model from
  /// edge to edge, so that each has its own time.
  mutating func takeEdge(until time: Timestamp) -> LineEdge? {
    while true {
      if busy > 0, let edge = takeOwed() { return edge }
      guard soonest <= time else { return nil }
      let due = soonest
      for group in groups.indices {
        guard groups[group].contains(where: { pins[$0].next <= due }) else { continue }
        pins[groups[group].lowerBound].model.advance(to: due)
        look(at: group, after: due)
      }
    }
  }

  /// Looks at all pins: time has passed for every model.
  mutating func lookAtAll() { for group in groups.indices { look(at: group) } }

  /// Looks at the pins of those that a transaction has reached.
  mutating func look(atRoute number: Int) {
    guard number < routes.count else { return }
    if let group = routes[number].group { look(at: group) }
    if let host = routes[number].host { look(at: host) }
  }

  /// Looks at the pins of one model, after a transaction or after it was brought to the time
  /// `after`.
  mutating func look(at group: Int, after time: Timestamp = .zero) {
    for index in groups[group] {
      let model = pins[index].model
      let came = model.takeEdges(of: pins[index].number)
      let next = model.nextEdge(of: pins[index].number)
      // A model that foretells what is past is asked again after a while, and not at once for ever.
      pins[index].next =
        next.map { $0 > time ? $0 : time + .milliseconds(1) } ?? .distantFuture
      // A pin that does nothing need not be driven, and its polarity says nothing.
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
