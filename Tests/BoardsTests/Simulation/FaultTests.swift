// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Simulation
import Boards
import Testing

/// The effect of each fault on the bus. Registers of the MPU-6050 are typed from RM-MPU-6000A-00
/// 4.2: 0x75 WHO_AM_I contains 0x68, 0x6B PWR_MGMT_1 resets to 0x40, 0x6A bit 6 and 0x23 enable the
/// FIFO, 0x72 is its count.
@Suite struct FaultTests {
  final class Still: SensorInput {
    func reading(at time: Timestamp) -> ChipReading {
      var reading = ChipReading()
      reading.specificForce = Vector3(0.5, 0, 0)
      return reading
    }
  }

  struct Bench {
    let clock = VirtualClock()
    let bus: SimulatedBus
    let model: FaultyModel

    init(_ faults: [Fault], on wire: FaultyModel.FaultWire = .i2c) {
      bus = SimulatedBus(clock: clock)
      let input = FaultyInput(Still(), faults: faults, origin: clock.now, seed: 3)
      model = FaultyModel(
        MPU6050Model(input), faults: faults, identityRegister: 0x75, on: wire,
        origin: clock.now, seed: 3)
      bus.attach(ModelPort(model, format: WireFormat()), at: 0x68, faults: model)
    }

    func read(_ register: UInt8) throws(BusError) -> UInt8 {
      let i2c = SimulatedI2C(bus)
      var bytes: InlineArray<1, UInt8> = [0]
      var span = bytes.mutableSpan
      try i2c.read(&span, after: register, from: 0x68)
      return bytes[0]
    }

    func write(_ value: UInt8, to register: UInt8) throws(BusError) {
      let i2c = SimulatedI2C(bus)
      let bytes: InlineArray<2, UInt8> = [register, value]
      try i2c.write(bytes.span, to: 0x68)
    }

    func word(_ register: UInt8) throws(BusError) -> Int {
      Int(try read(register)) << 8 | Int(try read(register + 1))
    }

    func pass(_ span: TimeSpan) { clock.advance(to: clock.now + span) }

    /// Wakes the chip at 1 kHz, with the accelerometer in the FIFO.
    func start() throws(BusError) {
      try write(0x00, to: 0x6B)
      try write(0x01, to: 0x1A)
      try write(0x08, to: 0x23)
      try write(0x40, to: 0x6A)
    }

    /// Returns the errors of `count` reads of the identity.
    func failures(_ count: Int) -> [BusError] {
      var failures: [BusError] = []
      for _ in 0..<count {
        do throws(BusError) { _ = try read(0x75) } catch { failures.append(error) }
      }
      return failures
    }
  }

  @Test func `faults by chance come as often as said`() throws {
    let nacks = Bench([Fault(.noAcknowledge, .probability(0.1))]).failures(2000)
    #expect(nacks.allSatisfy { $0 == .noAcknowledge } && (150...250).contains(nacks.count))
    let timeouts = Bench([Fault(.timeout, .probability(0.1))]).failures(2000)
    #expect(timeouts.allSatisfy { $0 == .timeout } && (150...250).contains(timeouts.count))
    #expect(Bench([Fault(.noAcknowledge, .probability(0))]).failures(2000).isEmpty)
    // SPI has no acknowledgement, so this fault has no effect.
    #expect(Bench([Fault(.noAcknowledge, .always)], on: .spi).failures(10).isEmpty)
  }

  @Test func `the same seed makes the same faults`() throws {
    func pattern() -> [Bool] {
      let bench = Bench([Fault(.noAcknowledge, .probability(0.3))])
      return (0..<100).map { _ in (try? bench.read(0x75)) == nil }
    }
    #expect(pattern() == pattern())
  }

  @Test func `a bit flip changes one bit`() throws {
    let bench = Bench([Fault(.bitFlip, .probability(0.2))])
    var wrong = 0
    for _ in 0..<1000 {
      let value = try bench.read(0x75)
      if value != 0x68 {
        #expect((value ^ 0x68).nonzeroBitCount == 1)
        wrong += 1
      }
    }
    #expect((140...260).contains(wrong))
  }

  @Test func `a fault comes once or again and again, and lasts as said`() throws {
    let once = Bench([Fault(.noAcknowledge, .at(.seconds(2)))])
    #expect(once.failures(5).isEmpty)
    once.pass(.seconds(3))
    #expect(once.failures(5) == [.noAcknowledge])
    let often = Bench([Fault(.timeout, .every(.seconds(1)))])
    var count = 0
    for _ in 0..<10 {
      count += often.failures(1).count
      often.pass(.milliseconds(500))
    }
    #expect(count == 4)
    let lasting = Bench([])
    lasting.bus.befall([Fault(.stuckBus, .at(.seconds(1)), duration: .seconds(1))])
    lasting.pass(.milliseconds(900))
    #expect(lasting.failures(1).isEmpty)
    lasting.pass(.milliseconds(300))
    #expect(lasting.failures(3) == [.timeout, .timeout, .timeout])
    lasting.pass(.seconds(1))
    #expect(lasting.failures(1).isEmpty)
  }

  @Test func `a wrong chip has another identity, and its other registers`() throws {
    let bench = Bench([Fault(.wrongChip, .always, identity: 0x70)])
    #expect(try bench.read(0x75) == 0x70)
    #expect(try bench.read(0x6B) == 0x40)
  }

  @Test func `a brown-out is silent for a moment, then as after power-up`() throws {
    let bench = Bench([Fault(.brownOut, .at(.seconds(1)), duration: .milliseconds(20))])
    try bench.start()
    #expect(try bench.read(0x6B) == 0x00)
    bench.pass(.seconds(1))
    #expect(bench.failures(2) == [.noAcknowledge, .noAcknowledge])
    bench.pass(.milliseconds(30))
    #expect(try bench.read(0x6B) == 0x40)
    #expect(try bench.word(0x72) == 0)
    // On SPI a chip without power reads as all ones, and writes are lost.
    let other = Bench([Fault(.brownOut, .at(.seconds(1)), duration: .milliseconds(20))], on: .spi)
    other.pass(.seconds(1))
    #expect(try other.read(0x75) == 0xFF)
    try other.write(0x00, to: 0x6B)
    other.pass(.milliseconds(30))
    #expect(try other.read(0x6B) == 0x40)
  }

  @Test func `an overflow fills the queue and says so`() throws {
    let bench = Bench([Fault(.fifoOverflow, .at(.milliseconds(200)))])
    try bench.start()
    bench.pass(.milliseconds(100))
    #expect(try bench.word(0x72) < 600)
    bench.pass(.milliseconds(100))
    #expect(try bench.word(0x72) == 1024)
    #expect(try bench.read(0x3A) & 0x10 == 0x10)
  }

  @Test(arguments: [
    (FaultKind.lostInterrupt, 0), (.doubledInterrupt, 2), (.stuckInterrupt, 0), (.bitFlip, 1),
  ])
  func `interrupts are lost, doubled, stuck or left as they are`(_ kind: FaultKind, _ factor: Int)
    throws
  {
    let bench = Bench([Fault(kind, .always)])
    bench.model.advance(to: bench.clock.now)
    bench.model.write(0x00, to: 0x6B)
    bench.model.write(0x01, to: 0x1A)
    bench.model.write(0x01, to: 0x38)
    var count = 0
    for _ in 0..<100 {
      bench.pass(.milliseconds(1))
      bench.model.advance(to: bench.clock.now)
      count += bench.model.takeEdges(of: 1).count
    }
    // The first sample comes 10 ms after waking.
    #expect((88 * factor...92 * factor).contains(count))
  }

  @Test func `swapped axes give x as minus y`() throws {
    let bench = Bench([Fault(.swappedAxes, .always)])
    try bench.start()
    bench.pass(.milliseconds(50))
    // A specific force of 0.5 g on x, at 16384 counts per g, appears as -8192 on y.
    #expect(try bench.word(0x3B) == 0)
    #expect(Int16(truncatingIfNeeded: try bench.word(0x3D)) == -8192)
  }

  @Test func `a noisy supply makes samples noisy`() throws {
    let bench = Bench([Fault(.noisySupply, .at(.seconds(1)))])
    try bench.start()
    func spread() throws -> Double {
      var (sum, squares) = (0.0, 0.0)
      for _ in 0..<400 {
        bench.pass(.milliseconds(1))
        let value = Double(Int16(truncatingIfNeeded: try bench.word(0x3B))) / 16384
        sum += value / 400
        squares += value * value / 400
      }
      return (squares - sum * sum).squareRoot()
    }
    bench.pass(.milliseconds(50))
    #expect(try spread() < 1e-6)
    bench.pass(.seconds(1))
    #expect((0.04...0.06).contains(try spread()))
  }

  @Test func `a fault befalls the chip and the bus that it names`() {
    let fault = Fault(.noAcknowledge, chip: "imu", bus: "i2c1", .always)
    #expect(fault.befalls(chip: "imu", on: "i2c1"))
    #expect(!fault.befalls(chip: "mag", on: "i2c1") && !fault.befalls(chip: "imu", on: "i2c2"))
    #expect(Fault(.noAcknowledge, .always).befalls(chip: "mag", on: "i2c2"))
  }
}
