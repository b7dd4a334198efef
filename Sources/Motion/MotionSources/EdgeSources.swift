// SPDX-License-Identifier: Apache-2.0
internal import Simulation
internal import BusTraces
package import Boards
internal import ChipCatalog
internal import KernelSensors
package import LinuxBus
package import Quantities
internal import Sampling
package import Sensors

/// The edges of a GPIO line, with the kernel's time stamps.
package final class LineEdges: EdgeSource {
  package let line: GPIOLine

  init(_ line: GPIOLine) { self.line = line }

  package func takeEdges() -> Event {
    // If the kernel cannot read the line's edges, report none; the driver's timeout detects the
    // failure.
    guard let edges = try? line.readEdges(), edges.count > 0 else { return .due }
    return Event(edges: edges.count, edgeTime: edges.newest)
  }

  package var nextEdge: Timestamp? { nil }
}

/// The edges of a simulated chip's interrupt pin.
package final class ModelEdges: EdgeSource {
  private let model: any ChipModel
  private let pin: UInt8
  /// The edge that is detected, rising or falling.
  package var edge: Interrupt.Edge
  private let clock: any SimulationClock

  /// Creates the source of the edges `edge` of interrupt pin `pin`.
  init(_ model: any ChipModel, pin: UInt8, edge: Interrupt.Edge, clock: any SimulationClock) {
    self.model = model
    self.pin = pin
    self.edge = edge
    self.clock = clock
  }

  /// True if the pin becomes active with the detected edge. The opposite edge, at the end of a
  /// pulse, is not modelled.
  private var isActiveEdge: Bool { model.isActiveLow == (edge == .falling) }

  package func takeEdges() -> Event {
    model.advance(to: clock.now)
    let edges = model.takeEdges(of: pin)
    guard isActiveEdge else { return .due }
    return Event(edges: edges.count, edgeTime: edges.newest)
  }

  package var nextEdge: Timestamp? { isActiveEdge ? model.nextEdge(of: pin) : nil }
}

/// The edges of another source, which a recorder records.
final class RecordingEdges: EdgeSource {
  let base: any EdgeSource
  private let port: RecordingPort

  init(_ base: any EdgeSource, _ port: RecordingPort) {
    self.base = base
    self.port = port
  }

  func takeEdges() -> Event {
    let event = base.takeEdges()
    // A trace contains only edges that occurred. Without an edge, return the value that the
    // playback will return.
    guard event.edges > 0 else { return .due }
    port.addEdges(event.edges, newest: event.edgeTime)
    return event
  }

  var nextEdge: Timestamp? { base.nextEdge }
}

/// The edges in a trace. The interval from `playedFrom` to an edge equals the recorded interval
/// from the start of the first driver to that edge.
final class TraceEdges: EdgeSource {
  private let edges: [(count: Int, time: Timestamp)]
  private var next = 0
  private let clock: any SimulationClock

  /// Creates the source of the recorded edges of the chip called `name`.
  init(
    _ trace: Trace, chip name: String, playedFrom origin: Timestamp, clock: any SimulationClock
  ) {
    self.clock = clock
    let begin = trace.events.first { $0.kind == .started }?.time ?? trace.header.origin
    edges = trace.events.compactMap { event in
      guard event.chip == name, case .edges(let count, let newest) = event.kind else { return nil }
      return (count, origin + (newest - begin))
    }
  }

  func takeEdges() -> Event {
    let now = clock.now
    var event = Event.due
    while next < edges.count, edges[next].time <= now {
      event.edges = event.edges.plus(edges[next].count)
      event.edgeTime = edges[next].time
      next += 1
    }
    return event
  }

  var nextEdge: Timestamp? { next < edges.count ? edges[next].time : nil }
}

/// The reports of a kernel's buffer. The buffer itself knows whether it has samples, so that each
/// wake-up of the sensor's thread counts as an edge.
final class KernelEdges: EdgeSource {
  private let driver: KernelSensorDriver

  init(_ driver: KernelSensorDriver) { self.driver = driver }

  func takeEdges() -> Event {
    driver.wantsSamples() ? Event(edges: 1, edgeTime: .zero) : .due
  }

  var nextEdge: Timestamp? { nil }
}
