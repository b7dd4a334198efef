// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sampling
import Sensors
import Simulation
import Boards
import Testing

/// A world whose values move along straight lines and turn around at their ends, so that each value
/// and its slope are easily calculated.
final class ZigzagWorld: World {
  /// Returns a value that goes from -1 to 1 and back in `period` seconds.
  static func wave(_ t: Double, _ period: Double) -> Double {
    let turn = t / period
    let phase = turn - turn.rounded(.down)
    return phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase
  }

  func sample(at time: Timestamp) -> Sample {
    let t = time.seconds
    var sample = Sample(
      timestamp: time, channels: [.acceleration, .rotationRate, .magneticField, .temperature])
    sample.acceleration = Vector3(Self.wave(t, 20), Self.wave(t, 31), Self.wave(t, 17) * 1.9)
    sample.rotationRate = Vector3(Self.wave(t, 13) * 3, Self.wave(t, 25), -Self.wave(t, 40) * 4)
    sample.magneticField = Vector3(Self.wave(t, 23) * 60, 40, Self.wave(t, 37) * 300)
    sample.temperature = 25 + Self.wave(t, 60) * 10
    return sample
  }
}

final class PinEdges: EdgeSource {
  private let model: any ChipModel
  private let clock: VirtualClock

  init(_ model: any ChipModel, _ clock: VirtualClock) {
    self.model = model
    self.clock = clock
  }

  func takeEdges() -> Event {
    model.advance(to: clock.now)
    let edges = model.takeEdges()
    return Event(edges: edges.count, edgeTime: edges.newest)
  }

  var nextEdge: Timestamp? { model.nextEdge }
}

/// Compares each sample, as it comes, with the world at the sample's timestamp.
final class Judge: SampleConsumer {
  struct Account {
    var count = 0
    var missing = 0
    var first = Timestamp.zero
    /// The timestamp of sample 100, by when the clock has settled.
    var hundredth = Timestamp.zero
    var last = Timestamp.zero
    var backwards = 0
    var wrong = 0
    var worst = 0.0
  }

  var accounts = [Account(), Account()]
  var errors: [ChipError] = []
  var recoveries = 0
  let world = ZigzagWorld()
  /// The largest error in counts that is right, for each chip.
  let limits: [Double]

  init(limits: [Double]) { self.limits = limits }

  func receive(_ sample: Sample, from source: Int) {
    if accounts[source].count == 0 {
      accounts[source].first = sample.timestamp
    } else if sample.timestamp <= accounts[source].last {
      accounts[source].backwards += 1
    }
    accounts[source].count += 1
    if accounts[source].count == 100 { accounts[source].hundredth = sample.timestamp }
    accounts[source].missing += Int(sample.missing)
    accounts[source].last = sample.timestamp
    let truth = world.sample(at: sample.timestamp)
    var off = 0.0
    func note(_ difference: Vector3, count: Double) {
      for part in [difference.x, difference.y, difference.z] { off = max(off, abs(part) / count) }
    }
    if sample.channels.contains(Channel.acceleration) {
      note(sample.acceleration - truth.acceleration, count: 1.0 / 16384)
      note(sample.rotationRate - truth.rotationRate, count: radians(fromDegrees: 1 / 131))
    }
    if sample.channels.contains(Channel.magneticField) {
      note(sample.magneticField - truth.magneticField, count: 1 / 68.42)
    }
    accounts[source].worst = max(accounts[source].worst, off)
    // The clock may take the first five seconds to settle.
    if off > limits[source], sample.timestamp - accounts[source].first > .seconds(5) {
      accounts[source].wrong += 1
    }
  }

  func chip(_ source: Int, failed error: ChipError) { errors.append(error) }

  func chipRecovered(_ source: Int) { recoveries += 1 }
}

@Suite struct BusReaderTests {
  /// Reads both chips on one bus, each with its mounting, for `seconds` of virtual time.
  func run(
    _ acquisition: Acquisition, limits: [Double], seconds: Int64, clockError: Double = 0,
    absent: Int? = nil
  ) throws -> (Judge, [ReaderSlot]) {
    let clock = VirtualClock()
    let bus = SimulatedBus(clock: clock)
    let world = ZigzagWorld()
    let settings = SensorSettings(
      rate: 1000, accelerationRange: 2, rotationRateRange: radians(fromDegrees: 250),
      magneticFieldRange: 400, acquisition: acquisition)
    var slots: [ReaderSlot] = []
    let turns = [
      Matrix3(rows: Vector3(0, -1, 0), Vector3(1, 0, 0), Vector3(0, 0, 1)),
      Matrix3(rows: Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0, -1)),
    ]
    for (source, name) in ["invensense,mpu6050", "st,lis3mdl"].enumerated() {
      let entry = try #require(ChipCatalog.entry(named: name))
      let mounting = Mounting(turns[source])
      let model = entry.model(ChipInput(world, mounting: mounting), clockError)
      let address = entry.description.addresses[0]
      let format = entry.description.wireFormat
      if source != absent { bus.attach(ModelPort(model, format: format), at: address) }
      let driver = entry.driver(
        HostConnection(
          ConnectionPort(I2CConnection(SimulatedI2C(bus), address: address, format: format))))
      var wanted = settings
      if source == 1 { wanted.rate = 80 }
      _ = try driver.configure(wanted)
      slots.append(
        ReaderSlot(
          source: source, driver: driver, mounting: mounting,
          edges: acquisition == .dataReady ? PinEdges(model, clock) : nil,
          latenessLimit: .milliseconds(100)))
    }
    let reader = BusReader(slots)
    let judge = Judge(limits: limits)
    reader.start(at: clock.now)
    let end = clock.now + .seconds(seconds)
    while clock.now < end {
      clock.advance(to: reader.turn(at: clock.now, to: judge))
    }
    // The judge has already received the error of the absent chip, so that the stop returns none.
    #expect(reader.stop() == nil)
    return (judge, slots)
  }

  func expectComplete(_ judge: Judge, _ slots: [ReaderSlot], seconds: Double, fast: Double = 1) {
    #expect(judge.errors == [])
    #expect(judge.recoveries == 2)
    for (source, rate) in [1000 * fast, 80 * fast].enumerated() {
      let account = judge.accounts[source]
      #expect(account.backwards == 0, "\(source)")
      #expect(account.missing == 0, "\(source)")
      #expect(account.wrong == 0, "\(source): \(account.wrong), worst \(account.worst)")
      // The number of samples is the number that fits between sample 100 and the last.
      let span = (account.last - account.hundredth).seconds * rate + 100
      #expect(abs(span - Double(account.count)) < 0.5, "\(source): \(span) \(account.count)")
      #expect(Double(account.count) > (seconds - 0.3) * rate, "\(source): \(account.count)")
      let health = slots[source].driver.health
      #expect(health.received == UInt64(account.count))
      #expect(health.missing == 0 && health.overflows == 0 && health.misconfigurations == 0)
      #expect(slots[source].late == 0, "\(source)")
    }
  }

  /// The limit is half a count, for rounding.
  @Test func `a minute by data-ready loses nothing`() throws {
    let (judge, slots) = try run(.dataReady, limits: [0.51, 0.51], seconds: 60)
    expectComplete(judge, slots, seconds: 60)
  }

  /// The limit is half a count for rounding, and as much as the world changes in a twentieth of a
  /// period: 7.4 counts in a millisecond for the first chip, 2.2 for the magnetometer.
  @Test(arguments: [(60, 0), (20, 0.013)] as [(Int64, Double)])
  func `a minute of the queue loses nothing`(seconds: Int64, clockError: Double) throws {
    let (judge, slots) = try run(
      .fifo, limits: [0.87, 1.89], seconds: seconds, clockError: clockError)
    expectComplete(judge, slots, seconds: Double(seconds), fast: 1 + clockError)
  }

  /// A chip that is absent is tried less and less often, and the other chip is not disturbed by it.
  @Test(arguments: [0, 1]) func `an absent chip costs nothing`(absent: Int) throws {
    let (judge, slots) = try run(
      absent == 0 ? .dataReady : .fifo, limits: [2, 2], seconds: 10, absent: absent)
    let register: UInt8 = absent == 0 ? 0x75 : 0x0F
    #expect(judge.errors.allSatisfy { $0 == .bus(.noAcknowledge, register: register) })
    // The absent chip is tried after 10, 20, 40, ... ms, then once a second.
    #expect(judge.errors.count >= 14 && judge.errors.count <= 18)
    #expect(judge.accounts[absent].count == 0)
    #expect(judge.recoveries == 1)
    let other = judge.accounts[1 - absent]
    #expect(other.count > (absent == 0 ? 770 : 9700))
    #expect(other.missing == 0 && other.backwards == 0)
    let health = slots[absent].driver.health
    #expect(health.busErrors == UInt64(judge.errors.count))
  }
}
