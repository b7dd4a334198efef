// SPDX-License-Identifier: Apache-2.0
package import Runtime
package import Simulation
package import Boards
package import ChipCatalog
package import Quantities
internal import Logging
internal import Recordings
internal import Sensors
internal import Synchronization

/// A builder of the models for a board's simulated buses, with the motion and the faults from the
/// board file.
package struct ModelBuilder {
  let board: Board
  /// The clock of simulated buses.
  let clock: any SimulationClock
  /// The time when motion and faults begin. All chips of a board share this time, because they move
  /// together.
  let origin: Timestamp

  package init(board: Board, clock: any SimulationClock, origin: Timestamp) {
    self.board = board
    self.clock = clock
    self.origin = origin
  }

  /// Returns the simulated bus for `description`, without chips; `nil` if the bus is not simulated.
  package func bus(_ description: BusDescription) -> SimulatedBus? {
    guard case .simulated(let wire, _, let speed) = description.connection else { return nil }
    let bus = SimulatedBus(
      clock: clock, speed: Int64(speed), bitsPerByte: wire == .i2c ? 9 : 8)
    bus.befall(
      (board.simulation?.faults ?? []).filter { $0.bus == nil || $0.bus == description.name },
      seed: board.simulation?.seed ?? 1)
    return bus
  }

  /// Adds the model of `chip`, which has index `source` in the board, to `bus`. `hosts` are the
  /// models created so far, by chip name.
  package func place(
    _ chip: ChipPlacement, _ entry: CatalogEntry, source: Int, on bus: SimulatedBus, _ wire: Wire,
    behind hosts: [String: any ChipModel]
  ) throws(SessionError) -> any ChipModel {
    let simulation = board.simulation
    let seed = (simulation?.seed ?? 1) &+ UInt64(source)
    let faults = (simulation?.faults ?? []).filter { $0.befalls(chip: chip.name, on: chip.bus) }
    let errors = simulation?.errors[chip.name]
    // Simulate the true mounting and position, which a calibration does not change.
    let mounting = errors?.mounting ?? chip.statedMounting
    let position = ChipPosition(
      leverArm: errors?.position ?? chip.statedPosition,
      timeOffset: TimeSpan(seconds: errors?.timeOffset ?? 0))
    var input: any SensorInput = ChipInput(
      try world(simulation?.motion ?? .sway), mounting: mounting, position: position,
      noise: simulation?.noise ?? .off, of: entry.description, with: chip.settings,
      errors: errors?.chip, seed: seed)
    if !faults.isEmpty {
      input = FaultyInput(input, faults: faults, origin: origin, seed: seed)
    }
    // A magnetometer in the same package as its host is one part, which the host's I2C master reads
    // too.
    let inside = chip.behind.flatMap { hosts[$0] }.flatMap {
      $0.builtIn(at: strap(of: chip, entry), sensing: input)
    }
    var model = inside ?? entry.model(input, (simulation?.clockError ?? 0) * 1e-6)
    var faulty: FaultyModel?
    if !faults.isEmpty {
      let befallen = FaultyModel(
        model, faults: faults, identityRegister: entry.description.identity.register,
        on: wire == .i2c ? .i2c : .spi, origin: origin, seed: seed)
      faulty = befallen
      model = befallen
    }
    bus.attach(
      ModelPort(
        model, format: entry.description.wireFormat, words: entry.description.words),
      at: strap(of: chip, entry),
      faults: faulty,
      behind: chip.behind.flatMap { hosts[$0] })
    return model
  }

  /// Returns the address at which the model of `chip` responds: the address in the board file,
  /// unless a wrong address is the simulated fault.
  package func strap(of chip: ChipPlacement, _ entry: CatalogEntry) -> UInt8 {
    let faults = board.simulation?.faults ?? []
    guard let own = chip.address,
      faults.contains(where: {
        $0.kind == .wrongAddress && $0.befalls(chip: chip.name, on: chip.bus)
      })
    else { return select(chip) }
    let taken = board.chips(on: chip.bus).compactMap(\.address)
    return entry.description.addresses.first { $0 != own && !taken.contains($0) } ?? own
  }

  /// Returns the I2C address or SPI chip select of `chip` according to the board file.
  func select(_ chip: ChipPlacement) -> UInt8 {
    if let address = chip.address { return address }
    guard case .simulated(_, let select, _) = board.bus(chip.bus)?.connection else { return 0 }
    return UInt8(clamping: select)
  }

  /// Returns a new simulated world for a chip. Each chip has its own world, because each bus has
  /// its own thread. Worlds depend only on the time, so all worlds agree.
  func world(_ motion: SimulationDescription.Motion) throws(SessionError) -> any World {
    switch motion {
    case .profile(let motion): return MovingWorld(motion, origin: origin)
    case .asAsked: return MovingWorld(.still, origin: origin)
    case .held(let sample): return HeldWorld(sample)
    case .recording(let path):
      let world: RecordedWorld
      do { world = try RecordedWorld(path: path, origin: origin) } catch { throw .recording(error) }
      // Log the remark once, although each chip has its own world.
      if let remark = world.remark, loggedRemarks.withLock({ $0.insert(remark).inserted }) {
        logger.warning("\(remark)")
      }
      return world
    }
  }
}

/// The remarks already logged about the recordings that move simulated boards.
private let loggedRemarks = Mutex<Set<String>>([])

private let logger = Logger(label: "otolith.simulation")
