// SPDX-License-Identifier: Apache-2.0
package import Simulation
package import Boards
internal import MotionSources
package import Runtime
package import Registers
package import ChipCatalog
package import Quantities

/// The simulated buses of a board, for drivers outside of otolith. They contain only the chip
/// models. One thread uses them.
package final class SimulatedBoard: BusTarget {
  /// A chip's location on the simulated buses.
  package struct Place: Equatable, Sendable {
    package let wire: Wire
    /// The I2C address or SPI chip select.
    package let select: UInt8
    /// The chip's name in the board file, and its name in the catalogue.
    package let name: String
    package let chip: String
    /// The number of the chip's interrupt pins.
    package let pins: Int
    /// The position of the chip's entry in the board file.
    fileprivate let position: SourcePosition
  }

  /// The destination of a transaction: its bus, and the chips whose pins it may affect.
  private struct Route {
    let bus: SimulatedBus
    /// The chip at the address. If it is on an auxiliary bus, also its host chip; otherwise `nil`.
    let chip: String
    let host: String?
  }

  /// The locations, in the order of the board file.
  package let places: [Place]
  /// The chip models by name.
  package let models: [String: any ChipModel]
  private let routes: [Route]
  /// The index in `routes` for each I2C address and each SPI chip select; negative if there is no
  /// chip.
  private let toAddress: [Int]
  private let toSelect: [Int]
  /// The first I2C bus, which handles addresses without a chip.
  private let i2c: SimulatedBus?
  private let clock: HeldClock
  private var pins = PinWatch()

  /// Creates the models for all simulated buses of `board`, which use `clock`. Throws if there is
  /// no simulated bus, or if two chips on different buses have the same address or chip select.
  package init(_ board: Board, clock: any SimulationClock) throws(SessionError) {
    let clock = HeldClock(clock)
    let builder = ModelBuilder(board: board, clock: clock, origin: clock.now)
    var places: [Place] = []
    var models: [String: any ChipModel] = [:]
    var routes: [Route] = []
    var sources: [Int] = []
    let buses = board.buses.filter(\.isSimulated)
    for description in buses.filter({ $0.wire == .i2c }) + buses.filter({ $0.wire == .spi }) {
      guard let bus = builder.bus(description) else { continue }
      let chips = board.chips.enumerated().filter { $0.element.bus == description.name }
      // Create chips on an auxiliary bus after their host chip, whatever the order in the file is.
      for (source, chip) in chips.filter({ $0.element.behind == nil })
        + chips.filter({ $0.element.behind != nil })
      {
        // A missing catalogue entry cannot occur, because the parser found the chip's kind in the
        // same catalogue.
        guard let entry = ChipCatalog.entry(named: chip.chip) else { continue }
        let place = Place(
          wire: description.wire, select: builder.strap(of: chip, entry), name: chip.name,
          chip: chip.chip,
          pins: entry.description.interruptPins,
          position: chip.positions[chip.address == nil ? "on" : "address"])
        if let other = places.first(where: { $0.wire == place.wire && $0.select == place.select }) {
          throw .board(Self.collision(of: place, with: other, board))
        }
        models[chip.name] = try builder.place(
          chip, entry, source: source, on: bus, description.wire, behind: models)
        places.append(place)
        sources.append(source)
        routes.append(Route(bus: bus, chip: chip.name, host: chip.behind))
      }
    }
    guard !places.isEmpty else {
      throw .board(
        BoardErrors([
          board.error(
            at: SourcePosition(line: 1, column: 1), found: "no bus of this board is simulated",
            expected: "a bus such as 'i2c1: { simulated: i2c }', as in boards/simulated-all.yaml")
        ]))
    }
    // Sort the chips by their order in the file, so that a chip added at the file's end does not
    // change the wiring of other chips.
    let order = sources.indices.sorted { sources[$0] < sources[$1] }
    places = order.map { places[$0] }
    routes = order.map { routes[$0] }
    self.places = places
    self.models = models
    self.routes = routes
    self.clock = clock
    var toAddress = [Int](repeating: -1, count: 256)
    var toSelect = toAddress
    for (index, place) in places.enumerated() {
      if place.wire == .i2c {
        toAddress[Int(place.select)] = index
      } else {
        toSelect[Int(place.select)] = index
      }
    }
    self.toAddress = toAddress
    i2c = zip(places, routes).first { $0.0.wire == .i2c }?.1.bus
    self.toSelect = toSelect
  }

  /// Creates the models for `board` with the machine's clock.
  package convenience init(_ board: Board) throws(SessionError) {
    try self.init(board, clock: OutsideClock { .now })
  }

  private static func collision(of place: Place, with other: Place, _ board: Board) -> BoardErrors {
    let what =
      place.wire == .i2c
      ? "address 0x" + String(place.select, radix: 16) : "chip select \(place.select)"
    return BoardErrors([
      board.error(
        at: place.position, found: "\(what) of '\(place.name)' is chip '\(other.name)' already",
        hint: "simulated buses of a kind are served as one bus: "
          + (place.wire == .i2c ? "use another address" : "give its bus a separate 'select'"))
    ])
  }

  // MARK: Transfers

  @_lifetime(received: copy received)
  package func transfer(
    _ sent: Span<UInt8>, _ received: inout MutableSpan<UInt8>, at address: UInt8
  ) throws(BusError) {
    let route = toAddress[Int(address)]
    guard route >= 0 else {
      // No chip has this address. However, if a line of the bus is held low, the bus fails with its
      // own error.
      guard let bus = i2c else { throw .noAcknowledge }
      return try bus.transfer(sent, &received, at: address)
    }
    // The transaction may clear an interrupt, or change the pin's configuration.
    defer { pins.poll(atRoute: route) }
    try routes[route].bus.transfer(sent, &received, at: address)
  }

  package func exchange(_ bytes: inout MutableSpan<UInt8>, at select: UInt8) throws(BusError) {
    let route = toSelect[Int(select)]
    guard route >= 0 else { throw .noAcknowledge }
    // The transaction may clear an interrupt, or change the pin's configuration.
    defer { pins.poll(atRoute: route) }
    try routes[route].bus.exchange(&bytes, at: select)
  }

  /// Advances every chip, so that a chip which is never read has no backlog of samples.
  package func advance() {
    for model in models.values { model.advance(to: clock.now) }
    if !pins.isEmpty { pins.pollAll() }
  }

  // MARK: Interrupt lines

  /// Wires interrupt pins to lines. Call this function once, before any transaction. From then on,
  /// the board's time is the time until which edges were taken. No transaction therefore skips an
  /// edge, and each edge has its exact time.
  package func wire(_ wiring: Wiring) {
    var groups: [String: Int] = [:]
    for place in places {
      let connections = wiring.connections.filter { $0.chip == place.name }
      guard !connections.isEmpty, let model = models[place.name] else { continue }
      groups[place.name] = pins.add(model, connections.map { (UInt8($0.pin), $0.line) })
    }
    pins.routes = routes.map { route in
      PinWatch.Route(group: groups[route.chip], host: route.host.flatMap { groups[$0] })
    }
    clock.hold()
  }
}

extension SimulatedBoard: InterruptLines {
  package var nextEdge: Timestamp? {
    pins.soonest == .distantFuture ? nil : pins.soonest
  }

  package func takeEdge(until time: Timestamp) -> LineEdge? {
    clock.advance(to: time)
    return pins.takeEdge(until: time)
  }
}

/// A clock that follows another clock until it is held. From then on, only `advance` moves it.
private final class HeldClock: SimulationClock {
  private let base: any SimulationClock
  private var held: Timestamp?

  init(_ base: any SimulationClock) { self.base = base }

  var now: Timestamp { held ?? base.now }

  func hold() { held = now }

  /// Advances the held clock to `time`. The clock never goes back.
  func advance(to time: Timestamp) {
    if let now = held { held = max(now, time) }
  }

  func spend(_ span: TimeSpan) { base.spend(span) }
}
