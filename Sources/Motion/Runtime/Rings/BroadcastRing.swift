// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A ring buffer with one producer and several independent readers. The producer never waits. It
/// overwrites the oldest elements, and a slow reader receives the number of elements that it
/// missed.
///
/// An element is copied word by word through atomics, between two reads of its slot's sequence
/// number. A reader therefore never sees a partial element, and no access is a data race.
/// Publishing and reading do not allocate memory. The ring consists of words of 64 bits, so that
/// other processes can follow it with read access only. The header comes first:
///
/// | word | |
/// |---|---|
/// | 0 | the format: `ringFormat` |
/// | 1 | the size of an element in bytes |
/// | 2 | the capacity in elements, a power of two |
/// | 3 | the words per slot: its sequence number, then the element, padded to whole words |
/// | 4 | the head: the number of elements ever published |
/// | 5 to 7 | zero |
///
/// The slots follow from word 8 on. Element n is in slot n modulo capacity; the sequence number of
/// a slot is 2n + 2 while it holds element n, and odd while it is being written.
@safe
public final class BroadcastRing<Element: BitwiseCopyable & Sendable>: Sendable {
  private let memory: RingMemory
  // The words of `memory`, which this object retains. The pointer is stored to avoid an indirection
  // in each access.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>  // all atomic
  private let capacity: UInt64
  @usableFromInline let elementWords: Int
  /// The number of words per slot: the sequence number, then the element.
  private var stride: Int { elementWords + 1 }
  /// Converts the words of another program to an element; `nil` if that program's elements have the
  /// same layout as in this program.
  @usableFromInline let decode: (@Sendable (Span<UInt64>) -> Element)?

  /// Creates a ring of at least `capacity` elements (rounded up to a power of two). `memory` must
  /// return at least the requested number of words, all zero.
  public init(capacity: Int, in memory: (Int) -> RingMemory = { RingMemory(count: $0) }) {
    var power: UInt64 = 2
    while power < UInt64(max(capacity, 2)) { power *= 2 }
    self.capacity = power
    elementWords = Self.elementWords
    decode = nil
    let slots = Int(power) * (elementWords + 1)
    let given = memory(ringHeaderWords + slots)
    let memory =
      given.count >= ringHeaderWords + slots ? given : RingMemory(count: ringHeaderWords + slots)
    self.memory = memory
    unsafe words = memory.words  // kept by `memory`
    storeRelaxed(UInt64(MemoryLayout<Element>.size), at: 1)
    storeRelaxed(power, at: 2)
    storeRelaxed(UInt64(stride), at: 3)
    storeReleasing(ringFormat, at: 0)
  }

  /// Creates a ring that another process fills; `memory` may be read-only. Returns `nil` if the
  /// layout differs from the layout of this process's rings of `Element`.
  public convenience init?(following memory: RingMemory) {
    self.init(following: memory, elementSize: MemoryLayout<Element>.size, decode: nil)
  }

  /// Creates a ring that another process fills. Its elements have `elementSize` bytes; `decode`
  /// receives them as whole words.
  public convenience init?(
    following memory: RingMemory, elementSize: Int,
    decode: @escaping @Sendable (Span<UInt64>) -> Element
  ) {
    self.init(following: memory, elementSize: elementSize, decode: .some(decode))
  }

  private init?(
    following memory: RingMemory, elementSize: Int,
    decode: (@Sendable (Span<UInt64>) -> Element)?
  ) {
    elementWords = (elementSize + 7) / 8
    self.decode = decode
    self.memory = memory
    unsafe words = memory.words  // kept by `memory`
    guard memory.count > ringHeaderWords,
      unsafe memory.words[0].load(ordering: .acquiring) == ringFormat  // in bounds, as those below
    else { return nil }
    let size = unsafe memory.words[1].load(ordering: .relaxed)
    let capacity = unsafe memory.words[2].load(ordering: .relaxed)
    let stride = unsafe memory.words[3].load(ordering: .relaxed)
    self.capacity = capacity
    let most = UInt64(memory.count - ringHeaderWords) / UInt64(elementWords + 1)
    guard size == UInt64(elementSize), stride == UInt64(elementWords + 1),
      capacity >= 2, capacity & (capacity - 1) == 0, capacity <= most
    else { return nil }
  }

  private static var elementWords: Int { (MemoryLayout<Element>.size + 7) / 8 }

  /// The owner of the ring's memory; `nil` if the ring owns it.
  public var owner: (any AnyObject & Sendable)? { memory.owner }

  /// The number of elements ever published.
  public var count: UInt64 { loadAcquiring(headWord) }

  /// Adds an element. Only one thread at a time may call this function.
  // This function and the functions for reading are inlinable, so that generic code is specialised.
  @inlinable
  public func publish(_ element: Element) {
    // The pointer is used only within the closure, and the size is the size of `Element`.
    unsafe withUnsafeBytes(of: element) { unsafe publish($0) }  // as above
  }

  @usableFromInline
  func publish(_ bytes: UnsafeRawBufferPointer) {
    let index = loadRelaxed(headWord)
    let slot = slot(of: index)
    // The sequence number is odd while the slot is being written.
    storeRelaxed(2 * index + 1, at: slot)
    atomicMemoryFence(ordering: .releasing)
    let whole = bytes.count / 8
    for word in 0..<whole {
      // The offset is within the element's bytes.
      storeRelaxed(
        unsafe bytes.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self), at: slot + 1 + word)
    }
    if whole < elementWords {
      var value: UInt64 = 0
      for byte in (8 * whole)..<bytes.count {
        unsafe value |= UInt64(bytes[byte]) << UInt64((byte - 8 * whole) * 8)  // in bounds
      }
      storeRelaxed(value, at: slot + 1 + whole)
    }
    storeReleasing(2 * index + 2, at: slot)
    storeReleasing(index + 1, at: headWord)
  }

  /// The newest element; `nil` before the first element.
  public var newest: Element? {
    // Retry if the element was overwritten while it was being copied. A retry fails only if the
    // producer overwrites the whole ring in the meantime.
    for _ in 0..<8 {
      let count = self.count
      guard count > 0 else { return nil }
      if let element = copy(count - 1) { return element }
    }
    return nil
  }

  /// Returns a reader that starts with the next published element.
  public func reader() -> RingReader<Element> { RingReader(self, next: count) }

  /// Returns a reader that starts with element `index`.
  public func reader(from index: UInt64) -> RingReader<Element> { RingReader(self, next: index) }

  /// Returns element `index`; `nil` if it has been overwritten.
  @inlinable
  func copy(_ index: UInt64) -> Element? {
    // Element is BitwiseCopyable, so a complete copy of its bytes is an Element.
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: elementWords) {
      buffer -> Element? in
      guard unsafe copy(index, into: buffer) else { return nil }  // as long as the element
      if let decode { return decode(unsafe buffer.span) }  // all words initialised above
      return unsafe UnsafeRawPointer(buffer.baseAddress).map {  // never nil: capacity is at least 1
        unsafe $0.loadUnaligned(as: Element.self)  // as many bytes as an Element has
      }
    }
  }

  /// Fills `buffer` with the words of element `index`. Returns false if the element has been
  /// overwritten.
  @usableFromInline
  func copy(_ index: UInt64, into buffer: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    let slot = slot(of: index)
    guard loadAcquiring(slot) == 2 &* index &+ 2 else { return false }
    for word in 0..<elementWords {
      unsafe buffer.initializeElement(at: word, to: loadRelaxed(slot + 1 + word))  // in bounds
    }
    atomicMemoryFence(ordering: .acquiring)
    return loadRelaxed(slot) == 2 &* index &+ 2
  }

  /// The largest number of elements by which a reader can be behind without missing any.
  @usableFromInline var depth: UInt64 { capacity }

  /// Returns the index of the first word of the slot for element `index`.
  private func slot(of index: UInt64) -> Int {
    ringHeaderWords + Int(index & (capacity - 1)) * stride
  }

  // Callers pass only indices that are within `words`.
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

/// The position of one reader in a ring.
public struct RingReader<Element: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline let ring: BroadcastRing<Element>
  @usableFromInline var next: UInt64
  /// The number of elements that were overwritten before this reader read them.
  public var missed: UInt64 { overwritten }
  @usableFromInline var overwritten: UInt64 = 0

  fileprivate init(_ ring: BroadcastRing<Element>, next: UInt64) {
    self.ring = ring
    self.next = next
  }

  /// True if there are elements that this reader has not read.
  public var isBehind: Bool { ring.count > next }

  /// Returns the next element; `nil` if no element has been published since.
  @inlinable
  public mutating func read() -> Element? {
    while true {
      let count = ring.count
      guard next < count else { return nil }
      if count - next > ring.depth {
        // Skip a quarter of the ring, so that the producer does not overtake the reader again
        // immediately.
        let oldest = count - ring.depth + ring.depth / 4
        overwritten += oldest - next
        next = oldest
      }
      defer { next += 1 }
      if let element = ring.copy(next) { return element }
      overwritten += 1
    }
  }
}

/// The first word of a ring: `otoring` in ASCII, and the version of its format.
public let ringFormat: UInt64 = 0x6F74_6F72_696E_6701
private let ringHeaderWords = 8
private let headWord = 4
