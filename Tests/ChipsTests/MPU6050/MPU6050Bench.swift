// SPDX-License-Identifier: Apache-2.0
import BusTesting
import Buses
import ChipModels
import Chips
import Quantities
import Registers
import Sensors
import Simulation

/// A world for one chip: what it feels, and optionally a count of its samples in the accelerometer's x axis.
final class CountingWorld: Surroundings {
  var held = ChipReading()
  /// Takes the time to what is felt, where it changes.
  var changes: ((Timestamp, inout ChipReading) -> Void)?

  func reading(at time: Timestamp) -> ChipReading {
    var reading = held
    changes?(time, &reading)
    return reading
  }
}

typealias BenchBus = RecordingBus<FailingBus<BenchWire>>

/// Either wire to one model.
struct BenchWire: RegisterBus, ~Copyable {
  private var i2c: I2CConnection<SimulatedI2C>
  private var spi: SPIConnection<SimulatedSPI>
  let isSPI: Bool

  init(_ bus: SimulatedBus, isSPI: Bool) {
    i2c = I2CConnection(SimulatedI2C(bus), address: 0x68, format: WireFormat())
    spi = SPIConnection(SimulatedSPI(bus, select: 0x68), format: WireFormat())
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
}

/// A part of the family on a wire, with a clock of its own; called as a bus reader would call it.
final class MPU6050Bench {
  let clock = VirtualClock()
  let world = CountingWorld()
  let log = TransactionLog()
  let model: MPU6050Model
  let bus: SimulatedBus
  let isSPI: Bool
  /// Extra time between an edge and the call that it leads to.
  var latency: (Timestamp) -> TimeSpan = { _ in .zero }
  var detections: [Detection] = []
  var outcome = Outcome()

  init(_ identity: UInt8 = 0x68, isSPI: Bool = false, clockError: Double = 0) {
    bus = SimulatedBus(clock: clock, speed: isSPI ? 1_000_000 : 400_000)
    self.isSPI = isSPI
    world.held.specificForce = Vector3(0.5, -1, 1)
    world.held.rotationRate = Vector3(1, -2, 3)
    world.held.temperature = 25
    model = MPU6050Model(world, identity: identity, clockError: clockError)
    bus.attach(ModelPort(model, format: WireFormat()), at: 0x68)
    // A while after power-up.
    model.advance(to: clock.now)
  }

  func wire(failingAt indices: Range<Int> = 0..<0, throwing error: BusError = .noAcknowledge)
    -> BenchBus
  {
    RecordingBus(
      FailingBus(BenchWire(bus, isSPI: isSPI), at: indices, throwing: error), into: log)
  }

  /// A register as a bystander sees it.
  func register(_ address: UInt8) -> UInt8 {
    model.advance(to: clock.now)
    return model.read(address)
  }

  func written(_ address: UInt8) -> [UInt8] {
    log.transactions.compactMap {
      if case .write(address, let value) = $0 { value } else { nil }
    }
  }

  /// Calls the driver when it asked to be and at edges, until `span` is over or it has nothing more to do.
  func run(_ driver: inout MPU6050<BenchBus>, for span: TimeSpan) {
    var batch = RawBatch()
    let end = clock.now + span
    var loop = DriverLoop(due: clock.now)
    while clock.now < end {
      model.advance(to: clock.now)
      let edges = model.takeEdges(of: 1)
      let event = Event(edges: edges.count, edgeTime: edges.newest)
      if loop.isDue(at: clock.now, event) {
        if edges.count > 0 { clock.advance(to: clock.now + latency(edges.newest)) }
        batch.removeAll()
        do throws(ChipError) {
          let wake = try driver.step(event, into: &batch)
          outcome.wakes.append(wake)
          loop.take(wake, at: clock.now)
          if loop.isOver { return }
        } catch {
          outcome.errors.append(error)
          outcome.errorTimes.append(clock.now)
          loop.wait(until: clock.now + .milliseconds(10))
          continue
        }
        for frame in 0..<batch.frames {
          outcome.frames.append(
            Outcome.Frame(
              time: batch.timestamp(ofFrame: frame), missing: frame == 0 ? batch.missing : 0,
              reading: driver.decode(batch, frame: frame)))
        }
        for index in 0..<batch.detectionCount { detections.append(batch.detections[index]) }
      }
      model.advance(to: clock.now)
      clock.advance(to: max(clock.now, loop.next(edge: model.nextEdge)))
    }
  }

  /// Frames so far, then none.
  func takeOutcome() -> Outcome {
    defer { outcome = Outcome() }
    return outcome
  }
}
