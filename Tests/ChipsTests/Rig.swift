// SPDX-License-Identifier: Apache-2.0
import BusTesting
import ChipCatalog
import Quantities
import Registers
import Sensors
import Simulation
import Boards
import Testing

typealias RigBus = RecordingBus<FailingBus<RigWire>>

/// I2C or SPI to the same model.
struct RigWire: RegisterBus, ~Copyable {
  private var i2c: I2CConnection<SimulatedI2C>
  private var spi: SPIConnection<SimulatedSPI>
  let isSPI: Bool
  private let firmware: [UInt8]

  init(
    _ bus: SimulatedBus, at address: UInt8, _ format: WireFormat, isSPI: Bool, firmware: [UInt8]
  ) {
    self.firmware = firmware
    i2c = I2CConnection(SimulatedI2C(bus), address: address, format: format)
    spi = SPIConnection(SimulatedSPI(bus, select: address), format: format)
    self.isSPI = isSPI
  }

  var now: Timestamp { i2c.now }

  var longestWrite: Int { i2c.longestWrite }

  var firmwareSize: Int { firmware.count }

  func readFirmware(_ bytes: inout MutableSpan<UInt8>, from offset: Int) {
    for index in bytes.indices { bytes[index] = firmware[offset + index] }
  }

  mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    if isSPI {
      try spi.read(&bytes, from: register)
    } else {
      try i2c.read(&bytes, from: register)
    }
  }

  mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    if isSPI {
      try spi.write(value, to: register)
    } else {
      try i2c.write(value, to: register)
    }
  }

  mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    if isSPI {
      try spi.write(bytes, to: register)
    } else {
      try i2c.write(bytes, to: register)
    }
  }
}

/// A model on a simulated bus with its own clock, world and pin, and a log of the driver's
/// transactions.
final class Rig {
  let clock = VirtualClock()
  let world = World()
  let log = TransactionLog()
  let model: any ChipModel
  let bus: SimulatedBus
  let address: UInt8
  let format: WireFormat
  let isSPI: Bool
  /// Returns the delay between an edge and the call that it causes.
  var latency: (Timestamp) -> TimeSpan = { _ in .zero }
  /// What the driver loads into the chip.
  var firmware: [UInt8] = []
  /// True if edges of the pin reach the driver.
  var isWired = true
  /// All results so far.
  var outcome = Outcome()

  init(
    at address: UInt8, _ format: WireFormat, isSPI: Bool = false, attached: Bool = true,
    words: ByteOrder? = nil, _ model: (any SensorInput) -> any ChipModel
  ) {
    bus = SimulatedBus(clock: clock, speed: isSPI ? 1_000_000 : 400_000)
    self.model = model(world)
    self.address = address
    self.format = format
    self.isSPI = isSPI
    if attached { bus.attach(ModelPort(self.model, format: format, words: words), at: address) }
    // Start some time after power-up.
    self.model.advance(to: clock.now)
  }

  /// Returns a connection on which the transactions with these indices fail.
  func wire(failingAt indices: Range<Int> = 0..<0, throwing error: BusError = .noAcknowledge)
    -> RigBus
  {
    RecordingBus(
      FailingBus(
        RigWire(bus, at: address, format, isSPI: isSPI, firmware: firmware), at: indices,
        throwing: error), into: log)
  }

  /// Changes a register without the driver.
  func tamper(_ register: UInt8, _ value: UInt8) {
    model.advance(to: clock.now)
    model.write(value, to: register)
  }

  /// Returns a register's value without the driver.
  func register(_ address: UInt8) -> UInt8 {
    model.advance(to: clock.now)
    return model.read(address)
  }

  /// Returns the values that were written to a register.
  func written(_ address: UInt8) -> [UInt8] {
    log.transactions.compactMap {
      if case .write(address, let value) = $0 { value } else { nil }
    }
  }

  /// Calls the driver at the times that it requests and at edges, until `span` is over or it has
  /// finished. Returns the results.
  @discardableResult
  func run<Driver: SensorDriver & ~Copyable>(_ driver: inout Driver, for span: TimeSpan) -> Outcome
  {
    var owner = Owner(due: clock.now)
    let end = clock.now + span
    while clock.now < end {
      model.advance(to: clock.now)
      let edges = model.takeEdges()
      let event = isWired ? Event(edges: edges.count, edgeTime: edges.newest) : .due
      if owner.loop.isDue(at: clock.now, event) {
        if event.edges > 0 { clock.advance(to: clock.now + latency(edges.newest)) }
        owner.step(&driver, event) { self.clock.now }
        if owner.loop.isOver { break }
      }
      model.advance(to: clock.now)
      let edge = isWired ? model.nextEdge : nil
      clock.advance(to: max(clock.now, owner.loop.next(edge: edge)))
    }
    outcome.append(owner.outcome)
    return owner.outcome
  }

  /// Interrupts the chip's supply and runs the driver for a second, in which it reports one error
  /// within 200 ms. Returns the results.
  func expectRestart<Driver: SensorDriver & ~Copyable>(
    of driver: inout Driver, _ place: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let then = clock.now
    model.powerCycle()
    let outcome = run(&driver, for: .seconds(1))
    #expect(outcome.errors.count == 1, sourceLocation: place)
    let found = try #require(outcome.errorTimes.first, sourceLocation: place)
    #expect(found - then <= .milliseconds(200), sourceLocation: place)
    return outcome
  }

  /// Returns all results so far, and clears them.
  func takeOutcome() -> Outcome {
    defer { outcome = Outcome() }
    return outcome
  }
}
