// SPDX-License-Identifier: Apache-2.0
public import Boards
public import BusService
public import Buses
public import ChipCatalog
public import ChipModels
internal import Quantities
public import Simulation

/// The simulated buses of a board with nobody on them but the chips: for drivers that are not ours. One thread.
public final class SimulatedBoard: BusTarget {
  /// Where a chip is reached.
  public struct Place: Equatable, Sendable {
    public let wire: Wire
    /// The I2C address or SPI chip select.
    public let select: UInt8
    /// The chip's name in the board file, and its row of the catalogue.
    public let name: String
    public let chip: String
    /// Where the board file says so.
    fileprivate let position: SourcePosition
  }

  private struct Line {
    let wire: Wire
    let select: UInt8
    let bus: SimulatedBus
  }

  /// In the order of the file, the I2C buses first.
  public let places: [Place]
  /// The models by their chips' names.
  public let models: [String: any ChipModel]
  /// Which bus leads to what.
  private let lines: [Line]
  private let clock: any SimulationClock

  /// Builds the models of all simulated buses of `board`, which live by `clock`. Throws where there is no such bus, or
  /// where two chips of two buses would be reached alike.
  public init(_ board: Board, clock: any SimulationClock) throws(SessionError) {
    let builder = ModelBuilder(board: board, clock: clock, origin: clock.now)
    var places: [Place] = []
    var models: [String: any ChipModel] = [:]
    var lines: [Line] = []
    let buses = board.buses.filter(\.isSimulated)
    for description in buses.filter({ $0.wire == .i2c }) + buses.filter({ $0.wire == .spi }) {
      guard let bus = builder.bus(description) else { continue }
      let chips = board.chips.enumerated().filter { $0.element.bus == description.name }
      // A chip behind another comes after that one, whatever the file's order.
      for (source, chip) in chips.filter({ $0.element.behind == nil })
        + chips.filter({ $0.element.behind != nil })
      {
        // The parser has found the name in this very catalogue.
        guard let entry = ChipCatalog.entry(named: chip.chip) else { continue }
        let place = Place(
          wire: description.wire, select: builder.select(chip), name: chip.name, chip: chip.chip,
          position: chip.positions[chip.address == nil ? "on" : "address"])
        if let other = places.first(where: { $0.wire == place.wire && $0.select == place.select }) {
          throw .board(Self.collision(of: place, with: other, board))
        }
        models[chip.name] = try builder.place(
          chip, entry, source: source, on: bus, description.wire, behind: models)
        places.append(place)
        lines.append(Line(wire: place.wire, select: place.select, bus: bus))
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
    self.places = places
    self.models = models
    self.lines = lines
    self.clock = clock
  }

  /// The same, living by the machine's clock.
  public convenience init(_ board: Board) throws(SessionError) {
    try self.init(board, clock: OutsideClock { .now })
  }

  private static func collision(of place: Place, with other: Place, _ board: Board) -> BoardErrors {
    let what =
      place.wire == .i2c
      ? "address 0x" + String(place.select, radix: 16) : "chip select \(place.select)"
    return BoardErrors([
      board.error(
        at: place.position, found: "\(what) of '\(place.name)' is chip '\(other.name)' already",
        hint: "all simulated buses of a kind are served as one: "
          + (place.wire == .i2c ? "use another address" : "give its bus a 'select' of its own"))
    ])
  }

  // MARK: Transfers

  public func transfer(
    _ sent: Span<UInt8>, _ received: inout MutableSpan<UInt8>, at address: UInt8
  ) throws(BusError) {
    try bus(.i2c, address).transfer(sent, &received, at: address)
  }

  public func exchange(_ bytes: inout MutableSpan<UInt8>, at select: UInt8) throws(BusError) {
    try bus(.spi, select).exchange(&bytes, at: select)
  }

  /// Lets every chip take the samples that are due, so that one which nobody reads has no long past to catch up with.
  public func advance() {
    for model in models.values { model.advance(to: clock.now) }
  }

  private func bus(_ wire: Wire, _ select: UInt8) throws(BusError) -> SimulatedBus {
    for line in lines where line.wire == wire && line.select == select { return line.bus }
    throw .noAcknowledge
  }
}
