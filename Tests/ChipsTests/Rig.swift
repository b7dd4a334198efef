// SPDX-License-Identifier: Apache-2.0
import BusTesting
import ChipCatalog
import Quantities
import Registers
import Sensors
import Simulation
import Boards

typealias RigBus = RecordingBus<FailingBus<RigWire>>

/// Either wire to one model.
struct RigWire: RegisterBus, ~Copyable {
  private var i2c: I2CConnection<SimulatedI2C>
  private var spi: SPIConnection<SimulatedSPI>
  let isSPI: Bool

  init(_ bus: SimulatedBus, at address: UInt8, _ format: WireFormat, isSPI: Bool) {
    i2c = I2CConnection(SimulatedI2C(bus), address: address, format: format)
    spi = SPIConnection(SimulatedSPI(bus, select: address), format: format)
    self.isSPI = isSPI
  }

  var now: Timestamp { i2c.now }

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
    try i2c.write(bytes, to: register)
  }
}

/// A model on a simulated bus with a separate clock, what it feels, its pin, and a log of what a
/// driver does to it.
final class Rig {
  let clock = VirtualClock()
  let world = World()
  let log = TransactionLog()
  let model: any ChipModel
  let bus: SimulatedBus
  let address: UInt8
  let format: WireFormat
  let isSPI: Bool
  /// Extra time between an edge and the call that it leads to.
  var latency: (Timestamp) -> TimeSpan = { _ in .zero }
  /// Whether edges of the pin reach the driver.
  var isWired = true
  /// All that came so far.
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
    // A while after power-up.
    self.model.advance(to: clock.now)
  }

  /// A connection whose transactions with these indices fail.
  func wire(failingAt indices: Range<Int> = 0..<0, throwing error: BusError = .noAcknowledge)
    -> RigBus
  {
    RecordingBus(
      FailingBus(
        RigWire(bus, at: address, format, isSPI: isSPI), at: indices, throwing: error), into: log)
  }

  /// Changes a register behind the driver's back.
  func tamper(_ register: UInt8, _ value: UInt8) {
    model.advance(to: clock.now)
    model.write(value, to: register)
  }

  /// A register as a bystander sees it.
  func register(_ address: UInt8) -> UInt8 {
    model.advance(to: clock.now)
    return model.read(address)
  }

  /// What was written into a register.
  func written(_ address: UInt8) -> [UInt8] {
    log.transactions.compactMap {
      if case .write(address, let value) = $0 { value } else { nil }
    }
  }

  /// Calls the driver when it asked to be and at edges, until `span` is over or it has nothing more to do.
  /// Returns what came of it.
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

  /// All that came so far, then nothing.
  func takeOutcome() -> Outcome {
    defer { outcome = Outcome() }
    return outcome
  }
}
