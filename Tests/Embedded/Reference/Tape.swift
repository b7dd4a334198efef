// SPDX-License-Identifier: Apache-2.0
import BusTraces
import Boards
import ChipCatalog
import Quantities
import Registers
import Sensors

/// The bus traffic of a board's drivers with the times that they read, for playback on a
/// microcontroller.
///
/// All numbers are little endian. A header: `OTOTAPE2`, the length of all in 32 bits, the number of
/// chips in 8, then of each chip: kind (see `kinds`), SPI or not, address, way of acquisition,
/// number of the interrupt pin (8 bits each); rate, ranges of acceleration, rotation rate and
/// magnetic field (64-bit floating point each), the interval of batches (64 bits, ns), whether late
/// samples are kept (8). Then records, each beginning with its letter and the chip's place:
///
/// | | |
/// |---|---|
/// | `S` | the driver is called: edges since the last call (32 bits), the newest edge's time (64) |
/// | `C` | it requests the time, and gets it (64) |
/// | `W` | it writes: count (8), N bytes as on the wire, the outcome (32: a `PlatformStatus`) |
/// | `R` | it reads: count (8), the bytes sent before (the register with its flags), count (16), the outcome, the bytes |
/// | `E` | the end |
struct Tape {
  static let kinds = [
    "invensense,mpu6050", "st,lsm6ds3", "bosch,bmi160", "st,lis3mdl", "bosch,bmp280",
  ]
  private(set) var bytes: [UInt8] = Array("OTOTAPE2".utf8) + [0, 0, 0, 0]
  private(set) var steps = 0

  init(_ board: Board) throws {
    guard let trace = board.trace else { throw ReferenceError("no trace") }
    bytes.append(UInt8(board.chips.count))
    var wires: [String: WireCapture] = [:]
    var places: [String: UInt8] = [:]
    for (place, chip) in board.chips.enumerated() {
      guard let kind = Self.kinds.firstIndex(of: chip.chip),
        let entry = ChipCatalog.entry(named: chip.chip)
      else { throw ReferenceError("\(chip.chip) is not known to the firmware") }
      let isSPI = chip.address == nil
      let driver = entry.driver(HostConnection(SilentPort(isSPI: isSPI)))
      let settings = try driver.configure(chip.settings)
      places[chip.name] = UInt8(place)
      wires[chip.name] = WireCapture(
        isSPI: isSPI, address: chip.address ?? 0, format: entry.description.wireFormat)
      bytes += [UInt8(kind), isSPI ? 1 : 0, chip.address ?? 0]
      bytes += [settings.acquisition.rawValue, settings.interruptPin.number]
      bytes.add(Double(chip.settings.rate))
      bytes.add(Double(chip.settings.accelerationRange))
      bytes.add(Double(chip.settings.rotationRateRange))
      bytes.add(Double(chip.settings.magneticFieldRange))
      bytes.add(chip.settings.batchInterval.nanoseconds)
      bytes.append(settings.keepsLateSamples ? 1 : 0)
    }
    try addRecords(trace, places, wires)
    bytes += Array("E".utf8) + [0]
    bytes.replaceSubrange(
      8..<12, with: withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { Array($0) })
  }

  private mutating func addRecords(
    _ trace: Trace, _ places: [String: UInt8], _ wires: [String: WireCapture]
  ) throws {
    var started: Set<String> = []
    var edges: [String: Event] = [:]
    for event in trace.events {
      guard let place = places[event.chip], let wire = wires[event.chip] else { continue }
      if case .started = event.kind { started.insert(event.chip) }
      if case .stopped = event.kind { started.remove(event.chip) }
      // Before the start the recorder has read the registers; after the stop the chip is put to
      // sleep.
      guard started.contains(event.chip) else { continue }
      switch event.kind {
      case .stepped(let isEdge):
        let event = isEdge ? edges[event.chip] ?? .due : .due
        bytes += Array("S".utf8) + [place]
        bytes.add(Int32(event.edges))
        bytes.add(event.edgeTime.nanoseconds)
        steps += 1
      case .edges(let count, let newest):
        edges[event.chip] = Event(edges: count, edgeTime: newest)
      case .clock:
        bytes += Array("C".utf8) + [place]
        bytes.add(event.time.nanoseconds)
      case .transaction(let transaction): try add(transaction, place, wire)
      case .started: break
      case .opened, .stopped, .selfTestStarted, .health, .hole, .ended:
        throw ReferenceError("\(event.kind) in the middle of a run")
      }
    }
  }

  private mutating func add(_ transaction: TraceTransaction, _ place: UInt8, _ wire: WireCapture)
    throws
  {
    let read = if case .bytes(let read) = transaction.outcome { read } else { [UInt8]() }
    let status = Self.status(transaction.error)
    switch transaction.request {
    case .write(let register, let values):
      bytes += Array("W".utf8) + [place]
      let sent = try wire.write(values, to: register)
      bytes += [UInt8(sent.count)] + sent
      bytes.add(status)
    case .read(let register, let count):
      bytes += Array("R".utf8) + [place]
      let sent = try wire.read(count, from: register)
      bytes += [UInt8(sent.count)] + sent
      bytes.add(UInt16(count))
      bytes.add(status)
      bytes += read
    }
  }

  private static func status(_ error: BusError?) -> Int32 {
    switch error {
    case nil: PlatformStatus.done
    case .noAcknowledge: PlatformStatus.noAcknowledge
    case .arbitrationLost: PlatformStatus.arbitrationLost
    case .timeout: PlatformStatus.timeout
    case .unsupported: PlatformStatus.unsupported
    case .system(let errno): errno
    case .adapterGone, .tooLong, .busy: 99
    }
  }
}

/// Captures the bytes on the bus for a register access, as the chip's connection sends them.
final class WireCapture {
  private let isSPI: Bool
  private let address: UInt8
  private let format: WireFormat
  fileprivate var sent: [UInt8] = []

  init(isSPI: Bool, address: UInt8, format: WireFormat) {
    (self.isSPI, self.address, self.format) = (isSPI, address, format)
  }

  func write(_ values: [UInt8], to register: UInt8) throws -> [UInt8] {
    if isSPI {
      var connection = SPIConnection(SPIEar(capture: self), format: format)
      try connection.write(values.span, to: register)
    } else {
      var connection = I2CConnection(I2CEar(capture: self), address: address, format: format)
      try connection.write(values.span, to: register)
    }
    return sent
  }

  func read(_ count: Int, from register: UInt8) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    if isSPI {
      var connection = SPIConnection(SPIEar(capture: self), format: format)
      try connection.read(&span, from: register)
    } else {
      var connection = I2CConnection(I2CEar(capture: self), address: address, format: format)
      try connection.read(&span, from: register)
    }
    return sent
  }
}

private func array(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }

private struct I2CEar: I2CBus {
  let capture: WireCapture
  var now: Timestamp { .zero }
  func write(_ bytes: Span<UInt8>, to address: UInt8) { capture.sent = array(bytes) }
  func read(_ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8) {
    capture.sent = [register]
  }
}

private struct SPIEar: SPIDevice {
  let capture: WireCapture
  var now: Timestamp { .zero }
  func write(_ bytes: Span<UInt8>) { capture.sent = array(bytes) }
  func read(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int) {
    capture.sent = [command] + [UInt8](repeating: 0, count: dummyBytes)
  }
}

/// A port for a driver that is never run.
private final class SilentPort: ChipPort {
  let isSPI: Bool
  init(isSPI: Bool) { self.isSPI = isSPI }
  var now: Timestamp { .zero }
  var longestRead: Int { .max }
  var firmware: [UInt8] { [] }
  func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    throw .noAcknowledge
  }
  func write(_ value: UInt8, to register: UInt8) throws(BusError) { throw .noAcknowledge }
}
