// SPDX-License-Identifier: Apache-2.0
import Registers
import LinuxBus
import Synchronization
import Testing

@Suite struct I2CTransportTests {
  typealias Call = FakeI2CKernel.Call
  typealias Message = FakeI2CKernel.Message

  /// I2C_FUNC_I2C from linux/i2c.h.
  let full = I2CFunctionality(rawValue: 0x1)
  /// The functionality of a PC's i801 without I2C_FUNC_I2C: quick, byte, byte data, blocks.
  let smbus = I2CFunctionality(rawValue: 0x0C1F_0000)
  /// The functionality of a piix4: no I2C blocks.
  let bytesOnly = I2CFunctionality(rawValue: 0x001F_0000)

  func read(
    _ kernel: FakeI2CKernel, _ functionality: I2CFunctionality, count: Int, after register: UInt8,
    from address: UInt8 = 0x68, advances: Bool = false
  ) throws(BusError) -> [UInt8] {
    let transport = I2CTransport(kernel, functionality)
    var bytes = [UInt8](repeating: 0xEE, count: count)
    var span = bytes.mutableSpan
    try transport.read(&span, after: register, from: address, advances: advances)
    return bytes
  }

  func write(
    _ kernel: FakeI2CKernel, _ functionality: I2CFunctionality, _ bytes: [UInt8],
    to address: UInt8 = 0x68
  ) throws(BusError) {
    try I2CTransport(kernel, functionality).write(bytes.span, to: address)
  }

  // MARK: Layout

  @Test func `a register read is one transaction of two messages`() throws {
    let kernel = FakeI2CKernel()
    let bytes = try read(kernel, full, count: 14, after: 0x3B)
    #expect(
      kernel.calls == [
        .transfer([
          Message(address: 0x68, flags: 0x0000, length: 1, sent: [0x3B]),
          Message(address: 0x68, flags: 0x0001, length: 14, sent: []),
        ])
      ])
    #expect(bytes == Array(0x3B...0x48))
  }

  @Test func `a write is one message`() throws {
    let kernel = FakeI2CKernel()
    try write(kernel, full, [0x6B, 0x80])
    #expect(
      kernel.calls == [
        .transfer([Message(address: 0x68, flags: 0, length: 2, sent: [0x6B, 0x80])])
      ])
  }

  @Test func `nothing is sent for no bytes`() throws {
    let kernel = FakeI2CKernel()
    try write(kernel, full, [])
    #expect(try read(kernel, full, count: 0, after: 0).isEmpty)
    #expect(kernel.calls.isEmpty)
  }

  @Test func `addresses have seven bits`() {
    let kernel = FakeI2CKernel()
    #expect(throws: BusError.unsupported) { try write(kernel, full, [0], to: 0x80) }
    #expect(throws: BusError.unsupported) {
      _ = try read(kernel, full, count: 1, after: 0, from: 0xD0)
    }
    #expect(kernel.calls.isEmpty)
  }

  @Test func `lengths are checked before the call`() throws {
    let kernel = FakeI2CKernel()
    #expect(throws: BusError.tooLong(limit: 8192)) {
      try write(kernel, full, [UInt8](repeating: 0, count: 8193))
    }
    #expect(throws: BusError.tooLong(limit: 8192)) {
      _ = try read(kernel, full, count: 8193, after: 0)
    }
    #expect(kernel.calls.isEmpty)
    #expect(try read(kernel, full, count: 8192, after: 0).count == 8192)
  }

  // MARK: Retries

  @Test func `an interrupted call is repeated`() throws {
    let kernel = FakeI2CKernel(failing: [-4, -4, -4])
    try write(kernel, full, [0x10, 1])
    #expect(kernel.calls.count == 4)
  }

  @Test func `a transfer that lost arbitration is repeated once`() throws {
    let once = FakeI2CKernel(failing: [-11])
    try write(once, full, [0x10, 1])
    #expect(once.calls.count == 2)
    let twice = FakeI2CKernel(failing: [-11, -4, -11])
    #expect(throws: BusError.arbitrationLost) { try write(twice, full, [0x10, 1]) }
    #expect(twice.calls.count == 3)
  }

  @Test(arguments: [-6, -121, -5, -110, -95, -19]) func `no other error is repeated`(errno: Int32) {
    let kernel = FakeI2CKernel(failing: [errno])
    #expect(throws: BusError(i2cTransfer: -errno, adapterIsPresent: true)) {
      _ = try read(kernel, full, count: 6, after: 0x28)
    }
    #expect(kernel.calls.count == 1)
  }

  @Test func `an unplugged adapter is reported as gone`() {
    let kernel = FakeI2CKernel(failing: [-19])
    kernel.state.withLock { $0.isPresent = false }
    #expect(throws: BusError.adapterGone) { _ = try read(kernel, full, count: 6, after: 0x28) }
  }

  // MARK: SMBus

  @Test func `a read of one byte over SMBus is a read of byte data`() throws {
    let kernel = FakeI2CKernel()
    #expect(try read(kernel, smbus, count: 1, after: 0x75) == [0x75])
    #expect(kernel.calls == [.select(0x68), .readByteData(0x75)])
  }

  @Test func `an SMBus read of up to 32 bytes is one block`() throws {
    let kernel = FakeI2CKernel()
    #expect(try read(kernel, smbus, count: 32, after: 0x10) == Array(0x10...0x2F))
    #expect(kernel.calls == [.select(0x68), .readBlock(0x10, 32)])
  }

  @Test func `a long SMBus read advances where the chip allows it`() throws {
    let kernel = FakeI2CKernel()
    #expect(
      try read(kernel, smbus, count: 65, after: 0x10, advances: true) == Array(0x10...0x50))
    #expect(
      kernel.calls == [
        .select(0x68), .readBlock(0x10, 32), .select(0x68), .readBlock(0x30, 32), .select(0x68),
        .readByteData(0x50),
      ])
  }

  @Test func `a long SMBus read is refused otherwise`() {
    let kernel = FakeI2CKernel()
    #expect(throws: BusError.tooLong(limit: 32)) {
      _ = try read(kernel, smbus, count: 33, after: 0x78)
    }
    #expect(kernel.calls.isEmpty)
  }

  @Test func `SMBus without blocks reads byte by byte where the chip allows it`() throws {
    let kernel = FakeI2CKernel()
    #expect(try read(kernel, bytesOnly, count: 3, after: 0x10, advances: true) == [16, 17, 18])
    #expect(kernel.calls.filter { $0 == .select(0x68) }.count == 3)
    #expect(throws: BusError.tooLong(limit: 1)) {
      _ = try read(kernel, bytesOnly, count: 2, after: 0x10)
    }
  }

  @Test func `a short SMBus block is an error`() {
    let kernel = FakeI2CKernel()
    kernel.state.withLock { $0.shortBlocks = true }
    #expect(throws: BusError.system(errno: 5)) {
      _ = try read(kernel, smbus, count: 6, after: 0x28)
    }
  }

  @Test func `an error in the second piece over SMBus is thrown`() {
    let kernel = FakeI2CKernel(failing: [0, 0, 0, -6])
    #expect(throws: BusError.noAcknowledge) {
      _ = try read(kernel, smbus, count: 40, after: 0, advances: true)
    }
  }

  @Test func `SMBus writes go by their length, and too long ones are refused`() throws {
    let kernel = FakeI2CKernel()
    try write(kernel, smbus, [0x10])
    try write(kernel, smbus, [0x10, 0x50])
    try write(kernel, smbus, [0x10, 1, 2, 3])
    #expect(
      kernel.calls == [
        .select(0x68), .writeByte(0x10), .select(0x68), .writeByteData(0x10, 0x50), .select(0x68),
        .writeBlock(0x10, [1, 2, 3]),
      ])
    #expect(throws: BusError.tooLong(limit: 33)) {
      try write(kernel, smbus, [UInt8](repeating: 0, count: 34))
    }
    #expect(throws: BusError.tooLong(limit: 2)) { try write(kernel, bytesOnly, [1, 2, 3]) }
  }

  /// I2C_FUNC_SMBUS_READ_WORD_DATA and WRITE_WORD_DATA from linux/i2c.h: on an adapter without
  /// blocks, 16-bit registers are accessed in one transaction, low byte first (SMBus 2.0, 5.5.4 and
  /// 5.5.5).
  @Test func `adapters without blocks move words`() throws {
    let words = I2CFunctionality(rawValue: 0x007F_0000)
    let kernel = FakeI2CKernel()
    try write(kernel, words, [0x03, 0xCE, 0x09])
    #expect(try read(kernel, words, count: 2, after: 0x0C) == [0x0C, 0x0D])
    #expect(
      kernel.calls == [
        .select(0x68), .writeWordData(0x03, 0x09CE), .select(0x68), .readWordData(0x0C),
      ])
    #expect(I2CTransport(kernel, words).longestWrite == 3)
    #expect(I2CTransport(kernel, words).longestRead == 2)
    #expect(throws: BusError.tooLong(limit: 3)) { try write(kernel, words, [1, 2, 3, 4]) }
    #expect(throws: BusError.tooLong(limit: 2)) {
      _ = try read(kernel, words, count: 3, after: 0x28)
    }
    // A single byte, and the last of an odd number, is still transferred as a byte.
    let odd = FakeI2CKernel()
    #expect(try read(odd, words, count: 3, after: 0x10, advances: true) == [0x10, 0x11, 0x12])
    #expect(
      odd.calls == [
        .select(0x68), .readWordData(0x10), .select(0x68), .readByteData(0x12),
      ])
  }

  /// With block transfers a word is a block of two bytes, with the same bytes on the bus.
  @Test func `adapters with blocks move words as blocks`() throws {
    let kernel = FakeI2CKernel()
    let both = I2CFunctionality(rawValue: 0x0C7F_0000)
    try write(kernel, both, [0x03, 0xCE, 0x09])
    _ = try read(kernel, both, count: 2, after: 0x0C)
    #expect(
      kernel.calls == [
        .select(0x68), .writeBlock(0x03, [0xCE, 0x09]), .select(0x68), .readBlock(0x0C, 2),
      ])
  }

  @Test func `an address that a kernel driver owns is busy and gets no transfer over SMBus`() {
    let kernel = FakeI2CKernel(failing: [-16])
    #expect(throws: BusError.busy) { try write(kernel, smbus, [0x10, 1]) }
    #expect(kernel.calls == [.select(0x68)])
  }

  @Test func `an adapter that can do nothing refuses everything`() {
    let kernel = FakeI2CKernel()
    let nothing = I2CFunctionality(rawValue: 0)
    #expect(throws: BusError.unsupported) { _ = try read(kernel, nothing, count: 1, after: 0) }
    #expect(throws: BusError.unsupported) { try write(kernel, nothing, [1]) }
    #expect(throws: BusError.unsupported) {
      _ = try I2CTransport(kernel, nothing).probe(0x68)
    }
    #expect(kernel.calls.isEmpty)
  }

  // MARK: Probe

  @Test(
    arguments: [
      (0x68, Call.quick), (0x2F, .quick), (0x30, .readByte), (0x37, .readByte), (0x38, .quick),
      (0x4F, .quick), (0x50, .readByte), (0x5F, .readByte), (0x60, .quick),
    ] as [(UInt8, Call)])
  func `a probe reads and writes as i2cdetect does`(address: UInt8, call: Call) throws {
    let kernel = FakeI2CKernel()
    #expect(try I2CTransport(kernel, smbus).probe(address))
    #expect(kernel.calls == [.select(address), call])
  }

  @Test func `a probe without SMBus reads one byte`() throws {
    let kernel = FakeI2CKernel()
    #expect(try I2CTransport(kernel, full).probe(0x68))
    #expect(
      kernel.calls == [
        .select(0x68), .transfer([Message(address: 0x68, flags: 1, length: 1, sent: [])]),
      ])
  }

  @Test func `a probe distinguishes silence from faults`() throws {
    for silence in [-6, -121, -5] as [Int32] {
      #expect(try !I2CTransport(FakeI2CKernel(failing: [0, silence]), smbus).probe(0x68))
    }
    #expect(throws: BusError.timeout) {
      _ = try I2CTransport(FakeI2CKernel(failing: [0, -110]), smbus).probe(0x68)
    }
    #expect(throws: BusError.busy) {
      _ = try I2CTransport(FakeI2CKernel(failing: [-16]), smbus).probe(0x68)
    }
  }
}
