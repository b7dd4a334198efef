// SPDX-License-Identifier: Apache-2.0
internal import Registers
internal import CLinux

/// A server for the records of the virtual bench's bus protocol, independent of their transport. It
/// allocates no memory.
package enum BenchConversation {
  /// Executes `record` on `target`, and writes the answer to the start of `answer`, which has room
  /// for the longest record. Returns the answer's size, or 0 if `record` is not a request.
  @_lifetime(answer: copy answer)
  package static func answer(
    _ record: Span<UInt8>, from target: some BusTarget, into answer: inout MutableSpan<UInt8>
  ) -> Int {
    guard let header = BenchRecord.header(record) else { return 0 }
    do throws(Refusal) {
      let count =
        switch Int(header.kind) {
        case Int(OTOLITH_BENCH_I2C): try transaction(record, header, target, &answer)
        case Int(OTOLITH_BENCH_SPI): try frame(record, header, target, &answer)
        default: throw Refusal(nil)
        }
      return BenchRecord.finish(answer: header.id, .good, count, in: &answer)
    } catch {
      guard let status = error.status else { return 0 }
      return BenchRecord.finish(answer: header.id, status, 0, in: &answer)
    }
  }

  /// The reason why a request is not executed. The status is `nil` if the record is not a request.
  private struct Refusal: Error {
    let status: Status?
    init(_ status: Status?) { self.status = status }
    init(_ error: BusError) { status = Status(error) }
  }

  // MARK: I2C

  /// Executes one I2C transaction. Returns the number of bytes read from the chip.
  @_lifetime(answer: copy answer)
  private static func transaction(
    _ record: Span<UInt8>, _ header: otolith_bench_record, _ target: some BusTarget,
    _ answer: inout MutableSpan<UInt8>
  ) throws(Refusal) -> Int {
    let count = Int(header.value)
    let body = try check(record, count, room: answer.count)
    var index = 0
    var written = body
    var read = BenchRecord.headerSize
    while index < count, let first = message(record, index) {
      index += 1
      var sent = 0
      var wanted = Int(first.length)
      if !reads(first) {
        sent = wanted
        wanted = 0
        // A write followed by a read at the same address is one transfer with a repeated start.
        // Drivers read registers in this way.
        if index < count, let next = message(record, index), reads(next),
          next.address == first.address
        {
          index += 1
          wanted = Int(next.length)
        }
      }
      // `_mutatingExtracting` is `extracting(_:)` in the standard library of Swift 6.3; SE-0467
      // removes the underscore.
      var room = answer._mutatingExtracting(read..<(read + wanted))
      do throws(BusError) {
        try target.transfer(
          record.extracting(written..<(written + sent)), &room,
          at: UInt8(truncatingIfNeeded: first.address))
      } catch { throw Refusal(error) }
      written += sent
      read += wanted
    }
    return read - BenchRecord.headerSize
  }

  /// Checks that `record` contains the messages and bytes that it announces, and that the simulated
  /// buses support them. Returns the offset of the bytes to write.
  private static func check(
    _ record: Span<UInt8>, _ count: Int, room: Int
  ) throws(Refusal) -> Int {
    guard (1...Int(OTOLITH_BENCH_MESSAGES_MAX)).contains(count) else { throw Refusal(.invalid) }
    var written = 0
    var read = 0
    for index in 0..<count {
      guard let message = message(record, index), message.address < 0x80 else {
        throw Refusal(.invalid)
      }
      // I2C_M_DMA_SAFE concerns only the sender's memory. All other flags would change the
      // transfer, and are not supported.
      guard Int32(message.flags) & ~(I2C_M_RD | I2C_M_DMA_SAFE) == 0 else {
        throw Refusal(.unsupported)
      }
      if reads(message) { read += Int(message.length) } else { written += Int(message.length) }
    }
    let body = BenchRecord.headerSize + count * BenchRecord.messageSize
    guard body + written == record.count else { throw Refusal(.invalid) }
    guard BenchRecord.headerSize + read <= room else { throw Refusal(.tooLong) }
    return body
  }

  private static func message(_ record: Span<UInt8>, _ index: Int) -> otolith_bench_message? {
    BenchRecord.load(
      record, otolith_bench_message.self,
      at: BenchRecord.headerSize + index * BenchRecord.messageSize)
  }

  private static func reads(_ message: otolith_bench_message) -> Bool {
    Int32(message.flags) & I2C_M_RD != 0
  }

  // MARK: SPI

  /// Executes one SPI frame. Returns the number of bytes exchanged.
  @_lifetime(answer: copy answer)
  private static func frame(
    _ record: Span<UInt8>, _ header: otolith_bench_record, _ target: some BusTarget,
    _ answer: inout MutableSpan<UInt8>
  ) throws(Refusal) -> Int {
    let body = BenchRecord.headerSize + BenchRecord.frameSize
    guard
      let frame = BenchRecord.load(
        record, otolith_bench_frame.self, at: BenchRecord.headerSize),
      record.count - body == Int(frame.length)
    else { throw Refusal(.invalid) }
    guard frame.bits == 8 else { throw Refusal(.unsupported) }
    let count = Int(frame.length)
    guard BenchRecord.headerSize + count <= answer.count else { throw Refusal(.tooLong) }
    var room = answer._mutatingExtracting(
      BenchRecord.headerSize..<(BenchRecord.headerSize + count))
    for index in room.indices { room[index] = record[body + index] }
    guard isUnderstood(frame), let select = UInt8(exactly: header.unit) else {
      release(&room)
      return count
    }
    do throws(BusError) { try target.exchange(&room, at: select) } catch {
      // SPI has no acknowledgement. Without a chip, the read returns the level of the data line's
      // pull-up.
      guard error == .noAcknowledge else { throw Refusal(error) }
      release(&room)
    }
    return count
  }

  /// Returns true if the chips can receive the frame. According to their data sheets all supported
  /// chips use mode 0 or 3, most significant bit first, an active-low chip select and two data
  /// lines. No other mode bit may therefore be set.
  private static func isUnderstood(_ frame: otolith_bench_frame) -> Bool {
    frame.mode == UInt32(OTOLITH_SPI_MODE_0) || frame.mode == UInt32(OTOLITH_SPI_MODE_3)
  }

  /// Fills `bytes` with 0xFF, which is the value read from an undriven line with a pull-up.
  private static func release(_ bytes: inout MutableSpan<UInt8>) {
    for index in bytes.indices { bytes[index] = 0xFF }
  }
}
