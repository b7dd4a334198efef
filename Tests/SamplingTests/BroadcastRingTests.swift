// SPDX-License-Identifier: Apache-2.0
import Foundation
import Runtime
import Synchronization
import Testing

@Suite struct BroadcastRingTests {
  @Test func `every reader sees everything in order`() {
    let ring = BroadcastRing<Int>(capacity: 8)
    var first = ring.reader()
    ring.publish(10)
    var second = ring.reader()
    #expect(!second.isBehind && first.isBehind)
    ring.publish(11)
    ring.publish(12)
    #expect([first.read(), first.read(), first.read(), first.read()] == [10, 11, 12, nil])
    #expect([second.read(), second.read(), second.read()] == [11, 12, nil])
    #expect(first.missed == 0 && second.missed == 0)
    #expect(ring.count == 3)
  }

  @Test func `the newest sample is available at once`() {
    let ring = BroadcastRing<Int>(capacity: 4)
    #expect(ring.newest == nil)
    for value in 0..<100 {
      ring.publish(value)
      #expect(ring.newest == value)
    }
  }

  /// The samples that are read and those that are missed add up to all that there were, in order,
  /// whatever the capacity and the lag.
  @Test(arguments: [1, 2, 3, 8, 100], [1, 7, 8, 9, 16, 129, 1000])
  func `the count of missed samples is exact`(capacity: Int, lag: Int) {
    let ring = BroadcastRing<Int>(capacity: capacity)
    var reader = ring.reader()
    var published = 0
    var read = 0
    var expected = 0
    for _ in 0..<20 {
      for _ in 0..<lag {
        ring.publish(published)
        published += 1
      }
      while let value = reader.read() {
        #expect(value >= expected)
        expected = value + 1
        read += 1
      }
      #expect(read + Int(reader.missed) == published)
      #expect(expected == published)
    }
    if lag <= capacity { #expect(reader.missed == 0) }
  }

  /// An element comes out whole whether or not its size fills its words.
  @Test func `elements of any size come out whole`() {
    struct Odd: BitwiseCopyable, Equatable {
      var a: UInt8
      var b: UInt32
      var c: UInt16
      var d: UInt8
    }
    let odd = BroadcastRing<Odd>(capacity: 4)
    let value = Odd(a: 1, b: 0xDEAD_BEEF, c: 0x1234, d: 250)
    odd.publish(value)
    #expect(odd.newest == value)
    let byte = BroadcastRing<UInt8>(capacity: 4)
    byte.publish(200)
    #expect(byte.newest == 200)
  }

  /// Words that belong together: a torn element would mix the words of two elements.
  struct Sealed: BitwiseCopyable, Sendable {
    var a: UInt64
    var b: UInt64
    var c: UInt64
    var d: UInt64
    var e: UInt64

    init(_ number: UInt64) {
      a = number
      b = number ^ 0xAAAA_AAAA_AAAA_AAAA
      c = number &* 0x9E37_79B9_7F4A_7C15
      d = ~number
      e = number &+ 12345
    }

    var isWhole: Bool {
      let other = Sealed(a)
      return b == other.b && c == other.c && d == other.d && e == other.e
    }
  }

  @Test func `two readers get whole elements in order while a writer writes`() {
    let ring = BroadcastRing<Sealed>(capacity: 64)
    let total: UInt64 = 200_000
    let torn = Atomic<Int>(0)
    let disordered = Atomic<Int>(0)
    let unaccounted = Atomic<Int>(0)
    let ready = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 3) { role in
      guard role > 0 else {
        // Without readers there is nothing to test, and without a processor for each there may be
        // no readers for a while. So the writer waits for them for at most two seconds.
        let deadline = Date() + 2
        while ready.load(ordering: .acquiring) < 2, Date() < deadline {}
        for number in 0..<total { ring.publish(Sealed(number)) }
        return
      }
      // The count is read once: a writer that has waited long enough may publish between two reads.
      let start = ring.count
      var reader = ring.reader(from: start)
      ready.add(1, ordering: .acquiringAndReleasing)
      var next = start
      var read: UInt64 = 0
      while next < total {
        guard let element = reader.read() else { continue }
        if !element.isWhole { torn.add(1, ordering: .relaxed) }
        if element.a < next { disordered.add(1, ordering: .relaxed) }
        next = element.a + 1
        read += 1
      }
      if start + read + reader.missed != total { unaccounted.add(1, ordering: .relaxed) }
    }
    #expect(torn.load(ordering: .relaxed) == 0)
    #expect(disordered.load(ordering: .relaxed) == 0)
    #expect(unaccounted.load(ordering: .relaxed) == 0)
    #expect(ring.count == total)
  }
}
