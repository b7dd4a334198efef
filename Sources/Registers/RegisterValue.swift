// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// What one whole register shall hold: a line of a configuration table, which is written at start and compared
/// while running.
public struct RegisterValue: Equatable, Sendable, BitwiseCopyable {
  public var address: UInt8
  public var value: UInt8

  /// The register at `address` with `value`: for places in a table that are filled later.
  @usableFromInline package init(address: UInt8, value: UInt8) {
    self.address = address
    self.value = value
  }

  /// The register with the fields named set and all others 0.
  @inline(__always)
  public init<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change
  ) {
    address = register.address
    value = register.change(fields).applied(to: 0)
  }
}

extension RegisterBus where Self: ~Copyable {
  /// Writes one line of a configuration table.
  @inlinable @inline(__always)
  public mutating func write(_ line: RegisterValue) throws(ChipError) {
    try put(line.value, to: line.address)
  }

  /// Compares one line of a configuration table with the chip; throws `rejected` where they differ.
  @inlinable @inline(never)
  public mutating func verify(_ line: RegisterValue) throws(ChipError) {
    let contents = try contents(of: line.address)
    guard contents == line.value else {
      throw .rejected(register: line.address, wrote: line.value, readBack: contents)
    }
  }

  /// Writes every line of a configuration table, then compares every line with the chip. `line` gives the table's lines by
  /// their index, `nil` past the last.
  @inlinable
  public mutating func configure(_ line: (Int) -> RegisterValue?) throws(ChipError) {
    var index = 0
    while let next = line(index) {
      try write(next)
      index += 1
    }
    index = 0
    while let next = line(index) {
      try verify(next)
      index += 1
    }
  }
}

/// Whose turn it is when a configuration table is compared with the chip line by line while it runs.
public struct Patrol: Sendable {
  private var due: Timestamp
  private var place = 0

  /// A patrol whose first comparison is due at `due`.
  public init(due: Timestamp = .zero) { self.due = due }

  /// The line to compare at `now`: one each `interval`, in turn; `nil` where none is due.
  public mutating func next(
    at now: Timestamp, every interval: TimeSpan, _ line: (Int) -> RegisterValue?
  ) -> RegisterValue? {
    guard now >= due else { return nil }
    due = now + interval
    if line(place) == nil { place = 0 }
    defer { place += 1 }
    return line(place)
  }

  /// The next line in turn, whatever the time.
  fileprivate mutating func next(_ line: (Int) -> RegisterValue?) -> RegisterValue? {
    next(at: due, every: .zero, line)
  }

  /// The next line, if it is of register `address`.
  fileprivate mutating func next(at address: UInt8, _ line: (Int) -> RegisterValue?)
    -> RegisterValue?
  {
    guard let next = line(place), next.address == address else { return nil }
    place += 1
    return next
  }
}

extension RegisterBus where Self: ~Copyable {
  /// Compares the line whose turn it is and, in the same burst, those behind it as long as each is of the register after the
  /// last one's: a transaction costs far more than its bytes. Returns how many lines it compared; throws `rejected` where one
  /// differs.
  public mutating func verify(next patrol: inout Patrol, _ line: (Int) -> RegisterValue?)
    throws(ChipError) -> Int
  {
    guard let first = patrol.next(line) else { return 1 }
    var wanted = InlineArray<8, UInt8>(repeating: first.value)
    let longest = min(wanted.count, longestRead)
    var count = 1
    while count < longest,
      let next = patrol.next(at: first.address &+ UInt8(truncatingIfNeeded: count), line)
    {
      wanted[count] = next.value
      count += 1
    }
    var bytes = InlineArray<8, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    var run = span._mutatingExtracting(first: count)
    do { try read(&run, from: first.address) } catch {
      throw .bus(error, register: first.address)
    }
    for index in 0..<count where bytes[index] != wanted[index] {
      throw .rejected(
        register: first.address &+ UInt8(truncatingIfNeeded: index), wrote: wanted[index],
        readBack: bytes[index])
    }
    return count
  }
}
