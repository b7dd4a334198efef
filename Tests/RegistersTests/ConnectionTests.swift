// SPDX-License-Identifier: Apache-2.0
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// The bus traffic with one entry per transaction, as a logic analyser shows it.
final class Wires {
  var seen: [String] = []
  var fault: BusError?

  func note(_ text: String) throws(BusError) {
    if let fault { throw fault }
    seen.append(text)
  }

  static func text(_ bytes: Span<UInt8>) -> String {
    bytes.indices.map { String(bytes[$0], radix: 16) }.joined(separator: " ")
  }
}

struct FakeI2C: I2CBus {
  let wires: Wires
  var now: Timestamp { Timestamp(nanoseconds: 42) }

  func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    try wires.note("\(String(address, radix: 16))W \(Wires.text(bytes))")
  }

  func read(_ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8)
    throws(BusError)
  {
    try wires.note(
      "\(String(address, radix: 16))W \(String(register, radix: 16)) R\(bytes.count)")
    for index in bytes.indices { bytes[index] = UInt8(index + 1) }
  }
}

struct FakeSPI: SPIDevice {
  let wires: Wires
  var now: Timestamp { Timestamp(nanoseconds: 43) }

  func write(_ bytes: Span<UInt8>) throws(BusError) { try wires.note(Wires.text(bytes)) }

  func read(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int)
    throws(BusError)
  {
    try wires.note("\(String(command, radix: 16)) d\(dummyBytes) R\(bytes.count)")
    for index in bytes.indices { bytes[index] = UInt8(index + 1) }
  }
}

@Suite struct ConnectionTests {
  let wires = Wires()

  func read(_ bus: inout some RegisterBus & ~Copyable, _ register: UInt8, count: Int)
    throws -> [UInt8]
  {
    var bytes = [UInt8](repeating: 0xEE, count: count)
    var span = bytes.mutableSpan
    try bus.read(&span, from: register)
    return bytes
  }

  /// LIS3MDL data sheet section 5.1.1: the top bit of the sub-address makes a burst advance.
  @Test func `LIS3MDL sets the top bit for bursts only`() throws {
    var bus = I2CConnection(
      FakeI2C(wires: wires), address: 0x1C, format: LIS3MDLChip.wireFormat)
    #expect(try read(&bus, 0x0F, count: 1) == [1])
    #expect(try read(&bus, 0x28, count: 6) == [1, 2, 3, 4, 5, 6])
    #expect(try read(&bus, 0x2E, count: 2) == [1, 2])
    try bus.write(0x7C, to: 0x20)
    #expect(wires.seen == ["1cW f R1", "1cW a8 R6", "1cW ae R2", "1cW 20 7c"])
    #expect(bus.now == Timestamp(nanoseconds: 42))
  }

  @Test func `MPU-6050 advances by itself`() throws {
    var bus = I2CConnection(
      FakeI2C(wires: wires), address: 0x69, format: MPU6050Chip.wireFormat)
    #expect(try read(&bus, 0x3B, count: 14).count == 14)
    #expect(try read(&bus, 0x75, count: 1) == [1])
    try bus.write(0x80, to: 0x6B)
    #expect(wires.seen == ["69W 3b R14", "69W 75 R1", "69W 6b 80"])
  }

  /// LIS3MDL data sheet section 5.2: bit 7 reads, bit 6 advances.
  @Test func `a LIS3MDL over SPI has bit 7 to read and bit 6 to advance`() throws {
    var bus = SPIConnection(FakeSPI(wires: wires), format: LIS3MDLChip.wireFormat)
    _ = try read(&bus, 0x0F, count: 1)
    _ = try read(&bus, 0x27, count: 7)
    try bus.write(0x04, to: 0x21)
    #expect(wires.seen == ["8f d0 R1", "e7 d0 R7", "21 4"])
    #expect(bus.now == Timestamp(nanoseconds: 43))
  }

  @Test func `dummy bytes are passed on`() throws {
    var bus = SPIConnection(FakeSPI(wires: wires), format: WireFormat(spiDummyBytes: 1))
    _ = try read(&bus, 0x0C, count: 2)
    #expect(wires.seen == ["8c d1 R2"])
  }

  @Test func `an error of the bus passes through both connections`() {
    wires.fault = .busy
    var i2c = I2CConnection(FakeI2C(wires: wires), address: 0x68, format: WireFormat())
    do throws(BusError) {
      try i2c.write(0, to: 0)
      Issue.record("written")
    } catch { #expect(error == .busy) }
    var spi = SPIConnection(FakeSPI(wires: wires), format: WireFormat())
    do throws(BusError) {
      try spi.write(0, to: 0)
      Issue.record("written")
    } catch { #expect(error == .busy) }
  }
}
