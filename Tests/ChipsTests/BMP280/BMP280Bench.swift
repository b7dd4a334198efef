// SPDX-License-Identifier: Apache-2.0
import Buses
import ChipCatalog
import ChipModels
import Quantities
import Registers
import Sensors
import Testing

/// A world that is what the test says, or a little different at every conversion.
final class BMP280World: Surroundings {
  var reading = ChipReading(channels: [.pressure, .temperature, .humidity])
  /// kPa that each conversion finds more than the one before.
  var step = 0.0
  /// When each conversion looked.
  private(set) var times: [Timestamp] = []
  private let isRecording: Bool

  init(
    pressure: Double = 101.325, temperature: Double = 25, humidity: Double = 45,
    recording: Bool = true
  ) {
    isRecording = recording
    reading.pressure = pressure
    reading.temperature = temperature
    reading.humidity = humidity
  }

  func reading(at time: Timestamp) -> ChipReading {
    if isRecording { times.append(time) }
    var reading = reading
    reading.pressure += step * Double(times.count)
    return reading
  }
}

struct TestSample {
  var time: Timestamp
  var missing: UInt32
  var reading: ChipReading
}

/// One model on wires of its own, on which every byte is written down and any transaction can fail.
final class BMP280Bench {
  let world: BMP280World
  let model: any ChipModel
  let driver: any ChipDriver
  var settings = SensorSettings()
  private(set) var errors: [ChipError] = []
  private(set) var errorTimes: [Timestamp] = []
  private let wires: Wires
  private var due: Timestamp

  init(
    _ name: String, chip: String? = nil, world: BMP280World = BMP280World(), clockError: Double = 0,
    spi: Bool = false
  ) throws {
    let entry = try #require(ChipCatalog.entry(named: name))
    let format = entry.description.wireFormat
    self.world = world
    model = try #require(ChipCatalog.entry(named: chip ?? name)).model(world, clockError)
    wires = Wires(ModelPort(model, format: format))
    due = wires.now
    driver = entry.driver(
      HostConnection(
        spi
          ? ConnectionPort(SPIConnection(TestSPI(wires: wires), format: format))
          : ConnectionPort(I2CConnection(TestI2C(wires: wires), address: 0x76, format: format))))
  }

  var now: Timestamp { wires.now }
  /// Every transaction: what was sent, then what came back.
  var log: [[UInt8]] { wires.log }
  var failing: (Int) -> Bool {
    get { wires.failing }
    set { wires.failing = newValue }
  }
  /// Registers that hold something else than the model's.
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

  /// Calls the driver when it asks to be, `late` past that, or `eagerly` before, for `seconds`.
  func run(_ seconds: Double, eagerly: TimeSpan? = nil, late: () -> TimeSpan = { .zero })
    -> [TestSample]
  {
    let end = now + TimeSpan(seconds: seconds)
    var samples: [TestSample] = []
    var batch = RawBatch()
    var loop = DriverLoop()
    while due < end {
      wires.now = max(now, due + late())
      batch.removeAll()
      do throws(ChipError) {
        loop.take(try driver.step(.due, into: &batch), at: now)
        due = max(loop.due, now)
        if let eagerly { due = min(due, now + eagerly) }
        for frame in 0..<batch.frames {
          samples.append(
            TestSample(
              time: batch.timestamp(ofFrame: frame), missing: frame == 0 ? batch.missing : 0,
              reading: driver.decode(batch, frame: frame)))
        }
      } catch {
        errors.append(error)
        errorTimes.append(now)
        due = now + .milliseconds(10)
      }
    }
    wires.now = max(now, end)
    model.advance(to: now)
    return samples
  }

  /// Cuts the supply for a moment.
  func brownOut() {
    model.advance(to: now)
    model.powerCycle()
  }
}

/// 400 kHz, on a clock that transfers move.
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
