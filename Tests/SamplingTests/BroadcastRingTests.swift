// SPDX-License-Identifier: Apache-2.0
import Foundation
import Sampling
import Synchronization
import Testing

@Suite struct BroadcastRingTests {
  /// Every field is a function of the first, so a torn element shows.
  struct Element: BitwiseCopyable, Sendable, Equatable {
    var a: UInt64
    var b: Double
    var c: UInt64
    var d: UInt8

    init(_ n: UInt64) {
      a = n
      b = Double(n) * 0.5
      c = ~n
      d = UInt8(truncatingIfNeeded: n)
    }
  }

  @Test("In order, each to every reader")
  func order() {
    let ring = BroadcastRing<Element>(capacity: 8)
    var first = ring.reader()
    var second = ring.reader()
    for n in UInt64(0)..<5 { ring.publish(Element(n)) }
    #expect(ring.newest == Element(4))
    for n in UInt64(0)..<5 { #expect(first.read() == Element(n)) }
    #expect(first.read() == nil)
    #expect(!first.isBehind)
    #expect(second.isBehind)
    #expect(second.read() == Element(0))
    var late = ring.reader()
    #expect(late.read() == nil)
  }

  @Test("A reader that was lapped is told how many it missed, exactly")
  func lapped() {
    let ring = BroadcastRing<Element>(capacity: 8)
    var reader = ring.reader()
    for n in UInt64(0)..<100 { ring.publish(Element(n)) }
    var received: [UInt64] = []
    while let element = reader.read() { received.append(element.a) }
    #expect(received.last == 99)
    #expect(UInt64(received.count) + reader.missed == 100)
    #expect(received == Array((100 - UInt64(received.count))..<100))
  }

  @Test("One writer and two readers at full speed: nothing torn, nothing unaccounted for")
  func concurrent() {
    let ring = BroadcastRing<Element>(capacity: 64)
    let count: UInt64 = 200_000
    let done = Atomic<Bool>(false)
    let sound = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 3) { role in
      if role == 0 {
        // Readers are made below before the first element can lap them.
        for n in 0..<count { ring.publish(Element(n)) }
        done.store(true, ordering: .releasing)
        return
      }
      var reader = ring.reader()
      var received: UInt64 = 0
      var next: UInt64?
      var isSound = true
      var first: UInt64?
      while true {
        let isDone = done.load(ordering: .acquiring)
        while let element = reader.read() {
          first = first ?? element.a
          isSound = isSound && element == Element(element.a) && element.a >= next ?? 0
          next = element.a + 1
          received += 1
        }
        if isDone { break }
      }
      let total = first.map { count - $0 } ?? 0
      if isSound, received <= count, reader.missed + received >= total,
        next == count || received == 0
      {
        sound.add(1, ordering: .relaxed)
      }
    }
    #expect(sound.load(ordering: .relaxed) == 2)
  }
}
