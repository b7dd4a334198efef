// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sampling
import Sensors
import Simulation
import Boards

/// A chip of the catalogue on one of its buses with one acquisition.
private struct Way {
  let entry: CatalogEntry
  let wire: Wire
  let acquisition: Acquisition

  static let all: [Way] = ChipCatalog.entries.flatMap { entry in
    entry.description.wires.flatMap { wire in
      entry.description.acquisitions.map { Way(entry: entry, wire: wire, acquisition: $0) }
    }
  }
}

private final class Still: SensorInput {
  func reading(at time: Timestamp) -> ChipReading {
    var reading = ChipReading()
    reading.specificForce = Vector3(0.1, -0.2, 0.95)
    reading.pressure = 98.7
    reading.temperature = 31.5
    return reading
  }
}

/// A bus that corrupts the bytes read from some point on, until no more bytes are given.
private final class SpoilingPort: ChipPort {
  private let base: any ChipPort
  private var spoiled: ArraySlice<UInt8>
  private var sound: Int

  init(_ base: any ChipPort, sound: Int, then bytes: ArraySlice<UInt8>) {
    self.base = base
    self.sound = sound
    spoiled = bytes
  }

  var isSpent: Bool { spoiled.isEmpty }
  var now: Timestamp { base.now }
  var longestRead: Int { base.longestRead }
  var longestWrite: Int { base.longestWrite }
  var firmware: [UInt8] { base.firmware }
  var isSPI: Bool { base.isSPI }

  func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    try base.read(&bytes, from: register)
    guard sound == 0 else { return sound -= 1 }
    for index in bytes.indices {
      guard let noise = spoiled.popFirst() else { return }
      bytes[index] ^= noise
    }
  }

  func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try base.write(value, to: register)
  }

  func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    try base.write(bytes, to: register)
  }
}

private final class Numbers: SampleConsumer {
  private var newest = Timestamp(nanoseconds: .min)

  func receive(_ sample: Sample, from source: Int) {
    check(sample.timestamp > newest, "time stands or goes back")
    check(sample.acceleration.isFinite && sample.pressure.isFinite, "no number: \(sample)")
    newest = sample.timestamp
  }

  func chip(_ source: Int, failed error: ChipError) {}
  func chipRecovered(_ source: Int) {}
}

private final class NoEdges: EdgeSource {
  private let model: any ChipModel
  private let clock: VirtualClock

  init(_ model: any ChipModel, _ clock: VirtualClock) {
    self.model = model
    self.clock = clock
  }

  func takeEdges() -> Event {
    model.advance(to: clock.now)
    let edges = model.takeEdges(of: 1)
    return Event(edges: edges.count, edgeTime: edges.newest)
  }

  var nextEdge: Timestamp? { model.nextEdge(of: 1) }
}

/// Runs a chip's driver from the reset to the samples. The first byte selects the chip and the
/// acquisition, the second the number of correct reads, the third the rate.
func takeQueue(_ bytes: [UInt8]) throws {
  guard bytes.count > 3 else { return }
  let way = Way.all[Int(bytes[0]) % Way.all.count]
  let clock = VirtualClock()
  let isI2C = way.wire == .i2c
  let format = way.entry.description.wireFormat
  let model = way.entry.model(Still(), 0)
  let bus = SimulatedBus(
    clock: clock, speed: isI2C ? 400_000 : 1_000_000, bitsPerByte: isI2C ? 9 : 8)
  let select = isI2C ? way.entry.description.addresses[0] : 0
  bus.attach(
    ModelPort(model, format: format, words: way.entry.description.words), at: select, faults: nil)
  let firmware = way.entry.description.firmware?.standIn ?? []
  let connection: any ChipPort =
    isI2C
    ? ConnectionPort(
      I2CConnection(SimulatedI2C(bus), address: select, format: format), firmware: firmware)
    : ConnectionPort(
      SPIConnection(SimulatedSPI(bus, select: select), format: format), firmware: firmware)
  let port = SpoilingPort(connection, sound: Int(bytes[1] % 64), then: bytes.dropFirst(3))
  let driver = way.entry.driver(HostConnection(port))
  let reader = BusReader([
    ReaderSlot(
      source: 0, driver: driver, mounting: Mounting(), edges: NoEdges(model, clock),
      latenessLimit: .seconds(10))
  ])
  let rates = way.entry.description.rates
  _ = try driver.configure(
    SensorSettings(rate: rates[Int(bytes[2]) % rates.count], acquisition: way.acquisition))
  reader.start(at: clock.now)
  let numbers = Numbers()
  let end = clock.now + .seconds(2)
  // A driver may request to be called again immediately, but not forever.
  var turns = 0
  while clock.now < end, !port.isSpent, turns < 400 {
    let before = clock.now
    clock.advance(to: min(reader.turn(at: clock.now, to: numbers), end))
    turns += clock.now == before ? 20 : 1
  }
  check(clock.now > Timestamp(nanoseconds: 1_000_000_000), "no time passes")
}
