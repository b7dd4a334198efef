// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import ChipModels
internal import LinuxBus
internal import Quantities
internal import Sampling
internal import Sensors
internal import Simulation

/// The edges of a GPIO line, with the kernel's times.
final class LineEdges: EdgeSource {
  let line: GPIOLine

  init(_ line: GPIOLine) { self.line = line }

  func takeEdges() -> Event {
    // A line that fails is a line without edges: the driver's timeout notices.
    guard let edges = try? line.readEdges(), edges.count > 0 else { return .due }
    return Event(edges: edges.count, edgeTime: edges.newest)
  }

  var nextEdge: Timestamp? { nil }
}

/// The edges of a model's interrupt pin.
final class ModelEdges: EdgeSource {
  private let model: any ChipModel
  private let pin: UInt8
  private let edge: Interrupt.Edge
  private let clock: any SimulationClock

  /// The changes `edge` of interrupt pin `pin`.
  init(_ model: any ChipModel, pin: UInt8, edge: Interrupt.Edge, clock: any SimulationClock) {
    self.model = model
    self.pin = pin
    self.edge = edge
    self.clock = clock
  }

  /// Whether the pin becomes active by the edge that is listened to. (The other edge of a pulse is not modelled.)
  private var isHeard: Bool { model.isActiveLow == (edge == .falling) }

  func takeEdges() -> Event {
    model.advance(to: clock.now)
    let edges = model.takeEdges(of: pin)
    guard isHeard else { return .due }
    return Event(edges: edges.count, edgeTime: edges.newest)
  }

  var nextEdge: Timestamp? { isHeard ? model.nextEdge(of: pin) : nil }
}
