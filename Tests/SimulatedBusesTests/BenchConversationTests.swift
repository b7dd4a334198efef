// SPDX-License-Identifier: Apache-2.0
import SimulatedBuses
import Registers
import Quantities
import Testing

/// Tests of the records of the virtual bench, byte by byte.
struct BenchConversationTests {
  /// A bus target that notes each transfer and fills reads with ascending numbers.
  final class Witness: BusTarget {
    private(set) var asked: [String] = []
    private var next: UInt8 = 0xA0

    @_lifetime(received: copy received)
    func transfer(
      _ sent: Span<UInt8>, _ received: inout MutableSpan<UInt8>, at address: UInt8
    ) throws(BusError) {
      var bytes: [UInt8] = []
      for index in sent.indices { bytes.append(sent[index]) }
      asked.append("\(address): \(bytes) > \(received.count)")
      switch address {
      case 0x51: throw .timeout
      case 0x52: throw .arbitrationLost
      case 0x53: throw .noAcknowledge
      default: break
      }
      for index in received.indices {
        received[index] = next
        next &+= 1
      }
    }

    func exchange(_ bytes: inout MutableSpan<UInt8>, at select: UInt8) throws(BusError) {
      asked.append("select \(select): \(bytes.count)")
      switch select {
      case 8: throw .timeout
      case 9: throw .noAcknowledge
      default: for index in bytes.indices { bytes[index] = ~bytes[index] }
      }
    }

    func advance() {}
  }

  let witness = Witness()

  private func answer(_ record: [UInt8], from target: some BusTarget, room: Int = 65536) -> [UInt8]
  {
    var reply = [UInt8](repeating: 0x77, count: room)
    var span = reply.mutableSpan
    let size = BenchConversation.answer(record.span, from: target, into: &span)
    return Array(reply.prefix(size))
  }

  private func answer(_ record: [UInt8]) -> [UInt8] { answer(record, from: witness) }

  @Test func `a read register is the exchange typed by hand`() {
    let record: [UInt8] = [
      0x21, 0, 0, 0, 1, 0, 0, 0, 0x2A, 0, 0, 0, 2, 0, 0, 0,  // 33 bytes, I2C, id 42, two messages
      0x68, 0, 0, 0, 1, 0, 0, 0,  // writes one byte to 0x68
      0x68, 0, 1, 0, 2, 0, 0, 0,  // reads two bytes
      0x75,
    ]
    #expect(
      answer(record) == [0x12, 0, 0, 0, 3, 0, 0, 0, 0x2A, 0, 0, 0, 0, 0, 0, 0, 0xA0, 0xA1])
    #expect(witness.asked == ["104: [117] > 2"])
  }

  @Test func `a frame is the exchange typed by hand`() {
    let record: [UInt8] = [
      0x22, 0, 0, 0, 2, 0, 1, 0, 0x2A, 1, 0, 0, 0, 0, 0, 0,  // 34 bytes, SPI, select 1, id 298
      3, 0, 0, 0, 0x40, 0x42, 0x0F, 0, 8, 0, 0, 0, 2, 0, 0, 0,  // mode 3, 1 MHz, 8 bits, two words
      0x8F, 0x00,
    ]
    #expect(
      answer(record) == [0x12, 0, 0, 0, 3, 0, 0, 0, 0x2A, 1, 0, 0, 0, 0, 0, 0, 0x70, 0xFF])
    #expect(witness.asked == ["select 1: 2"])
  }

  @Test func `a line that goes high and low is the exchange typed by hand`() {
    var record = [UInt8](repeating: 0x77, count: 40)
    var span = record.mutableSpan
    // The time is 0x0102030405060708 ns.
    let time = Timestamp(nanoseconds: 72_623_859_790_382_856)
    #expect(BenchRecord.line(5, true, at: time, in: &span) == 24)
    #expect(
      record == [0x18, 0, 0, 0, 4, 0, 5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1]
        + [UInt8](repeating: 0x77, count: 16))
    span = record.mutableSpan
    #expect(BenchRecord.line(31, false, at: time, in: &span) == 24)
    #expect(record.prefix(16) == [0x18, 0, 0, 0, 4, 0, 31, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func `a write and the read after it are one transfer, all else one each`() {
    let record = BenchBytes.i2c(
      id: 9, unit: 1,
      [
        BenchBytes.message(0x68, 0, 1), BenchBytes.message(0x68, 1, 2),  // one transfer
        BenchBytes.message(0x68, 0, 2),  // a write alone
        BenchBytes.message(0x69, 1, 1),  // a read from another chip alone
        BenchBytes.message(0x69, 1, 1),  // a read without a write before it
        BenchBytes.message(0x6A, 0, 0),  // an address alone, and
        BenchBytes.message(0x6A, 0x201, 1),  // a read with the kernel's DMA-safe flag: one transfer
      ], [0x3B, 0x6B, 0x00])
    #expect(answer(record) == BenchBytes.answer(id: 9, 0, [0xA0, 0xA1, 0xA2, 0xA3, 0xA4]))
    #expect(
      witness.asked == [
        "104: [59] > 2", "104: [107, 0] > 0", "105: [] > 1", "105: [] > 1", "106: [] > 1",
      ])
  }

  @Test func `a scan sends the address alone, to write and to read`() {
    for flags in [0, 1] {
      #expect(
        answer(BenchBytes.i2c([BenchBytes.message(0x68, flags, 0)])) == BenchBytes.answer())
    }
    #expect(witness.asked == ["104: [] > 0", "104: [] > 0"])
  }

  @Test func `errors are the kernel's, and nothing is read with them`() {
    for (address, status) in [(0x51, -110), (0x52, -11), (0x53, -6)] {
      #expect(answer(BenchBytes.read(address, 0, 3)) == BenchBytes.answer(status))
    }
    // The second of three transfers fails, so that the third is not made.
    let messages = [0x50, 0x53, 0x50].map { BenchBytes.message($0, 1, 1) }
    #expect(answer(BenchBytes.i2c(messages)) == BenchBytes.answer(-6))
    #expect(witness.asked.suffix(2) == ["80: [] > 1", "83: [] > 1"])
  }

  @Test(arguments: [0x10, 0x400, 0x401, 0x800, 0x1000, 0x2000, 0x4000, 0x8000, 0x4001])
  func `ten-bit addresses and mangled protocols are not supported`(_ flags: Int) {
    let record = BenchBytes.i2c(
      [BenchBytes.message(0x68, 0, 1), BenchBytes.message(0x68, flags, 0)], [0])
    #expect(answer(record) == BenchBytes.answer(-95))
    #expect(witness.asked.isEmpty)
  }

  /// i2c-dev takes 8192 bytes. A driver of the kernel may send more: the BMI270's (bmi270_core.c)
  /// sends 8192 bytes of firmware after the register in one message.
  @Test func `a message of the kernel's may be longer than i2c-dev takes`() {
    #expect(answer(BenchBytes.read(0x50, 0, 8193)).count == 16 + 8193)
    let firmware = BenchBytes.i2c(
      [BenchBytes.message(0x50, 0, 8193)], [UInt8](repeating: 0, count: 8193))
    #expect(answer(firmware) == BenchBytes.answer(0))
    let eight = [[UInt8]](repeating: BenchBytes.message(0x50, 1, 8192), count: 8)
    #expect(answer(BenchBytes.i2c(eight)) == BenchBytes.answer(-90))
    #expect(
      answer(BenchBytes.i2c(eight.dropLast() + [BenchBytes.message(0x50, 1, 8176)])).count == 65536)
    let frame = [UInt8](repeating: 0, count: 65536 - 32)
    #expect(answer(BenchBytes.spi(select: 0, frame)).count == 65536 - 16)
  }

  // MARK: - SPI

  @Test func `a wrong mode drives no line and touches no chip`() {
    for mode in [0, 3] {
      #expect(
        answer(BenchBytes.spi(select: 0, mode: mode, [1, 2])) == BenchBytes.answer(0, [0xFE, 0xFD]))
    }
    let count = witness.asked.count
    // None of these is a mode of the chips: modes 1 and 2, an active-high select, lowest bit first,
    // three wires.
    for mode in [1, 2, 4, 8, 0x10, 0x13] {
      #expect(
        answer(BenchBytes.spi(select: 0, mode: mode, [1, 2])) == BenchBytes.answer(0, [0xFF, 0xFF]))
    }
    #expect(
      answer(BenchBytes.spi(select: 300, [1])) == BenchBytes.answer(0, [0xFF]))
    #expect(witness.asked.count == count)
    #expect(answer(BenchBytes.spi(select: 9, [1, 2])) == BenchBytes.answer(0, [0xFF, 0xFF]))
    #expect(answer(BenchBytes.spi(select: 8, [1, 2])) == BenchBytes.answer(-110))
    for bits in [0, 7, 9, 16, 32] {
      #expect(answer(BenchBytes.spi(select: 0, bits: bits, [1, 2])) == BenchBytes.answer(-95))
    }
  }

  // MARK: - Rubbish

  @Test func `what is no record, or none of ours, has no answer`() {
    let good = BenchBytes.read(0x68, 0x75, 1)
    // A record that is cut off does not have the length that it gives.
    for count in good.indices { #expect(answer(Array(good.prefix(count))).isEmpty) }
    #expect(answer(good + [0]).isEmpty)
    for kind in [0, 3, 4, 5, 255] as [UInt8] {
      var other = good
      other[4] = kind
      #expect(answer(other).isEmpty)
    }
    #expect(witness.asked.isEmpty)
  }

  @Test func `a record whose parts do not fit is refused: -EINVAL`() {
    let messages = [BenchBytes.message(0x68, 0, 1), BenchBytes.message(0x68, 1, 1)]
    let misfits: [[UInt8]] = [
      BenchBytes.i2c([]),
      BenchBytes.i2c(messages, []),
      BenchBytes.i2c(messages, [1, 2]),
      BenchBytes.i2c([BenchBytes.message(0x80, 1, 1)]),
      BenchBytes.i2c([[UInt8]](repeating: BenchBytes.message(0x68, 1, 1), count: 43)),
      // The records say that they have two messages, two billion and minus one, but have one.
      BenchBytes.i2c([BenchBytes.message(0x68, 1, 1)]).replacing(12, BenchBytes.word(2)),
      BenchBytes.i2c([BenchBytes.message(0x68, 1, 1)]).replacing(12, BenchBytes.word(0x7FFF_FFFF)),
      BenchBytes.i2c([BenchBytes.message(0x68, 1, 1)]).replacing(12, BenchBytes.word(-1)),
      BenchBytes.spi(select: 0, [1]).replacing(28, BenchBytes.word(2)),
      BenchBytes.spi(select: 0, [1]).replacing(28, BenchBytes.word(-1)),
      [16, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
    ]
    for misfit in misfits { #expect(answer(misfit) == BenchBytes.answer(-22), "\(misfit)") }
    #expect(witness.asked.isEmpty)
    let most = [[UInt8]](repeating: BenchBytes.message(0x68, 1, 1), count: 42)
    #expect(answer(BenchBytes.i2c(most)).count == 16 + 42)
  }

  @Test func `random records are answered whole or not at all`() {
    var random = Fixed()
    let good = [
      BenchBytes.read(0x50, 0x75, 14), BenchBytes.write(0x50, [1, 2, 3]),
      BenchBytes.spi(select: 3, [1, 2, 3, 4]),
      BenchBytes.i2c([BenchBytes.message(0x50, 1, 5), BenchBytes.message(0x51, 0, 2)], [1, 2]),
    ]
    var answered = 0
    var refused = 0
    for _ in 0..<50_000 {
      var record = good.randomElement(using: &random) ?? []
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        record = (0..<Int.random(in: 0...80, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      case 1: record = Array(record.prefix(Int.random(in: 0...record.count, using: &random)))
      default:
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          record[Int.random(in: 4..<record.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
      }
      // Most records give their true length, as otherwise none would get past that check.
      if record.count >= 4, Int.random(in: 0..<8, using: &random) > 0 {
        record = record.replacing(0, BenchBytes.word(record.count))
      }
      let reply = answer(record, from: Echo())
      guard !reply.isEmpty else { continue }
      #expect(reply.count >= 16)
      #expect(Array(reply.prefix(8)) == BenchBytes.word(reply.count) + [3, 0, 0, 0])
      #expect(reply[8..<12] == record[8..<12])
      let status = (0..<256).first {
        BenchBytes.word(-$0) == Array(reply[12..<16])
      }
      #expect(status.map([0, 5, 6, 11, 22, 90, 95, 110].contains) == true)
      #expect(status == 0 || reply.count == 16)
      if status == 0 { answered += 1 } else { refused += 1 }
    }
    // Both outcomes are common.
    #expect(answered > 5_000 && refused > 5_000, "\(answered) \(refused)")
  }
}

extension [UInt8] {
  /// Returns a copy with `bytes` in place of those from `offset` on.
  func replacing(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    var all = self
    all.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    return all
  }
}
