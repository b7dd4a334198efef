// SPDX-License-Identifier: Apache-2.0
package import Runtime
package import Boards
package import ChipCatalog
package import Quantities
internal import Logging
internal import Recordings
internal import Sensors
internal import Synchronization

/// Makes the models of a board's simulated buses, with the world and the faults that its file
/// gives.
package struct ModelBuilder {
  let board: Board
  /// Simulated buses live by it.
  let clock: any SimulationClock
  /// The time at which motion and faults begin: one moment for all chips of a board, which are in
  /// one hand.
  let origin: Timestamp

  package init(board: Board, clock: any SimulationClock, origin: Timestamp) {
    self.board = board
    self.clock = clock
    self.origin = origin
  }

  /// The bus that `description` describes, with nothing on it yet.
  package func bus(_ description: BusDescription) -> SimulatedBus? {
    guard case .simulated(let wire, _, let speed) = description.connection else { return nil }
    let bus = SimulatedBus(
      clock: clock, speed: Int64(speed), bitsPerByte: wire == .i2c ? 9 : 8)
    bus.befall(
      (board.simulation?.faults ?? []).filter { $0.bus == nil || $0.bus == description.name },
      seed: board.simulation?.seed ?? 1)
    return bus
  }

  /// The model of `chip`, which is number `source` of the board, put on `bus`. `hosts` are the
  /// models that are there already, by their chips' names.
  package func place(
    _ chip: ChipPlacement, _ entry: CatalogEntry, source: Int, on bus: SimulatedBus, _ wire: Wire,
    behind hosts: [String: any ChipModel]
  ) throws(SessionError) -> any ChipModel {
    let simulation = board.simulation
    let seed = (simulation?.seed ?? 1) &+ UInt64(source)
    let faults = (simulation?.faults ?? []).filter { $0.befalls(chip: chip.name, on: chip.bus) }
    let errors = simulation?.errors[chip.name]
    // Where the chip sits no calibration changes.
    var surroundings: any Surroundings = ChipSurroundings(
      try world(simulation?.motion ?? .sway), mounting: errors?.mounting ?? chip.statedMounting,
      noise: simulation?.noise ?? .off, of: entry.description, with: chip.settings,
      errors: errors?.chip, seed: seed)
    if !faults.isEmpty {
      surroundings = FaultySurroundings(surroundings, faults: faults, origin: origin, seed: seed)
    }
    var model = entry.model(surroundings, (simulation?.clockError ?? 0) * 1e-6)
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

  /// Returns the address at which the model of `chip` answers: that of the board file, unless its
  /// being wrong is the fault.
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

  /// The address or chip select of `chip` on its bus, as the board file says.
  func select(_ chip: ChipPlacement) -> UInt8 {
    if let address = chip.address { return address }
    guard case .simulated(_, let select, _) = board.bus(chip.bus)?.connection else { return 0 }
    return UInt8(clamping: select)
  }

  /// Each chip has a world of its own: they are pure functions of time, and readers of two buses
  /// are two threads.
  func world(_ motion: SimulationDescription.Motion) throws(SessionError) -> any World {
    switch motion {
    case .profile(let motion): return MovingWorld(motion, origin: origin)
    case .asAsked: return MovingWorld(.still, origin: origin)
    case .held(let sample): return HeldWorld(sample)
    case .recording(let path):
      let world: RecordedWorld
      do { world = try RecordedWorld(path: path, origin: origin) } catch { throw .recording(error) }
      // Once, though each chip has its own.
      if let remark = world.remark, saidRemarks.withLock({ $0.insert(remark).inserted }) {
        logger.warning("\(remark)")
      }
      return world
    }
  }
}

/// Those of recordings that move boards of this process.
private let saidRemarks = Mutex<Set<String>>([])

private let logger = Logger(label: "otolith.simulation")
