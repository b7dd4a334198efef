// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Simulation
import Boards
import Testing

@Suite struct SimulatedBusTests {
  /// Sweeps each quantity of every chip in the catalogue over its range: the driver's readings
  /// equal the world's values within one count.
  @Test func `each chip's sweep comes out as it went in`() throws {
    for entry in ChipCatalog.entries {
      for part in -7...7 {
        try sweep(entry, Double(part) / 7.3)
      }
    }
  }

  func sweep(_ entry: CatalogEntry, _ part: Double) throws {
    let settings = SensorSettings(
      rate: min(50, entry.description.rates[0]), accelerationRange: 4,
      rotationRateRange: radians(fromDegrees: 500),
      magneticFieldRange: 400)
    var held = Sample(timestamp: .zero, channels: .all)
    held.acceleration = Vector3(part, -part, part / 2) * 4
    held.rotationRate = Vector3(-part, part, part / 3) * radians(fromDegrees: 500)
    held.magneticField = Vector3(part, part / 5, -part) * 400
    // The LPS25H's temperature word ends at -25.7 degrees, so stay above.
    held.temperature = 30 + 55 * part
    held.pressure = 70 + 35 * part
    held.humidity = 50 + 45 * part
    held.scalars[.illuminance] = 500 + 450 * part
    held.scalars[.proximity] = 0.5 + 0.45 * part
    // The mounting is a quarter turn, so that a wrong axis or sign is detected.
    let mounting = Mounting(
      Matrix3(rows: Vector3(0, -1, 0), Vector3(1, 0, 0), Vector3(0, 0, 1)))
    let clock = VirtualClock()
    let bus = SimulatedBus(clock: clock)
    let model = entry.model(ChipInput(HeldWorld(held), mounting: mounting), 0)
    let address = try #require(entry.description.addresses.first)
    let format = entry.description.wireFormat
    bus.attach(ModelPort(model, format: format, words: entry.description.words), at: address)
    let driver = entry.driver(
      HostConnection(
        ConnectionPort(
          I2CConnection(SimulatedI2C(bus), address: address, format: format),
          firmware: entry.description.firmware?.standIn ?? [])))
    let chosen = try driver.configure(settings)
    driver.start()
    var batch = RawBatch()
    var frames = 0
    var loop = DriverLoop()
    // A chip that loads firmware does so in hundreds of steps.
    for _ in 0..<1000 where frames <= 5 {
      batch.removeAll()
      loop.take(try driver.step(.due, into: &batch), at: clock.now)
      #expect(!loop.waitsForEdge && !loop.isOver)
      clock.advance(to: loop.due)
      frames += batch.frames
      guard batch.frames > 0 else { continue }
      let sample = mounting.sample(driver.decode(batch, frame: 0), at: batch.newest)
      let name = "\(entry.description.title) at \(part)"
      for channel in entry.description.channels where sample.channels.contains(channel.channel) {
        let error = (sample[channel.channel] - held[channel.channel]).norm
        let range = chosen[range: channel.channel] ?? 0
        #expect(error < channel.resolution(at: range), "\(name), \(channel.channel)")
      }
    }
    #expect(frames > 5)
  }

  @Test func `an address without a chip does not acknowledge`() {
    let clock = VirtualClock()
    let i2c = SimulatedI2C(SimulatedBus(clock: clock))
    let before = clock.now
    do throws(BusError) {
      try i2c.write(([0x6B] as [UInt8]).span, to: 0x68)
      Issue.record("written")
    } catch { #expect(error == .noAcknowledge) }
    #expect(clock.now - before == TimeSpan(nanoseconds: 22_500))
  }

  /// Nine bits per byte: two addresses, a register and 14 bytes at 400 kHz.
  @Test func `transfers take their time`() throws {
    let clock = VirtualClock()
    let bus = SimulatedBus(clock: clock)
    bus.attach(
      ModelPort(
        MPU6050Model(
          ChipInput(HeldWorld(Sample(timestamp: .zero)), mounting: Mounting())),
        format: WireFormat()), at: 0x68)
    let before = clock.now
    var bytes = [UInt8](repeating: 0, count: 14)
    var span = bytes.mutableSpan
    try SimulatedI2C(bus).read(&span, after: 0x3B, from: 0x68)
    #expect(clock.now - before == TimeSpan(nanoseconds: 17 * 22_500))
    #expect(bus.transactions == 1 && bus.bytes == 17)
  }
}
