// SPDX-License-Identifier: Apache-2.0
import BusTesting
import ChipCatalog
import Quantities
import Registers
import Testing

/// Tests of writes of several bytes, on each kind of bus.
@Suite struct BlockTests {
  private final class Wire {
    var lines: [String] = []
  }

  private struct I2C: I2CBus {
    let wire: Wire
    var longestWrite = Int.max
    var now: Timestamp { .zero }

    func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
      wire.lines.append("\(hex([address]))W " + hex(bytes.indices.map { bytes[$0] }))
    }

    func read(_ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8)
      throws(BusError)
    { throw .unsupported }
  }

  private struct SPI: SPIDevice {
    let wire: Wire
    var now: Timestamp { .zero }

    func write(_ bytes: Span<UInt8>) throws(BusError) {
      wire.lines.append(hex(bytes.indices.map { bytes[$0] }))
    }

    func read(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int)
      throws(BusError)
    { throw .unsupported }
  }

  private func write(
    _ bytes: [UInt8], to register: UInt8, on bus: inout some RegisterBus & ~Copyable
  ) throws(BusError) {
    try bus.write(bytes.span, to: register)
  }

  /// LIS3MDL data sheet, 5.1.1 and 5.2: a burst sets 0x80 of the sub-address on I2C, and 0x40 of
  /// the command on SPI. A single byte sets neither, and a write of no bytes makes no transaction.
  @Test func `a block is one transaction, with what the chip wants for a burst`() throws {
    let wire = Wire()
    let format = WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40)
    var i2c = I2CConnection(I2C(wire: wire), address: 0x1C, format: format)
    try write([0x70, 0x20, 0x03], to: 0x20, on: &i2c)
    try write([0x70], to: 0x20, on: &i2c)
    try write([], to: 0x20, on: &i2c)
    var spi = SPIConnection(SPI(wire: wire), format: format)
    try write([0x70, 0x20, 0x03], to: 0x20, on: &spi)
    try write([0x70], to: 0x20, on: &spi)
    #expect(
      wire.lines == ["1CW A0 70 20 03", "1CW 20 70", "60 70 20 03", "20 70"])
  }

  /// BMP280 data sheet, 5.2.1 and 5.3.1: a write consists of pairs of a control byte and data; on
  /// SPI bit 7 of each address is 0.
  @Test func `a chip that takes pairs is sent pairs`() throws {
    let wire = Wire()
    let format = WireFormat(spiImplied: 0x80, writesPairs: true)
    var i2c = I2CConnection(I2C(wire: wire), address: 0x76, format: format)
    try write([0x27, 0xA0], to: 0xF4, on: &i2c)
    var spi = SPIConnection(SPI(wire: wire), format: format)
    try write([0x27, 0xA0], to: 0xF4, on: &spi)
    #expect(wire.lines == ["76W F4 27 F5 A0", "74 27 75 A0"])
    #expect(i2c.longestWrite == 16 && spi.longestWrite == 16)
  }

  /// SMBus 2.0, 5.5.7, allows 32 bytes after the register.
  @Test func `what is too long is refused before anything travels`() throws {
    let wire = Wire()
    var free = I2CConnection(I2C(wire: wire), address: 0x68, format: WireFormat())
    #expect(free.longestWrite == 32)
    #expect(throws: BusError.tooLong(limit: 32)) {
      try write([UInt8](repeating: 0, count: 33), to: 0x5E, on: &free)
    }
    var short = I2CConnection(I2C(wire: wire, longestWrite: 3), address: 0x68, format: WireFormat())
    #expect(short.longestWrite == 2)
    #expect(throws: BusError.tooLong(limit: 2)) { try write([1, 2, 3], to: 0x5E, on: &short) }
    #expect(wire.lines.isEmpty)
    try write([UInt8](repeating: 0xA5, count: 32), to: 0x5E, on: &free)
    #expect(wire.lines == ["68W 5E" + String(repeating: " A5", count: 32)])
  }

  /// A bus type of another program, which writes single bytes only.
  private struct Plain: RegisterBus {
    let wire: Wire
    var now: Timestamp { .zero }

    func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
      throw .unsupported
    }

    func write(_ value: UInt8, to register: UInt8) throws(BusError) {
      wire.lines.append(hex([register, value]))
    }
  }

  @Test func `a connection that knows of no blocks says so`() throws {
    let wire = Wire()
    var bus = Plain(wire: wire)
    try write([7], to: 0x10, on: &bus)
    #expect(throws: BusError.tooLong(limit: 1)) { try write([7, 8], to: 0x10, on: &bus) }
    #expect(wire.lines == ["10 07"])
  }

  @Test func `tests see blocks, and one byte as one byte`() throws {
    let script = Script([.writeBlock(0x5E, [1, 2, 3]), .write(0x7C, 0), .write(0x7D, 1)]) {
      Issue.record("\($0)")
    }
    let log = TransactionLog()
    var bus = RecordingBus(FailingBus(script.bus, at: 1, throwing: .timeout), into: log)
    try write([1, 2, 3], to: 0x5E, on: &bus)
    #expect(throws: BusError.timeout) { try write([9, 9], to: 0x5E, on: &bus) }
    try write([0], to: 0x7C, on: &bus)
    try bus.write(1, to: 0x7D)
    #expect(log.transactions == [.writeBlock(0x5E, [1, 2, 3]), .write(0x7C, 0), .write(0x7D, 1)])
    #expect(log.failures == 1 && script.finish() == [])
    #expect(Transaction.writeBlock(0x5E, [1, 0xA2]).description == "write 5E: 01 A2")
  }

  /// The model receives the block, and its register number advances with each byte.
  @Test func `a model takes a block register by register`() throws {
    let model = BankedModel()
    let bench = Bench(model, address: 0x68)
    var chip = bench.connection
    try write([0x11, 0x22, 0x33, 0x01], to: 0x03, on: &chip)
    #expect(model.file[0x03] == 0x11 && model.file[FourBanksMap().power1].raw == 0x01)
    #expect(bench.wire == ["68W 03 11 22 33 01"])
  }
}
