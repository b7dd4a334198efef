// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Runtime
import Quantities
@testable import Service

/// Decodes a packet of a client and one of the service; a valid packet is unchanged when it is
/// written and read again.
func takePacket(_ bytes: [UInt8]) throws {
  do throws(MalformedPacket) {
    let request = try ServiceRequest(bytes[...])
    let again = try? ServiceRequest(request.bytes[...])
    check(again == request, "\(request) becomes \(String(describing: again))")
  } catch {}
  let once = try ServiceReply(bytes[...])
  let twice = try? ServiceReply(once.bytes[...])
  check(twice?.bytes == once.bytes, "\(once) becomes \(String(describing: twice))")
}

private final class Memory: Sendable {
  // Only the one fuzzing thread writes it.
  nonisolated(unsafe) let words: UnsafeMutablePointer<UInt64>
  static let count = 256

  init() {
    unsafe words = .allocate(capacity: Self.count)
    unsafe words.initialize(repeating: 0, count: Self.count)
  }
}

private let page = try? SharedMemory("fuzz", count: ClientPage.bytes, writers: .holders)
private let ring = Memory()

/// Reads a page that a client may write, and a ring filled by another process, laid out according
/// to a packet.
func takePage(_ bytes: [UInt8]) throws {
  var words = stride(from: 0, to: bytes.count - 7, by: 8).map { place in
    (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }
  if let page {
    let raw = unsafe page.address.assumingMemoryBound(to: UInt64.self)  // of 512 words
    for index in 0..<min(words.count, 3) { unsafe raw[index] = words[index] }
    let client = ClientPage(page)
    _ = client.missed
    if client.takeSleeper(at: Timestamp(nanoseconds: Int64(bitPattern: words.last ?? 0))) {
      check(!client.takeSleeper(at: Timestamp(nanoseconds: .max)), "woken twice")
    }
  }
  // The layout comes first, as in a welcome; the rest is the ring.
  var packet = PacketReader(bytes[...])
  let layout = try SampleLayout(&packet)
  words.append(0)
  // For three inputs of four the header's words are correct.
  for index in 0..<Memory.count {
    unsafe ring.words[index] = words[index % words.count]  // in bounds
  }
  if bytes.count % 4 != 0 {
    unsafe ring.words[0] = ringFormat  // the first of 256, as those below
    unsafe ring.words[1] = UInt64(layout.size)
    unsafe ring.words[2] = 4
    unsafe ring.words[3] = UInt64((layout.size + 7) / 8 + 1)
  }
  let memory = unsafe RingMemory(
    at: UnsafeMutableRawPointer(ring.words), count: Memory.count, of: ring)
  guard
    let following = BroadcastRing<SourcedSample>(
      following: memory, elementSize: layout.size, decode: { layout.sample($0) })
  else { return }
  _ = following.newest
  for start in [0, following.count, following.count &- 2, .max] {
    var reader = following.reader(from: start)
    for _ in 0..<16 { if reader.read() == nil { break } }
    _ = (reader.isBehind, reader.missed)
  }
}
