// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

extension World {
  /// Returns weather with pressure in kPa, temperature in degrees Celsius and humidity in percent.
  static func weather(
    pressure: Double = 101.325, temperature: Double = 25, humidity: Double = 45,
    remembers: Bool = true
  ) -> World {
    var held = ChipReading(channels: [.pressure, .temperature, .humidity])
    held.pressure = pressure
    held.temperature = temperature
    held.humidity = humidity
    return World(held, remembers: remembers)
  }

  /// Makes the pressure rise by `step` kPa with each conversion.
  func climb(_ step: Double) {
    changes = { _, readings, reading in reading.pressure += step * Double(readings) }
  }
}

/// One model on a bus on which every byte is recorded and any transaction can fail.
final class BMP280Bench {
  let world: World
  let model: any ChipModel
  var driver: BMP280<HostConnection>
  var settings = SensorSettings()
  private var owner: Owner
  private let wires: Wires
  private var due: Timestamp

  init(
    _ name: String, chip: String? = nil, world: World = World.weather(), clockError: Double = 0,
    spi: Bool = false
  ) throws {
    let format = BMP280Chip.wireFormat
    self.world = world
    model = try #require(ChipCatalog.entry(named: chip ?? name)).model(world, clockError)
    wires = Wires(ModelPort(model, format: format))
    due = wires.now
    owner = Owner(due: wires.now)
    driver = BMP280(
      HostConnection(
        spi
          ? ConnectionPort(SPIConnection(TestSPI(wires: wires), format: format))
          : ConnectionPort(I2CConnection(TestI2C(wires: wires), address: 0x76, format: format))),
      expecting: name == "bosch,bme280" ? .bme280 : .bmp280)
  }

  var errors: [ChipError] { owner.outcome.errors }
  var errorTimes: [Timestamp] { owner.outcome.errorTimes }
  var now: Timestamp { wires.now }
  /// Every transaction: the bytes sent, then the bytes received.
  var log: [[UInt8]] { wires.log }
  var failing: (Int) -> Bool {
    get { wires.failing }
    set { wires.failing = newValue }
  }
  /// Register contents that replace those of the model.
  var overrides: [UInt8: UInt8] {
    get { wires.overrides }
    set { wires.overrides = newValue }
  }

  func start(rate: Double, bandwidth: Double? = nil, power: PowerMode = .normal) throws {
    var wanted = SensorSettings(rate: rate, bandwidth: bandwidth)
    wanted.power = power
    settings = try driver.configure(wanted)
    driver.start()
    due = now
  }

  /// Calls the driver for `seconds` at the times that it requests, `late` after them or `eagerly`
  /// before.
  func run(_ seconds: Double, eagerly: TimeSpan? = nil, late: () -> TimeSpan = { .zero })
    -> [Outcome.Frame]
  {
    let end = now + TimeSpan(seconds: seconds)
    let before = owner.outcome.frames.count
    while due < end {
      wires.now = max(now, due + late())
      owner.step(&driver) { self.now }
      due = max(owner.loop.due, now)
      if let eagerly { due = min(due, now + eagerly) }
    }
    wires.now = max(now, end)
    model.advance(to: now)
    return Array(owner.outcome.frames.dropFirst(before))
  }

  /// Interrupts the chip's power for a moment.
  func brownOut() {
    model.advance(to: now)
    model.powerCycle()
  }
}

/// A bus at 400 kHz, whose clock advances with each transfer.
private final class Wires {
  let port: ModelPort
  var now = Timestamp(nanoseconds: 5_000_000_000)
  var log: [[UInt8]] = []
  var failing: (Int) -> Bool = { _ in false }
  var overrides: [UInt8: UInt8] = [:]

  init(_ port: ModelPort) { self.port = port }

  func begin(_ bytes: [UInt8]) throws(BusError) {
    log.append(bytes)
    port.model.advance(to: now)
    guard !failing(log.count - 1) else { throw .noAcknowledge }
    now = now + .microseconds(Int64(bytes.count + 2) * 22)
  }

  func end(_ bytes: inout MutableSpan<UInt8>, register: UInt8) {
    for index in bytes.indices {
      if let value = overrides[register &+ UInt8(truncatingIfNeeded: index)] {
        bytes[index] = value
      }
      log[log.count - 1].append(bytes[index])
    }
    now = now + .microseconds(Int64(bytes.count) * 22)
  }
}

private struct TestI2C: I2CBus {
  let wires: Wires
  var now: Timestamp { wires.now }

  func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    try wires.begin(bytes.indices.map { bytes[$0] })
    wires.port.write(bytes)
  }

  func read(_ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8)
    throws(BusError)
  {
    try wires.begin([register])
    let pointer: InlineArray<1, UInt8> = [register]
    wires.port.write(pointer.span)
    wires.port.read(&bytes)
    wires.end(&bytes, register: register)
  }
}

private struct TestSPI: SPIDevice {
  let wires: Wires
  var now: Timestamp { wires.now }

  func write(_ bytes: Span<UInt8>) throws(BusError) {
    try wires.begin(bytes.indices.map { bytes[$0] })
    wires.port.frame(bytes)
  }

  func read(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int)
    throws(BusError)
  {
    try wires.begin([command])
    wires.port.frame(&bytes, after: command, dummyBytes: dummyBytes)
    wires.end(&bytes, register: command)
  }
}
