// SPDX-License-Identifier: Apache-2.0
public import Runtime
public import Simulation
public import BusTraces
public import Boards
public import ChipCatalog
internal import KernelSensors
internal import LinuxBus
public import Quantities
internal import Registers
public import Sampling
internal import Sensors

/// One bus of a board, ready for reading: its reader, and everything that must stay open. Only one
/// thread at a time may use this object.
public final class BuiltBus {
  public let name: String
  public let reader: BusReader
  /// The simulated bus, which counts transactions; `nil` for a real bus.
  public let simulated: SimulatedBus?
  /// The chip models on the bus, by the names of their chips; empty for a real bus.
  public let models: [String: any ChipModel]
  /// The descriptors of the interrupt lines and of the kernel's buffers, for polling.
  let descriptors: [Int32]
  /// The locks that keep other programs from opening these chips.
  private let claims: [Claim]

  fileprivate init(
    _ name: String, _ places: [Place], _ slots: [ReaderSlot], _ bus: SimulatedBus?,
    _ models: [String: any ChipModel]
  ) {
    self.name = name
    reader = BusReader(slots)
    simulated = bus
    self.models = models
    descriptors = places.compactMap(\.descriptor)
    claims = places.compactMap(\.claim)
  }

  fileprivate init(_ name: String, _ slots: [ReaderSlot], descriptors: [Int32]) {
    self.name = name
    reader = BusReader(slots)
    simulated = nil
    models = [:]
    self.descriptors = descriptors
    claims = []
  }
}

extension Board {
  /// Returns the index of the chip called `name`.
  fileprivate func place(of name: String?) -> Int? { chips.firstIndex { $0.name == name } }
}

/// The objects that connect a chip: its port and its interrupt line.
private struct Place {
  var port: any ChipPort
  var edges: (any EdgeSource)?
  var claim: Claim?
  /// The port that records the chip's traffic; `nil` without a recorder.
  var recorded: RecordingPort?

  /// The descriptor of the interrupt line, for polling.
  var descriptor: Int32? {
    let bare = (edges as? RecordingEdges)?.base ?? edges
    return (bare as? LineEdges)?.line.fileDescriptor
  }
}

/// A chip that is connected, but has no driver yet.
package struct ReachedChip {
  package let placement: ChipPlacement
  package let entry: CatalogEntry
  package let port: any ChipPort
  package var edges: (any EdgeSource)?
  package let claim: Claim?
}

/// A builder of the objects for a board file: buses, connections and drivers, and chip models for
/// simulated buses.
public struct BoardBuilder {
  package let board: Board
  private let clock: any SimulationClock
  private let origin: Timestamp
  /// True if this process has already locked the devices.
  private let isClaimed: Bool
  private let recorder: TraceRecorder?

  /// Creates a builder. Simulated buses and traces use `clock`; their motion begins at `origin`, or
  /// now if `origin` is `nil`. The builders of one board's buses use the same clock and origin.
  /// `recorder` records all bus traffic, beginning with the contents of the chips' registers.
  public init(
    _ board: Board, clock: any SimulationClock, origin: Timestamp? = nil,
    recorder: TraceRecorder? = nil
  ) {
    self.init(board, clock: clock, origin: origin, isClaimed: false, recorder: recorder)
  }

  init(
    _ board: Board, clock: any SimulationClock, origin: Timestamp?, isClaimed: Bool,
    recorder: TraceRecorder?
  ) {
    self.recorder = recorder
    self.isClaimed = isClaimed
    self.board = board
    self.clock = clock
    self.origin = origin ?? clock.now
  }

  /// Opens what one thread reads: a bus, or the sensors of the kernel.
  package func build(_ place: ReadingPlace) throws(SessionError) -> BuiltBus {
    switch place {
    case .bus(let description): try build(description)
    case .kernelSensor(let index, _): try buildKernelSensor(index)
    }
  }

  /// Opens the kernel's sensor for the chip with index `source`, whatever its number is now.
  private func buildKernelSensor(_ source: Int) throws(SessionError) -> BuiltBus {
    let chip = board.chips[source]
    guard let named = chip.kernelSensor else { return BuiltBus(chip.name, [], descriptors: []) }
    guard let sensor = named.found(among: KernelSensor.all()) else {
      throw .reach(chip: chip.name, OpenError(goneKernelSensor: named.name))
    }
    let driver = try reached(chip) { () throws(OpenError) in try KernelSensorDriver(sensor) }
    let settings: SensorSettings
    do { settings = try driver.configure(chip.settings) } catch {
      throw .setting(chip: chip.name, error)
    }
    let slot = ReaderSlot(
      source: source, driver: driver, mounting: chip.mounting,
      calibration: board.calibration?.chips[chip.name]?.errors ?? ChipCalibration(),
      edges: KernelEdges(driver), rate: settings.rate, latenessLimit: settings.latenessLimit)
    if let sheet = chip.sheet { slot.expect(sheet.countSizes(with: settings)) }
    return BuiltBus(
      chip.name, [slot], descriptors: driver.fileDescriptor.map { [$0] } ?? [])
  }

  /// Opens the bus `description` with all its chips and their drivers.
  public func build(_ description: BusDescription) throws(SessionError) -> BuiltBus {
    var slots: [ReaderSlot] = []
    let (wires, places) = try places(on: description)
    let found = places.map { recorded($0, on: description.wire) }
    for (source, chip, entry, place) in found {
      var driver = entry.driver(HostConnection(place.port))
      if let port = place.recorded { driver = RecordingDriver(driver, over: port) }
      let settings: SensorSettings
      do { settings = try driver.configure(chip.settings) } catch {
        throw .setting(chip: chip.name, error)
      }
      let slot = ReaderSlot(
        source: source, driver: driver, mounting: chip.mounting,
        calibration: board.calibration?.chips[chip.name]?.errors ?? ChipCalibration(),
        edges: place.edges, rate: settings.rate, latenessLimit: settings.latenessLimit,
        behind: slots.first { $0.source == board.place(of: chip.behind) })
      slot.expect(entry.description.countSizes(with: settings))
      slots.append(slot)
    }
    return BuiltBus(description.name, found.map(\.place), slots, wires.simulated, wires.models)
  }

  /// Returns the chip with a port that records its traffic, if there is a recorder. The contents of
  /// the chip's registers are recorded first.
  private func recorded(_ found: Found, on wire: Wire) -> Found {
    guard let recorder else { return found }
    var found = found
    let port = RecordingPort(found.place.port, of: found.chip.name, to: recorder)
    var opened = TracedChip(found.chip.chip, wire, longestRead: port.longestRead)
    let identity = found.entry.description.identity.register
    // Read a register once in advance: some chips select SPI at the first rising edge of chip
    // select, and respond only from the second frame on.
    _ = try? found.place.port.read(identity)
    opened.identity = try? found.place.port.read(identity)
    port.begin(opened, called: found.chip.name)
    PortRegisters(port).readAll(found.entry.quietRegisters)
    found.place.edges = found.place.edges.map { RecordingEdges($0, port) }
    found.place.port = port
    found.place.recorded = port
    return found
  }

  /// Returns those chips of a bus for which `wanted` is true. Their ports are open, but nothing is
  /// sent to the chips.
  package func reach(
    _ description: BusDescription, usesInterrupt: Bool, _ wanted: (ChipPlacement) -> Bool
  ) throws(SessionError) -> [ReachedChip] {
    try places(on: description, wantsEdges: usesInterrupt, wanted).1.map { found in
      ReachedChip(
        placement: found.chip, entry: found.entry, port: found.place.port,
        edges: found.place.edges, claim: found.place.claim)
    }
  }

  /// Returns a simulated bus with its chip models, without drivers.
  package func models(on description: BusDescription) throws(SessionError) -> SimulatedBus {
    try places(on: description).0.simulated ?? SimulatedBus(clock: clock)
  }

  /// The objects that the chips of a bus share.
  private struct Wires {
    var simulated: SimulatedBus?
    var models: [String: any ChipModel] = [:]
  }
  private typealias Found = (source: Int, chip: ChipPlacement, entry: CatalogEntry, place: Place)

  /// Returns the connections of those chips on a bus for which `isWanted` is true.
  private func places(
    on description: BusDescription, wantsEdges: Bool = true,
    _ isWanted: (ChipPlacement) -> Bool = { _ in true }
  ) throws(SessionError) -> (Wires, [Found]) {
    var wires = Wires(
      simulated: ModelBuilder(board: board, clock: clock, origin: origin).bus(description))
    var adapter: LinuxI2CAdapter?
    if case .i2c(let path) = description.connection {
      adapter = try opened { () throws(OpenError) in try LinuxI2CAdapter(path: path) }
    }
    var found: [Found] = []
    // A chip on another chip's auxiliary bus must follow that chip, whatever the order in the file.
    let chips = board.chips.enumerated()
      .filter { $0.element.bus == description.name && isWanted($0.element) }
    for (source, placement) in chips.filter({ $0.element.behind == nil })
      + chips.filter({ $0.element.behind != nil })
    {
      var chip = placement
      if !wantsEdges { chip.interrupt = nil }
      // A missing catalogue entry cannot occur, because the parser has found the chip's kind in the
      // same catalogue.
      guard let entry = ChipCatalog.entry(named: chip.chip) else { continue }
      let place: Place
      if let trace = board.trace, description.isTrace {
        place = play(trace, chip, entry)
      } else if let simulated = wires.simulated {
        place = try simulate(
          chip, entry, on: simulated, wire: description.wire, source: source, &wires.models)
      } else if let adapter {
        place = try connect(chip, entry, to: adapter)
      } else {
        place = try connect(chip, entry, description.connection)
      }
      found.append((source, chip, entry, place))
    }
    return (wires, found)
  }

  private func connect(_ chip: ChipPlacement, _ entry: CatalogEntry, to adapter: LinuxI2CAdapter)
    throws(SessionError) -> Place
  {
    let address = chip.address ?? 0
    return try reached(chip) { () throws(OpenError) in
      try adapter.claim(address)
      let claim = isClaimed ? nil : try Claim(bus: adapter.path, address: address)
      let connection = I2CConnection(
        LinuxI2CBus(adapter), address: address, format: entry.description.wireFormat)
      return Place(
        port: ConnectionPort(connection, firmware: chip.firmwareBytes(of: entry)),
        edges: try lineEdges(chip.interrupt), claim: claim)
    }
  }

  private func connect(
    _ chip: ChipPlacement, _ entry: CatalogEntry, _ connection: BusDescription.Connection
  ) throws(SessionError) -> Place {
    guard case .spi(let path, let mode, let speed) = connection else {
      throw .setting(chip: chip.name, .unsupportedSetting)
    }
    return try reached(chip) { () throws(OpenError) in
      let claim = isClaimed ? nil : try Claim(bus: path, address: nil)
      let device = try LinuxSPI(
        path: path, mode: UInt8(clamping: mode), speed: UInt32(clamping: speed))
      let connection = SPIConnection(device, format: entry.description.wireFormat)
      return Place(
        port: ConnectionPort(connection, firmware: chip.firmwareBytes(of: entry)),
        edges: try lineEdges(chip.interrupt), claim: claim)
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

  private func play(_ trace: Trace, _ chip: ChipPlacement, _ entry: CatalogEntry) -> Place {
    let answers = ChipTrace(
      trace, chip: chip.name, queues: entry.queueRegisters, places: entry.places,
      firmware: entry.description.firmware, isExact: false)
    let port = TracePort(
      answers, clock: { [clock] in clock.now }, spend: { [clock] in clock.spend($0) })
    let edges = chip.interrupt.map { _ in
      TraceEdges(trace, chip: chip.name, playedFrom: clock.now, clock: clock)
    }
    return Place(port: port, edges: edges)
  }

  private func simulate(
    _ chip: ChipPlacement, _ entry: CatalogEntry, on bus: SimulatedBus, wire: Wire, source: Int,
    _ models: inout [String: any ChipModel]
  ) throws(SessionError) -> Place {
    let builder = ModelBuilder(board: board, clock: clock, origin: origin)
    let model = try builder.place(chip, entry, source: source, on: bus, wire, behind: models)
    models[chip.name] = model
    let format = entry.description.wireFormat
    let select = builder.select(chip)
    let firmware = entry.description.firmware?.standIn ?? []
    let port: any ChipPort =
      wire == .i2c
      ? ConnectionPort(
        I2CConnection(SimulatedI2C(bus), address: select, format: format), firmware: firmware)
      : ConnectionPort(
        SPIConnection(SimulatedSPI(bus, select: select), format: format), firmware: firmware)
    let edges = chip.interrupt.map {
      ModelEdges(model, pin: UInt8(clamping: $0.pin), edge: $0.edge, clock: clock)
    }
    return Place(port: port, edges: edges, claim: nil)
  }

  private func opened<Value>(_ body: () throws(OpenError) -> Value) throws(SessionError) -> Value {
    do { return try body() } catch { throw .open(error) }
  }

  private func reached<Value>(_ chip: ChipPlacement, _ body: () throws(OpenError) -> Value)
    throws(SessionError) -> Value
  {
    do { return try body() } catch { throw .reach(chip: chip.name, error) }
  }
}
