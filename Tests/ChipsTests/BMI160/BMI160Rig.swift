// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sampling
import Sensors
import Simulation
import Boards
import Testing

/// One transaction as seen on the bus.
enum WireTransaction: Equatable {
  case read(UInt8, Int)
  case write(UInt8, UInt8)
}

/// A port that records transactions, fails on request, and can change responses.
final class TestPort: ChipPort {
  private let inner: any ChipPort
  private(set) var log: [WireTransaction] = []
  /// The index of the transaction that fails; `nil` for none.
  var failing: Int?
  /// Returns the error with which a transaction fails; `nil` if it succeeds.
  var failure: (WireTransaction) -> BusError? = { _ in nil }
  var isAbsent = false
  var longestRead = Int.max
  /// Changes the bytes of a read.
  var bend: (UInt8, inout MutableSpan<UInt8>) -> Void = { _, _ in }

  init(_ inner: any ChipPort) { self.inner = inner }

  var now: Timestamp { inner.now }
  var firmware: [UInt8] { inner.firmware }

  private func begin(_ transaction: WireTransaction) throws(BusError) {
    defer { log.append(transaction) }
    if isAbsent || log.count == failing { throw .noAcknowledge }
    if let error = failure(transaction) { throw error }
  }

  func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    try begin(.read(register, bytes.count))
    guard bytes.count <= longestRead else { throw .tooLong(limit: longestRead) }
    try inner.read(&bytes, from: register)
    bend(register, &bytes)
  }

  func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try begin(.write(register, value))
    try inner.write(value, to: register)
  }

  var longestWrite: Int { inner.longestWrite }

  func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    try inner.write(bytes, to: register)
  }
}

/// The interrupt pin of a model.
final class TestEdges: EdgeSource {
  private let model: any ChipModel
  private let clock: VirtualClock
  private let pin: UInt8
  var isCut = false

  init(_ model: any ChipModel, _ clock: VirtualClock, pin: UInt8) {
    self.model = model
    self.clock = clock
    self.pin = pin
  }

  func takeEdges() -> Event {
    model.advance(to: clock.now)
    let edges = model.takeEdges(of: pin)
    return isCut ? .due : Event(edges: edges.count, edgeTime: edges.newest)
  }

  var nextEdge: Timestamp? { isCut ? nil : model.nextEdge(of: pin) }
}

extension World {
  static var bmi160: World {
    World(.inertial(Vector3(0.25, -0.5, -0.75), Vector3(-1, 0.5, 1.5), temperature: 18.5))
  }

  /// Makes the accelerometer's x axis show the time: a sawtooth of one second over 2 g.
  func tellTime() {
    changes = { time, _, reading in
      reading.specificForce.x = (time.seconds - time.seconds.rounded(.down)) * 3.9 - 1.95
    }
  }
}

/// A model, its driver, and the connection between them.
final class BMI160Rig: SampleConsumer {
  let clock = VirtualClock()
  let world = World.bmi160
  let model: BMI160Model
  let bus: SimulatedBus
  let port: TestPort
  let driver: any ChipDriver
  let edges: TestEdges
  let settings: SensorSettings
  private let reader: BusReader
  private(set) var samples: [Sample] = []
  private(set) var detections: [Detection] = []
  private(set) var errors: [ChipError] = []
  /// The next read is at this time.
  private var next = Timestamp.zero

  init(
    _ settings: SensorSettings, wire: Wire = .spi, clockError: Double = 0, isWired: Bool = true
  ) throws {
    model = BMI160Model(world, clockError: clockError)
    bus = SimulatedBus(clock: clock, speed: wire == .spi ? 8_000_000 : 400_000)
    let entry = try #require(ChipCatalog.entry(named: "bosch,bmi160"))
    let format = entry.description.wireFormat
    bus.attach(ModelPort(model, format: format), at: wire == .spi ? 0 : 0x69)
    let connection: any ChipPort =
      wire == .spi
      ? ConnectionPort(SPIConnection(SimulatedSPI(bus, select: 0), format: format))
      : ConnectionPort(I2CConnection(SimulatedI2C(bus), address: 0x69, format: format))
    port = TestPort(connection)
    driver = entry.driver(HostConnection(port))
    self.settings = try driver.configure(settings)
    edges = TestEdges(model, clock, pin: settings.interruptPin.number)
    let slot = ReaderSlot(
      source: 0, driver: driver, mounting: Mounting(), edges: isWired ? edges : nil,
      latenessLimit: .seconds(1))
    reader = BusReader([slot])
    reader.start(at: clock.now)
  }

  func receive(_ sample: Sample, from source: Int) { samples.append(sample) }
  func receive(_ detection: Detection, from source: Int) { detections.append(detection) }
  func chip(_ source: Int, failed error: ChipError) { errors.append(error) }
  func chipRecovered(_ source: Int) {}

  func run(_ span: TimeSpan) {
    let end = clock.now + span
    while clock.now < end {
      next = reader.turn(at: clock.now, to: self)
      clock.advance(to: min(next, end))
    }
  }

  func stop() -> ChipError? { reader.stop() }

  /// Runs the self-test to its end, and returns its duration.
  func runSelfTest() throws -> TimeSpan {
    let began = clock.now
    var batch = RawBatch()
    try driver.startSelfTest()
    var loop = DriverLoop()
    while true {
      batch.removeAll()
      loop.take(try driver.step(.due, into: &batch), at: clock.now)
      if loop.isOver { return clock.now - began }
      clock.advance(to: loop.due)
    }
  }

  /// Returns the number of samples that the chip took but that are neither delivered, counted as
  /// missing nor in its FIFO; `frameSize` is in bytes.
  func unaccounted(frameSize: Int) -> Int {
    model.advance(to: clock.now)
    let queued = Int(model.read(0x22)) | Int(model.read(0x23)) << 8
    let health = driver.health
    return Int(model.samplesTaken) - Int(health.received) - Int(health.missing)
      - queued / frameSize
  }

  var missing: Int { samples.reduce(0) { $0 + Int($1.missing) } }

  /// True if every sample is later than the previous one.
  var isStrictlyIncreasing: Bool {
    zip(samples, samples.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp }
  }

  /// Returns the largest difference, in periods, between a sample's time and the time that its
  /// sawtooth shows.
  func worstTimeError(skippingFirst count: Int = 0, countsPerG: Double) -> Double {
    let period = 1 / settings.rate
    return samples.dropFirst(count).reduce(0) { worst, sample in
      let truth = (-sample.acceleration.x + 1.95) / 3.9
      let said = sample.timestamp.seconds - sample.timestamp.seconds.rounded(.down)
      let error = abs(said - truth)
      // Subtract half a count and the step of the sawtooth.
      return max(worst, max(0, min(error, 1 - error) - 1 / countsPerG / 3.9) / period)
    }
  }
}
