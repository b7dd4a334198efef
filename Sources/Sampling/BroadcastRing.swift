// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A ring that one producer fills and any number of readers follow, each at its own pace. The producer never waits: it
/// overwrites the oldest, and a reader that was too slow is told how many it missed.
///
/// An element is copied word by word through atomics between two looks at its slot's sequence number, so a reader never
/// sees half an element and no access is a data race. Publishing and reading allocate nothing.
@safe
public final class BroadcastRing<Element: BitwiseCopyable & Sendable>: Sendable {
  // Raw memory, because an array of atomics would be copied on write; owned by this object alone, freed in deinit.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>  // all atomics
  private let head: Atomic<UInt64>
  private let capacity: UInt64
  private let elementWords: Int
  /// Words of a slot: its sequence number, then the element.
  private var stride: Int { elementWords + 1 }

  /// A ring of at least `capacity` elements (the next power of two).
  public init(capacity: Int) {
    var power: UInt64 = 2
    while power < UInt64(max(capacity, 2)) { power *= 2 }
    self.capacity = power
    elementWords = (MemoryLayout<Element>.size + 7) / 8
    let count = Int(power) * (elementWords + 1)
    // Every word is initialised before anybody can reach it.
    unsafe words = .allocate(capacity: count)
    for index in 0..<count { unsafe (words + index).initialize(to: Atomic(0)) }  // in bounds
    head = Atomic(0)
  }

  deinit {
    let count = Int(capacity) * stride
    // Nobody else holds this memory.
    unsafe words.deinitialize(count: count)
    unsafe words.deallocate()  // as above
  }

  /// How many elements were ever published.
  public var count: UInt64 { head.load(ordering: .acquiring) }

  /// Adds an element. One thread at a time.
  public func publish(_ element: Element) {
    let index = head.load(ordering: .relaxed)
    let slot = Int(index % capacity) * stride
    // Odd while the slot is being written, even when it is whole.
    storeRelaxed(2 * index + 1, at: slot)
    atomicMemoryFence(ordering: .releasing)
    // The pointer is used within the closure; the size is Element's own.
    unsafe withUnsafeBytes(of: element) { bytes in
      for word in 0..<elementWords {
        var value: UInt64 = 0
        for byte in (word * 8)..<min(word * 8 + 8, bytes.count) {
          unsafe value |= UInt64(bytes[byte]) << UInt64((byte - word * 8) * 8)  // in bounds
        }
        storeRelaxed(value, at: slot + 1 + word)
      }
    }
    storeReleasing(2 * index + 2, at: slot)
    head.store(index + 1, ordering: .releasing)
  }

  /// The newest element; `nil` before the first.
  public var newest: Element? {
    // Overtaken while copying, it is asked again; the producer would have to lap the whole ring each time.
    for _ in 0..<8 {
      let count = self.count
      guard count > 0 else { return nil }
      if let element = copy(count - 1) { return element }
    }
    return nil
  }

  /// A reader that begins with what is published next.
  public func reader() -> RingReader<Element> { RingReader(self, next: count) }

  /// Element `index`; `nil` if it has been overwritten.
  fileprivate func copy(_ index: UInt64) -> Element? {
    let slot = Int(index % capacity) * stride
    guard loadAcquiring(slot) == 2 * index + 2 else { return nil }
    // BitwiseCopyable: any bytes that once were an Element are one again once they are all there.
    let element = unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: elementWords) {
      buffer in
      for word in 0..<elementWords {
        unsafe buffer.initializeElement(  // in bounds
          at: word, to: loadRelaxed(slot + 1 + word))
      }
      return unsafe UnsafeRawPointer(buffer.baseAddress).map {  // never nil: capacity is at least 1
        unsafe $0.loadUnaligned(as: Element.self)  // as many bytes as an Element has
      }
    }
    atomicMemoryFence(ordering: .acquiring)
    return loadRelaxed(slot) == 2 * index + 2 ? element : nil
  }

  /// How far behind a reader can be without missing anything.
  fileprivate var depth: UInt64 { capacity }

  // Callers stay within `words`.
  private func storeRelaxed(_ value: UInt64, at word: Int) {
    unsafe words[word].store(value, ordering: .relaxed)  // in bounds, see above
  }

  private func storeReleasing(_ value: UInt64, at word: Int) {
    unsafe words[word].store(value, ordering: .releasing)  // in bounds, see above
  }

  private func loadRelaxed(_ word: Int) -> UInt64 {
    unsafe words[word].load(ordering: .relaxed)  // in bounds, see above
  }

  private func loadAcquiring(_ word: Int) -> UInt64 {
    unsafe words[word].load(ordering: .acquiring)  // in bounds, see above
  }
}

/// A place in a ring. Each reader has its own.
public struct RingReader<Element: BitwiseCopyable & Sendable>: Sendable {
  private let ring: BroadcastRing<Element>
  private var next: UInt64
  /// How many elements were overwritten before this reader came to them.
  public private(set) var missed: UInt64 = 0

  fileprivate init(_ ring: BroadcastRing<Element>, next: UInt64) {
    self.ring = ring
    self.next = next
  }

  /// Whether there is something to read.
  public var isBehind: Bool { ring.count > next }

  /// The next element; `nil` when there is none yet.
  public mutating func read() -> Element? {
    while true {
      let count = ring.count
      guard next < count else { return nil }
      if count - next > ring.depth {
        // A quarter of the ring ahead of the producer, or it would overtake again at once.
        let oldest = count - ring.depth + ring.depth / 4
        missed += oldest - next
        next = oldest
      }
      defer { next += 1 }
      if let element = ring.copy(next) { return element }
      missed += 1
    }
  }
}
