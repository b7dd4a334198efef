// SPDX-License-Identifier: Apache-2.0
import Registers
import SimulatedBuses

/// A device that returns the bytes it was sent.
private final class Echo: BusTarget {
  private var last: [UInt8] = [0]

  @_lifetime(received: copy received)
  func transfer(
    _ sent: Span<UInt8>, _ received: inout MutableSpan<UInt8>, at address: UInt8
  ) throws(BusError) {
    if address & 7 == 0 { throw address & 8 == 0 ? .timeout : .system(errno: 70_000) }
    if sent.count > 0 { last = sent.indices.map { sent[$0] } }
    for index in received.indices { received[index] = last[index % last.count] }
  }

  func exchange(_ bytes: inout MutableSpan<UInt8>, at select: UInt8) throws(BusError) {
    if select & 4 != 0 { throw .noAcknowledge }
    for index in bytes.indices { bytes[index] = ~bytes[index] }
  }

  func advance() {}
}

nonisolated(unsafe) private let echo = Echo()  // for the one thread that fuzzes

/// Feeds a client's bytes to the socket in pieces, whose length the first byte gives, and a record
/// to the virtual bench.
func takeBench(_ bytes: [UInt8]) {
  guard let step = bytes.first.map({ Int($0 & 31) + 1 }) else { return }
  let stream = Array(bytes.dropFirst())
  var conversation = BusConversation()
  var replies: [UInt8] = []
  for start in stride(from: 0, to: stream.count, by: step) {
    conversation.take(Array(stream[start..<min(start + step, stream.count)]).span)
    while conversation.answer(from: echo, into: &replies) {}
    check(conversation.pendingCount <= stream.count, "more waits than was sent")
    replies.removeAll(keepingCapacity: true)
  }
  var answer = [UInt8](repeating: 0, count: 65_536)
  var span = answer.mutableSpan
  let size = BenchConversation.answer(stream.span, from: echo, into: &span)
  check((0...65_536).contains(size), "an answer of \(size) bytes")
}
