// SPDX-License-Identifier: Apache-2.0
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
  private let clock: any SimulationClock

  init(_ model: any ChipModel, clock: any SimulationClock) {
    self.model = model
    self.clock = clock
  }

  func takeEdges() -> Event {
    model.advance(to: clock.now)
    let edges = model.takeEdges()
    return Event(edges: edges.count, edgeTime: edges.newest)
  }

  var nextEdge: Timestamp? { model.nextEdge }
}
