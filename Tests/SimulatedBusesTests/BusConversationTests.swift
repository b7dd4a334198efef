// SPDX-License-Identifier: Apache-2.0
import SimulatedBuses
import Testing

/// Tests of the protocol without a socket or another carrier. Requests and replies are written by
/// hand.
@Suite struct BusConversationTests {
  let echo = Echo()

  private func reply(_ request: [UInt8]) -> [UInt8] {
    var conversation = BusConversation()
    return conversation.replies(to: request, from: echo)
  }

  @Test func `a write and a read are one transfer`() {
    #expect(
      reply([0x49, 0x50, 0x02, 0x00, 0x03, 0x00, 0x0F, 0xA0])
        == [0x00, 0x03, 0x00, 0xF0, 0x5F, 0xF0])
  }

  @Test func `a write, a read and an address may each come alone`() {
    var conversation = BusConversation()
    #expect(
      conversation.replies(to: [0x49, 0x50, 0x01, 0x00, 0x00, 0x00, 0x33], from: echo) == [0, 0, 0])
    #expect(
      conversation.replies(to: [0x49, 0x50, 0x00, 0x00, 0x01, 0x00], from: echo) == [0, 1, 0, 0xCC])
    #expect(conversation.replies(to: [0x49, 0x50, 0, 0, 0, 0], from: echo) == [0, 0, 0])
    #expect(conversation.replies(to: [0x49, 0x10, 0, 0, 0, 0], from: echo) == [6, 0, 0])
  }

  @Test func `a frame on SPI has as many bytes back, be they none`() {
    #expect(reply([0x53, 0x03, 0x02, 0x00, 0x8F, 0x00]) == [0, 2, 0, 0x70, 0xFF])
    #expect(reply([0x53, 0x03, 0x00, 0x00]) == [0, 0, 0])
    #expect(reply([0x53, 0x04, 0x01, 0x00, 0x8F]) == [6, 0, 0])
  }

  /// The numbers are from include/uapi/asm-generic/errno*.h: ENXIO 6, ETIMEDOUT 110, EIO 5, EAGAIN
  /// 11. An errno that does not fit into a byte becomes EIO.
  @Test(arguments: [(0x4F, 6), (0x51, 110), (0x52, 5), (0x53, 11), (0x54, 5)] as [(UInt8, UInt8)])
  func `a failure of the bus is the kernel's errno`(_ address: UInt8, _ status: UInt8) {
    #expect(reply([0x49, address, 1, 0, 4, 0, 0x75]) == [status, 0, 0])
  }

  @Test func `an address beyond seven bits is refused, and the next request heard`() {
    #expect(
      reply([0x49, 0x80, 1, 0, 1, 0, 0x75, 0x49, 0x50, 1, 0, 1, 0, 0x75])
        == [22, 0, 0, 0, 1, 0, 0x8A])
  }

  @Test func `an unknown opcode ends the conversation`() {
    var conversation = BusConversation()
    #expect(
      conversation.replies(to: [0x58, 0x49, 0x50, 0, 0, 0, 0], from: echo) == [22, 0, 0])
    #expect(conversation.isOver)
    #expect(conversation.replies(to: [0x49, 0x50, 0, 0, 0, 0], from: echo).isEmpty)
    #expect(conversation.pendingCount == 0)
  }

  @Test func `a message of 8192 bytes and a frame of 4096 are the longest`() {
    let edges = [0, 1, 2, 255, 256, 4095, 4096, 4097, 8191, 8192, 8193, 32767, 32768, 65535]
    // A request for the address alone, which is sent after each of the others, is understood.
    let next: [UInt8] = [0x49, 0x50, 0, 0, 0, 0]
    for write in edges {
      for read in edges {
        let request =
          [0x49, 0x50, UInt8(write & 255), UInt8(write >> 8), UInt8(read & 255), UInt8(read >> 8)]
          + [UInt8](repeating: 1, count: write)
        let replies = reply(request + next)
        if write <= 8192, read <= 8192 {
          #expect(replies.count == 3 + read + 3)
          #expect(replies.prefix(3) == [0, UInt8(read & 255), UInt8(read >> 8)])
        } else {
          #expect(replies == [22, 0, 0, 0, 0, 0], "\(write) \(read)")
        }
      }
      let frame =
        [0x53, 3, UInt8(write & 255), UInt8(write >> 8)] + [UInt8](repeating: 1, count: write)
      let replies = reply(frame + next)
      if write <= 4096 {
        #expect(replies.count == 3 + write + 3)
        #expect(replies.dropFirst(3).prefix(write).allSatisfy { $0 == 0xFE })
      } else {
        #expect(replies == [90, 0, 0, 0, 0, 0], "\(write)")
      }
    }
  }

  @Test func `what is refused for its length is dropped as it comes, and never held`() {
    var conversation = BusConversation()
    #expect(conversation.replies(to: [0x49, 0x50, 0xFF, 0xFF, 0, 0], from: echo) == [22, 0, 0])
    for _ in 0..<255 {
      #expect(
        conversation.replies(to: [UInt8](repeating: 0x58, count: 257), from: echo).isEmpty)
      #expect(conversation.pendingCount == 0)
    }
    #expect(conversation.replies(to: [0x49, 0x50, 0, 0, 0, 0], from: echo) == [0, 0, 0])
  }

  @Test func `requests may come in pieces of any size`() {
    let stream: [UInt8] =
      [0x49, 0x50, 2, 0, 2, 0, 0x12, 0x34] + [0x53, 3, 3, 0, 1, 2, 3] + [0x49, 0x7F, 0, 0, 1, 0]
      + [0x49, 0x50, 0, 0, 1, 0]
    let whole = reply(stream)
    #expect(
      whole == [0, 2, 0, 0xED, 0xCB, 0, 3, 0, 0xFE, 0xFD, 0xFC, 6, 0, 0, 0, 1, 0, 0xED])
    for size in 1...stream.count {
      var conversation = BusConversation()
      var replies: [UInt8] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        let piece = Array(stream[start..<min(start + size, stream.count)])
        replies += conversation.replies(to: piece, from: echo)
      }
      #expect(replies == whole, "pieces of \(size)")
    }
  }

  @Test func `half a request has no answer`() {
    let request: [UInt8] = [0x49, 0x50, 2, 0, 2, 0, 0x12, 0x34]
    for count in 0..<request.count { #expect(reply(Array(request.prefix(count))).isEmpty) }
  }

  @Test func `random bytes are answered or end the conversation`() {
    var random = Fixed()
    for _ in 0..<2_000 {
      var conversation = BusConversation()
      var replies: [UInt8] = []
      for _ in 0..<8 {
        var bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        // Most requests begin with a valid kind, as otherwise none would get far.
        if Bool.random(using: &random), !bytes.isEmpty {
          bytes[0] = Bool.random(using: &random) ? 0x49 : 0x53
        }
        replies += conversation.replies(to: bytes, from: echo)
        #expect(conversation.pendingCount <= 8192 + 6)
      }
      var rest = replies[...]
      while rest.count >= 3 {
        let count = Int(rest[rest.startIndex + 1]) | Int(rest[rest.startIndex + 2]) << 8
        #expect([0, 5, 6, 11, 22, 90, 110].contains(rest[rest.startIndex]))
        #expect(count <= 8192 && (rest[rest.startIndex] == 0 || count == 0))
        rest = rest.dropFirst(3 + count)
      }
      #expect(rest.isEmpty)
    }
  }
}
