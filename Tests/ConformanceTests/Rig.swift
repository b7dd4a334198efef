// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Foundation
import Quantities
import Registers
import Sampling
import Sensors
import Simulation
import Boards
import Testing

/// A chip of the catalogue on one of the buses that it supports.
struct Row: CustomTestStringConvertible, Sendable {
  let entry: CatalogEntry
  let wire: Wire

  var testDescription: String { "\(entry.description.name) over \(wire.rawValue)" }

  var description: ChipDescription { entry.description }

  /// The rows that differ in driver, register map or timing, for tests that take long.
  static let distinct = all.filter { row in
    let name = row.description.name
    return name != "invensense,mpu9250" && !(name == "invensense,mpu6000" && row.wire == .i2c)
  }

  /// The catalogue entries; only the one named by OTOLITH_CHIP if it is set.
  static let entries: [CatalogEntry] = {
    let name = ProcessInfo.processInfo.environment["OTOLITH_CHIP"]
    return ChipCatalog.entries.filter { name == nil || $0.description.name == name }
  }()

  static let all: [Row] = entries.flatMap { entry in
    entry.description.wires.map { Row(entry: entry, wire: $0) }
  }
}

/// A chip on a bus, with an acquisition.
struct Way: CustomTestStringConvertible, Sendable {
  let row: Row
  let acquisition: Acquisition
  let power: PowerMode
  /// True if data-ready uses the FIFO to keep late samples.
  var keepsLateSamples = false

  var testDescription: String {
    "\(row.testDescription), \(acquisition)\(keepsLateSamples ? " kept" : ""), \(power) power"
  }

  static let all: [Way] =
    Row.all.flatMap { row in
      row.description.acquisitions.filter { $0 != .detections }.flatMap { acquisition in
        PowerMode.allCases.map { Way(row: row, acquisition: acquisition, power: $0) }
      }
    } + kept

  /// Data-ready of those chips whose FIFO keeps late samples.
  static let kept: [Way] = Row.all.filter {
    $0.description.acquisitions.contains(.dataReady) && $0.description.acquisitions.contains(.fifo)
  }.map { Way(row: $0, acquisition: .dataReady, power: .normal, keepsLateSamples: true) }
    .filter { way in (try? Rig(way.row).driver.configure(way.settings()))?.keepsLateSamples == true
    }

  static let normal = all.filter { $0.power == .normal }

  /// One way of each distinct kind: those whose row is in `Row.distinct`.
  static let distinct = all.filter { way in
    Row.distinct.contains { $0.testDescription == way.row.testDescription }
  }

  /// Returns settings of this way; the rate is the chip's nearest to `rate`.
  func settings(rate: Double? = nil) -> SensorSettings {
    let rates = row.description.rates
    let wanted = rate ?? 100
    let nearest = rates.min { abs($0 - wanted) < abs($1 - wanted) } ?? wanted
    var settings = SensorSettings(rate: nearest, acquisition: acquisition)
    settings.power = power
    settings.keepsLateSamples = keepsLateSamples
    setRanges(of: &settings) { $0.dropFirst().first }
    return settings
  }

  /// Sets the range of each channel to the one that `choose` selects among the chip's, if any.
  func setRanges(of settings: inout SensorSettings, _ choose: ([Double]) -> Double?) {
    for channel in row.description.channels {
      if let range = choose(channel.ranges) { settings[range: channel.channel] = range }
    }
  }
}

/// The quantities at a chip, set by the test, with the times when they were read.
final class TestInput: SensorInput {
  var held = ChipReading()
  /// The specific force over time; `nil` for a constant one.
  var script: ((Timestamp) -> Vector3)?
  /// Encodes the time in the measured values; `nil` for constant values.
  var ramp: Ramp?

  init() {
    held.specificForce = Vector3(0.11, -0.23, 0.95)
    // The rates are within the smallest range of any chip, 15.6 degrees per second.
    held.rotationRate = Vector3(0.1, -0.05, 0.2)
    held.magneticField = Vector3(20, -5, -42)
    held.pressure = 98.7
    held.temperature = 31.5
    held.humidity = 45
    for channel in Channel.singles { held.scalars[channel] = channel.top / 4 }
  }

  func reading(at time: Timestamp) -> ChipReading {
    if let script {
      var reading = held
      reading.specificForce = script(time)
      return reading
    }
    guard let ramp else { return held }
    var reading = held
    let level = ramp.level(at: time)
    reading.specificForce.x = level * ramp.settings.accelerationRange
    reading.magneticField.x = level * ramp.settings.magneticFieldRange
    reading.pressure = 85 + 20 * level
    reading.humidity = 50 + level * 45
    for channel in Channel.singles {
      reading.scalars[channel] = channel.top * (level + 1) / 2
    }
    return reading
  }
}

/// A sawtooth over 64 samples whose level shows the time of measurement to a thousandth of a
/// period. The driver does not know this clock.
struct Ramp {
  var settings: SensorSettings
  /// The true sample period in seconds.
  var period: Double

  /// Returns the level from -0.9 to 0.9 of full scale.
  func level(at time: Timestamp) -> Double {
    let phase = time.secondsSinceEpoch / period / 64
    return (phase - phase.rounded(.down)) * 1.8 - 0.9
  }

  /// Returns the true time of `sample` in periods; its time stamp decides between the sawtooth's
  /// periods.
  func truth(_ sample: Sample) -> Double {
    let level: Double
    if sample.channels.contains(.acceleration) {
      level = -sample.acceleration.x / settings.accelerationRange
    } else if sample.channels.contains(.magneticField) {
      level = sample.magneticField.x / settings.magneticFieldRange
    } else if sample.channels.contains(.pressure) {
      level = (sample.pressure - 85) / 20
    } else if sample.channels.contains(.humidity) {
      level = (sample.humidity - 50) / 45
    } else {
      let channel = Channel.singles.first { sample.channels.contains($0) } ?? .illuminance
      level = sample.scalars[channel] / channel.top * 2 - 1
    }
    let phase = (level + 0.9) / 1.8 * 64
    let said = sample.timestamp.secondsSinceEpoch / period
    return phase + 64 * ((said - phase) / 64).rounded()
  }
}

extension Channel {
  /// The scalar channels without other tests here.
  static let singles = allCases.filter {
    !$0.isVector && ![.pressure, .temperature, .humidity].contains($0)
  }

  /// The largest value of the channel in these tests.
  var top: Double { min(row.limits.upperBound, 1000) }
}

extension Timestamp {
  var secondsSinceEpoch: Double { Double(nanoseconds) * 1e-9 }
}

/// A chip's port that fails on request and records every accessed register.
final class WatchedPort: ChipPort {
  private let base: any ChipPort
  var count = 0
  /// The indices of transactions that fail before they reach the chip.
  var failing: Range<Int> = 0..<0
  var error = BusError.noAcknowledge
  var writes: [(register: UInt8, bytes: [UInt8])] = []
  var remembersWrites = false
  /// The registers by which firmware is loaded, and the indices of the transactions that load it.
  var firmwareRegisters: ClosedRange<UInt8>?
  private(set) var loads: Set<Int> = []

  init(_ base: any ChipPort) { self.base = base }

  var now: Timestamp { base.now }
  var longestRead: Int { base.longestRead }
  var longestWrite: Int { base.longestWrite }
  var isSPI: Bool { base.isSPI }
  var firmware: [UInt8] { base.firmware }

  func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    try pass()
    try base.read(&bytes, from: register)
  }

  func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try pass()
    if remembersWrites { writes.append((register, [value])) }
    try base.write(value, to: register)
  }

  func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    let loadsFirmware = firmwareRegisters?.contains(register) == true
    if loadsFirmware { loads.insert(count) }
    try pass()
    if remembersWrites, !loadsFirmware {
      writes.append((register, bytes.indices.map { bytes[$0] }))
    }
    try base.write(bytes, to: register)
  }

  private func pass() throws(BusError) {
    defer { count += 1 }
    if failing.contains(count) { throw error }
  }
}

/// Collects everything that a reader delivers.
final class Collector: SampleConsumer {
  var samples: [Sample] = []
  var errors: [ChipError] = []
  var recoveries = 0
  var detections: [Detection] = []
  /// True if samples are kept; otherwise they are only counted.
  var keeps = true
  var count = 0
  var missing = 0
  var first: Sample?
  var last: Sample?
  var isMonotonic = true
  /// The longest time from one sample to the next.
  var longestGap = TimeSpan.zero

  func receive(_ sample: Sample, from source: Int) {
    if keeps { samples.append(sample) }
    if let last {
      if sample.timestamp <= last.timestamp { isMonotonic = false }
      longestGap = max(longestGap, sample.timestamp - last.timestamp)
      missing += Int(sample.missing)
    } else {
      first = sample
    }
    count += 1
    last = sample
  }

  func chip(_ source: Int, failed error: ChipError) { errors.append(error) }
  func chipRecovered(_ source: Int) { recoveries += 1 }
  func receive(_ detection: Detection, from source: Int) { detections.append(detection) }
}

/// The edges of a model's interrupt pin.
final class PinEdges: EdgeSource {
  private let model: any ChipModel
  private let clock: VirtualClock
  /// Returns true if the line works at this time since the beginning.
  private let isWired: (TimeSpan) -> Bool
  private let begin: Timestamp

  init(
    _ model: any ChipModel, _ clock: VirtualClock, _ isWired: @escaping (TimeSpan) -> Bool
  ) {
    self.model = model
    self.clock = clock
    self.isWired = isWired
    begin = clock.now
  }

  func takeEdges() -> Event {
    model.advance(to: clock.now)
    let edges = model.takeEdges(of: 1)
    return Event(edges: isWired(clock.now - begin) ? edges.count : 0, edgeTime: edges.newest)
  }

  var nextEdge: Timestamp? {
    isWired(clock.now - begin) ? model.nextEdge(of: 1) : nil
  }
}

/// One chip of the catalogue on a simulated bus with its driver, on a virtual clock.
final class Rig {
  let clock = VirtualClock()
  let input = TestInput()
  let model: any ChipModel
  let bus: SimulatedBus
  let port: WatchedPort
  let driver: any ChipDriver
  let collector = Collector()
  private let reader: BusReader
  private let clockError: Double
  let row: Row

  init(
    _ row: Row, faults: [Fault] = [], clockError: Double = 0, isAttached: Bool = true,
    speed: Int64? = nil, hasEdges: @escaping (TimeSpan) -> Bool = { _ in true },
    wrap: (any ChipModel) -> any ChipModel = { $0 }
  ) {
    self.row = row
    self.clockError = clockError
    let isI2C = row.wire == .i2c
    bus = SimulatedBus(
      clock: clock, speed: speed ?? (isI2C ? 400_000 : 1_000_000), bitsPerByte: isI2C ? 9 : 8)
    let format = row.description.wireFormat
    let bare = wrap(row.entry.model(input, clockError))
    let faulty = FaultyModel(
      bare, faults: faults, identityRegister: row.description.identity.register,
      on: isI2C ? .i2c : .spi, origin: clock.now, seed: 7)
    model = faults.isEmpty ? bare : faulty
    let select = isI2C ? row.description.addresses[0] : 0
    if isAttached {
      bus.attach(
        ModelPort(model, format: format, words: row.description.words), at: select,
        faults: faults.isEmpty ? nil : faulty)
    }
    let firmware = row.description.firmware?.standIn ?? []
    port = WatchedPort(
      isI2C
        ? ConnectionPort(
          I2CConnection(SimulatedI2C(bus), address: select, format: format), firmware: firmware)
        : ConnectionPort(
          SPIConnection(SimulatedSPI(bus, select: select), format: format), firmware: firmware))
    port.firmwareRegisters = row.description.firmware.map {
      $0.addressRegisters.lowerBound...$0.register
    }
    driver = row.entry.driver(HostConnection(port))
    reader = BusReader([
      ReaderSlot(
        source: 0, driver: driver, mounting: Mounting(), edges: PinEdges(model, clock, hasEdges),
        latenessLimit: .seconds(10))
    ])
  }

  /// Starts the driver. With `tellsTime` the world is a ramp that shows the true time of every
  /// sample.
  func start(_ settings: SensorSettings, tellsTime: Bool = false) throws -> SensorSettings {
    let chosen = try driver.configure(settings)
    reader.slots[0].expect(row.description.countSizes(with: chosen))
    if tellsTime {
      input.ramp = Ramp(settings: chosen, period: 1 / chosen.rate / (1 + clockError))
    }
    reader.start(at: clock.now)
    return chosen
  }

  /// The counts of readings without a value and at the end of a range.
  var quality: ReadingQuality { reader.slots[0].quality }

  /// The number of samples that the chip took from the first to the last delivered one, according
  /// to the ramp.
  var taken: Double {
    guard let ramp = input.ramp, let first = collector.first, let last = collector.last
    else { return 0 }
    return ramp.truth(last) - ramp.truth(first) + 1
  }

  /// Runs the driver for `span`, or until `isDone` returns true.
  func run(for span: TimeSpan, until isDone: () -> Bool = { false }) {
    let end = clock.now + span
    var idle = 0
    while clock.now < end, !isDone() {
      let before = clock.now
      let next = reader.turn(at: clock.now, to: collector)
      clock.advance(to: min(next, end))
      idle = clock.now == before ? idle + 1 : 0
      if idle > 1000 {
        Issue.record("the driver asks to be called again and again and nothing happens")
        return
      }
    }
  }
}
