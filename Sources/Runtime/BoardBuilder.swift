// SPDX-License-Identifier: Apache-2.0
public import Boards
internal import Buses
internal import ChipCatalog
internal import ChipModels
internal import LinuxBus
internal import Quantities
internal import Recordings
internal import Registers
public import Sampling
internal import Sensors
public import Simulation

/// One bus of a board, ready to be read: its reader, and what must stay open meanwhile. Used from one thread at a time.
public final class BuiltBus {
  public let name: String
  public let reader: BusReader
  /// The bus in the process, where it is simulated: it counts transactions.
  public let simulated: SimulatedBus?
  /// Of the interrupt lines, to wait on.
  let descriptors: [Int32]
  /// Nobody else may open these chips meanwhile.
  private let claims: [Claim]

  fileprivate init(_ name: String, _ places: [Place], _ slots: [ReaderSlot], _ bus: SimulatedBus?) {
    self.name = name
    reader = BusReader(slots)
    simulated = bus
    descriptors = places.compactMap { ($0.edges as? LineEdges)?.line.fileDescriptor }
    claims = places.compactMap(\.claim)
  }
}

/// The lock on one device, held as long as this lives.
final class Claim: Sendable {
  private let lock: DeviceLock

  init(bus: String, address: UInt8?) throws(OpenError) {
    lock = try DeviceLock(bus: bus, address: address)
  }
}

/// Where a chip is reached.
private struct Place {
  var port: any ChipPort
  var edges: (any EdgeSource)?
  var claim: Claim?
}

/// Builds what a board file describes: buses, connections, drivers, and models where a bus is simulated.
public struct BoardBuilder {
  private let board: Board
  private let clock: any SimulationClock

  /// Simulated buses live by `clock`.
  public init(_ board: Board, clock: any SimulationClock) {
    self.board = board
    self.clock = clock
  }

  /// Opens the bus `description` and all that is on it.
  public func build(_ description: BusDescription) throws(SessionError) -> BuiltBus {
    var places: [Place] = []
    var slots: [ReaderSlot] = []
    let simulated = description.isSimulated ? SimulatedBus(clock: clock) : nil
    var adapter: LinuxI2CAdapter?
    if case .i2c(let path) = description.connection {
      adapter = try opened { () throws(OpenError) in try LinuxI2CAdapter(path: path) }
    }
    for (source, chip) in board.chips.enumerated() where chip.bus == description.name {
      // The parser has found the name in this very catalogue.
      guard let entry = ChipCatalog.entry(named: chip.chip) else { continue }
      let place: Place
      if let simulated {
        place = try simulate(chip, entry, on: simulated, wire: description.wire, source: source)
      } else if let adapter {
        place = try connect(chip, entry, to: adapter)
      } else {
        place = try connect(chip, entry, description.connection)
      }
      places.append(place)
      let driver = entry.driver(HostConnection(place.port))
      let settings: SensorSettings
      do { settings = try driver.configure(chip.settings) } catch {
        throw .setting(chip: chip.name, error)
      }
      slots.append(
        ReaderSlot(
          source: source, driver: driver, mounting: chip.mounting,
          calibration: board.calibration?.chips[chip.name] ?? ChipCalibration(),
          edges: place.edges, patience: patience(settings)))
    }
    return BuiltBus(description.name, places, slots, simulated)
  }

  private func connect(_ chip: ChipPlacement, _ entry: CatalogEntry, to adapter: LinuxI2CAdapter)
    throws(SessionError) -> Place
  {
    let address = chip.address ?? 0
    return try opened { () throws(OpenError) in
      try adapter.claim(address)
      let claim = try Claim(bus: adapter.path, address: address)
      let connection = I2CConnection(
        LinuxI2CBus(adapter), address: address, format: entry.description.wireFormat)
      return Place(
        port: ConnectionPort(connection), edges: try lineEdges(chip.interrupt), claim: claim)
    }
  }

  private func connect(
    _ chip: ChipPlacement, _ entry: CatalogEntry, _ connection: BusDescription.Connection
  ) throws(SessionError) -> Place {
    guard case .spi(let path, let mode, let speed) = connection else {
      throw .setting(chip: chip.name, .unsupportedSetting)
    }
    return try opened { () throws(OpenError) in
      let claim = try Claim(bus: path, address: nil)
      let device = try LinuxSPI(
        path: path, mode: UInt8(clamping: mode), speed: UInt32(clamping: speed))
      let connection = SPIConnection(device, format: entry.description.wireFormat)
      return Place(
        port: ConnectionPort(connection), edges: try lineEdges(chip.interrupt), claim: claim)
    }
  }

  private func lineEdges(_ interrupt: Interrupt?) throws(OpenError) -> LineEdges? {
    guard let interrupt else { return nil }
    let edge: GPIOLine.Edge = interrupt.edge == .rising ? .rising : .falling
    switch interrupt.line {
    case .named(let name): return LineEdges(try GPIOLine(named: name, edge: edge))
    case .offset(let label, let offset):
      return LineEdges(try GPIOLine(chipLabel: label, offset: offset, edge: edge))
    case .simulated: return nil
    }
  }

  private func simulate(
    _ chip: ChipPlacement, _ entry: CatalogEntry, on bus: SimulatedBus, wire: Wire, source: Int
  ) throws(SessionError) -> Place {
    let simulation = board.simulation
    let surroundings = ChipSurroundings(
      try world(simulation?.motion ?? .sway), mounting: chip.mounting,
      imperfection: simulation?.noise == true ? .typical : .none,
      seed: (simulation?.seed ?? 1) &+ UInt64(source))
    let model = entry.model(surroundings, (simulation?.clockError ?? 0) * 1e-6)
    let format = entry.description.wireFormat
    let select = wire == .i2c ? chip.address ?? 0 : 0
    bus.attach(ModelPort(model, format: format), at: select)
    let port: any ChipPort =
      wire == .i2c
      ? ConnectionPort(I2CConnection(SimulatedI2C(bus), address: select, format: format))
      : ConnectionPort(SPIConnection(SimulatedSPI(bus, select: select), format: format))
    let edges = chip.interrupt == nil ? nil : ModelEdges(model, clock: clock)
    return Place(port: port, edges: edges, claim: nil)
  }

  /// Each chip has a world of its own: they are pure functions of time, and readers of two buses are two threads.
  private func world(_ motion: SimulationDescription.Motion) throws(SessionError) -> any World {
    switch motion {
    case .still: return MovingWorld(.still, origin: clock.now)
    case .sway: return MovingWorld(.sway, origin: clock.now)
    case .walk: return MovingWorld(.walk, origin: clock.now)
    case .recording(let path):
      do { return try RecordedWorld(path: path, origin: clock.now) } catch {
        throw .recording(error)
      }
    }
  }

  private func opened<Value>(_ body: () throws(OpenError) -> Value) throws(SessionError) -> Value {
    do { return try body() } catch { throw .open(error) }
  }

  /// A sample is late when it is older than two batches and two periods, and 20 ms for the machine.
  private func patience(_ settings: SensorSettings) -> TimeSpan {
    settings.batchInterval * 2 + TimeSpan(seconds: 2 / settings.rate) + .milliseconds(20)
  }
}
