// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Quantities
import Registers
import Runtime
import Sampling
import Sensors
import Simulation
import Testing

/// A whole bus on a clock of its own: the drivers' own code against the models, byte by byte.
@Suite struct BusReaderTests {
  final class Collector: SampleConsumer {
    var samples: [(sample: Sample, source: Int)] = []
    var errors: [ChipError] = []
    func receive(_ sample: Sample, from source: Int) { samples.append((sample, source)) }
    func chip(_ source: Int, failed error: ChipError) { errors.append(error) }
    func chipRecovered(_ source: Int) {}
  }

  private func board(_ readBy: String, ppm: Int) throws -> Board {
    try BoardFile.parse(
      """
      otolith-board: 1
      name: A fast board
      buses:
        i2c1: { simulated: i2c }
      chips:
        imu:
          chip: invensense,mpu6050
          on: i2c1
          address: 0x68
          interrupt: simulated
          rate-hz: 1000
          acceleration-range-g: 2
          rotation-rate-range-dps: 250
          read-by: \(readBy)
        compass:
          chip: st,lis3mdl
          on: i2c1
          address: 0x1C
          rate-hz: 80
          read-by: polling
          mounting: ["-y", x, z]
      simulation: { motion: sway, noise: false, clock-error-ppm: \(ppm) }
      """, file: "fast.yaml", catalogue: ChipCatalog.descriptions)
  }

  @Test(
    "Twenty seconds at 1 kHz: nothing lost, times in order, values the world's at those times",
    arguments: [("fifo", 0), ("fifo", 20_000), ("data-ready", -20_000), ("polling", 0)])
  func nothingLost(readBy: String, ppm: Int) throws {
    let clock = VirtualClock()
    let board = try board(readBy, ppm: ppm)
    let start = clock.now
    let bus = try BoardBuilder(board, clock: clock).build(try #require(board.buses.first))
    let collector = Collector()
    bus.reader.start(at: clock.now)
    while clock.now - start < .seconds(20) {
      clock.advance(to: bus.reader.turn(at: clock.now, to: collector))
    }
    #expect(collector.errors.isEmpty)
    let world = MovingWorld(.sway, origin: start)
    // Start-up: reset, waking and settling take 0.19 s; the compass is up after its reset.
    for (source, rate, startUp) in [(0, 1000.0, 0.19), (1, 80, 0.02)] {
      let samples = collector.samples.filter { $0.source == source }.map(\.sample)
      let expected = (20 - startUp) * rate * (1 + Double(ppm) * 1e-6)
      #expect(abs(Double(samples.count) - expected) < 0.02 * rate + 2)
      #expect(bus.reader.slots[source].driver.health.missing == 0)
      for (a, b) in zip(samples, samples.dropFirst()) { #expect(b.timestamp > a.timestamp) }
      // After two seconds the clocks agree; then a count is the limit. 250 deg/s: 0.0077 deg/s; 2 g: 61 ug; the sway
      // turns at most 70 deg/s, 1.2 g/s: 0.1 ms of a 1 ms period is within this as well.
      for sample in samples where sample.timestamp - start > .seconds(2) {
        let truth = world.sample(at: sample.timestamp)
        if source == 0 {
          #expect((sample.acceleration - truth.acceleration).norm < 2e-4)
          #expect((sample.rotationRate - truth.rotationRate).norm < 5e-4)
        } else {
          #expect((sample.magneticField - truth.magneticField).norm < 0.05)
        }
      }
    }
  }

  @Test("A queue that ran over while nobody read is reported sample by sample, and reading goes on")
  func overflow() throws {
    let clock = VirtualClock()
    let board = try board("fifo", ppm: 0)
    let bus = try BoardBuilder(board, clock: clock).build(try #require(board.buses.first))
    let collector = Collector()
    bus.reader.start(at: clock.now)
    func run(_ span: TimeSpan) {
      let end = clock.now + span
      while clock.now < end {
        clock.advance(to: min(end, bus.reader.turn(at: clock.now, to: collector)))
      }
    }
    run(.seconds(3))
    clock.advance(to: clock.now + .seconds(2))
    run(.seconds(3))
    let samples = collector.samples.filter { $0.source == 0 }.map(\.sample)
    let missing = samples.reduce(0) { $0 + Int($1.missing) }
    let health = bus.reader.slots[0].driver.health
    #expect(health.overflows == 1)
    #expect(UInt64(missing) == health.missing)
    // Received and missing together are every sample of the time between the first and the last: 1 kHz.
    let first = try #require(samples.first)
    let last = try #require(samples.last)
    let taken = ((last.timestamp - first.timestamp).seconds * 1000).rounded()
    #expect(abs(Double(samples.count + missing - 1) - taken) <= 1)
    for (a, b) in zip(samples, samples.dropFirst()) { #expect(b.timestamp > a.timestamp) }
  }

  @Test("Stopped, the chips sleep")
  func stop() throws {
    let clock = VirtualClock()
    let board = try board("fifo", ppm: 0)
    let bus = try BoardBuilder(board, clock: clock).build(try #require(board.buses.first))
    let collector = Collector()
    bus.reader.start(at: clock.now)
    for _ in 0..<50 { clock.advance(to: bus.reader.turn(at: clock.now, to: collector)) }
    #expect(bus.reader.stop() == nil)
    let simulated = try #require(bus.simulated)
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    try SimulatedI2C(simulated).read(&span, after: 0x6B, from: 0x68)
    #expect(bytes[0] & 0x40 == 0x40)
    span = bytes.mutableSpan
    try SimulatedI2C(simulated).read(&span, after: 0x22, from: 0x1C)
    #expect(bytes[0] & 0x03 == 0x03)
  }
}
