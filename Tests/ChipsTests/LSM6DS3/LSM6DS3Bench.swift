// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors

/// A model on a bus that records every transaction and can fail on request.
final class LSM6DS3Bench {
  enum Transaction: Equatable {
    case write(UInt8, UInt8)
    case read(UInt8, Int)
  }

  let model: LSM6DS3Model
  let family: LSM6DS3Family
  var now = Timestamp(nanoseconds: 1_000_000_000)
  var log: [Transaction] = []
  /// The index of the transaction that fails; `nil` for none.
  var failing: Int?
  /// True if that failure comes in the middle of a transfer, after half of its bytes.
  var failsHalfway = false
  /// The fraction of transactions that fail, from a generator with a fixed seed.
  var failureChance = 0.0
  private var random: UInt64 = 0x9E37_79B9_7F4A_7C15
  /// True if no chip responds.
  var isAbsent = false
  /// Bits of CTRL3_C that always read as set.
  var stuckControl3: UInt8 = 0
  /// Register contents that replace those of the model.
  var overrides: [UInt8: UInt8] = [:]
  /// The value that replaces that of WHO_AM_I.
  var identity: UInt8?
  var longestRead = Int.max
  /// The time of one byte: nine bits at 400 kHz.
  var perByte = TimeSpan(nanoseconds: 22_500)

  convenience init(
    _ family: LSM6DS3Family, _ reading: ChipReading = LSM6DS3Bench.held, clockError: Double = 0
  ) {
    self.init(family, in: World(reading), clockError: clockError)
  }

  init(_ family: LSM6DS3Family, in input: any SensorInput, clockError: Double = 0) {
    self.family = family
    model = LSM6DS3Model(input, family: family, clockError: clockError)
  }

  static var held: ChipReading {
    .inertial(Vector3(0.1, -0.2, 0.97), Vector3(0.5, -0.25, 1), temperature: 31.5)
  }

  fileprivate func begin(_ transaction: Transaction, bytes: Int) throws(BusError) {
    log.append(transaction)
    model.advance(to: now)
    now = now + perByte * Int64(bytes)
    if failureChance > 0 {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      if Double(random >> 11) / 9_007_199_254_740_992 < failureChance { throw .noAcknowledge }
    }
    if isAbsent || failing == log.count - 1 && !failsHalfway { throw .noAcknowledge }
  }

  fileprivate func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    try begin(.read(register, bytes.count), bytes: bytes.count + 3)
    var address = register
    let breaks = failing == log.count - 1 && failsHalfway
    for index in bytes.indices {
      if breaks, index > bytes.count / 2 { throw .timeout }
      bytes[index] = model.read(address)
      if address == 0x12 { bytes[index] |= stuckControl3 }
      if address == 0x0F, let identity { bytes[index] = identity }
      if let override = overrides[address] { bytes[index] = override }
      address = model.successor(of: address)
    }
  }

  fileprivate func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try begin(.write(register, value), bytes: 3)
    model.write(value, to: register)
  }
}

struct LSM6DS3Bus: RegisterBus {
  let bench: LSM6DS3Bench
  var now: Timestamp { bench.now }
  var longestRead: Int { bench.longestRead }

  func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    try bench.read(&bytes, from: register)
  }

  func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try bench.write(value, to: register)
  }
}

extension World {
  /// Returns the world of a moving chip: `force` is its specific force in g over the seconds since
  /// the bench was created.
  static func moved(_ force: @escaping (Double) -> Vector3) -> World {
    let world = World(LSM6DS3Bench.held)
    world.changes = { time, _, reading in
      reading.specificForce = force(Double(time.nanoseconds) / 1e9 - 1)
    }
    return world
  }

  /// Returns a world whose x counts samples, so that each can be identified; 2 g are 32767 counts.
  static func counting() -> World {
    let world = World(.inertial(Vector3(0, 0.5, -0.5), Vector3(1, -1, 0.5), temperature: 0))
    world.changes = { _, readings, reading in
      reading.specificForce.x = Double((readings - 1) % 32768) * 0.000061
    }
    return world
  }
}

/// A driver on its bench, called at the times that it requests.
final class LSM6DS3Run {
  let bench: LSM6DS3Bench
  private var driver: LSM6DS3<LSM6DS3Bus>
  private var owner: Owner
  let isWired: Bool
  /// The interrupt pin that is wired to the line.
  let pin: UInt8
  /// The settings as the driver granted them.
  let taken: SensorSettings
  var outcome: Outcome { owner.outcome }
  var detections: [Detection] { outcome.detections }
  var readings: [ChipReading] { outcome.frames.map(\.reading) }
  var times: [Timestamp] { outcome.frames.map(\.time) }
  /// The times when samples were delivered.
  var deliveries: [Timestamp] { outcome.deliveries }
  /// The number of samples that the driver reported as missing.
  var missing: Int { outcome.missing }
  var errors: [ChipError] { outcome.errors }

  init(_ bench: LSM6DS3Bench, _ settings: SensorSettings, isWired: Bool = false) throws {
    self.bench = bench
    self.isWired = isWired
    pin = settings.interruptPin.number
    driver = LSM6DS3(LSM6DS3Bus(bench: bench), expecting: bench.family)
    taken = try driver.configure(settings)
    driver.start()
    owner = Owner(due: bench.now)
  }

  var health: Health { driver.health }
  var family: LSM6DS3Family { driver.family }
  var channels: ChannelSet { driver.channels }
  var selfTest: SelfTestReport? { driver.selfTest }
  func startSelfTest() throws { try driver.startSelfTest() }

  /// Starts sampling again.
  func restart() {
    driver.start()
    owner.wait(until: bench.now)
  }
  func stop() throws { try driver.stop() }

  /// Calls the driver once, at the time that it requested.
  func turn() {
    var event = Event.due
    if isWired, owner.loop.waitsForEdge {
      bench.model.advance(to: bench.now)
      var edges = bench.model.takeEdges(of: pin)
      while edges.count == 0, let next = bench.model.nextEdge(of: pin), next < owner.loop.due {
        bench.now = max(bench.now, next)
        bench.model.advance(to: bench.now)
        edges = bench.model.takeEdges(of: pin)
      }
      if edges.count == 0 { bench.now = max(bench.now, owner.loop.due) }
      event = Event(edges: edges.count, edgeTime: edges.newest)
    } else {
      bench.now = max(bench.now, owner.loop.due)
    }
    bench.model.advance(to: bench.now)
    owner.step(&driver, event) { self.bench.now }
  }

  func run(_ span: TimeSpan) {
    let end = bench.now + span
    while bench.now < end { turn() }
  }

  /// Calls the driver until samples are delivered, at most `most` times.
  func start(most: Int = 400) {
    var turns = 0
    while outcome.frames.isEmpty, turns < most {
      turn()
      turns += 1
    }
  }

  /// The smallest difference between the times of two samples; positive if they strictly increase.
  var smallestStep: TimeSpan {
    zip(times, times.dropFirst()).map { $1 - $0 }.min() ?? .zero
  }
}

let degree = Double.pi / 180
