// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

extension RegisterDriver where Bus: ~Copyable {
  /// Verifies the chip's whole configuration, or writes the configuration to the chip.
  @inlinable @inline(never)
  package mutating func verifyConfiguration(writing: Bool) throws(ChipError) {
    var index = 0
    while let row = row(index) {
      if writing { try row.write(to: &bus) } else { try row.verify(on: &bus) }
      index &+= 1
    }
  }

  /// Returns the register write at `index` of the configuration sequence. Not inlined, so that a
  /// program contains one copy.
  @inlinable @inline(never)
  package func row(_ index: Int) -> Chip.Row? { Chip.row(index, of: self) }

  /// Verifies the register that enables sampling, which a supply failure clears.
  @inlinable
  package mutating func verifyRunning() throws(ChipError) {
    if let row = verifiedRow(Chip.verification.runningRow) { try row.verify(on: &bus) }
  }

  /// Stores the start time of a step, for drivers that wait for interrupt edges.
  @inlinable @inline(__always)
  mutating func noteStep(at now: Timestamp) {
    if !Bus.abilities.isDisjoint(with: [.dataReady, .fifo, .detections]) { lastStep = now }
  }

  /// Returns true if a verification is due. In that case it also schedules the next verification.
  @inlinable
  package mutating func isVerificationDue(at now: Timestamp) -> Bool {
    noteStep(at: now)
    guard now >= nextVerification else { return false }
    nextVerification = now.advanced(by: Chip.verification.interval)
    return true
  }

  /// Verifies the next configuration register in turn.
  @inlinable @inline(__always)
  package mutating func verifyNextRow() throws(ChipError) {
    if verifiedRow(nextRow) == nil { nextRow = 0 }
    guard let row = verifiedRow(nextRow) else { return }
    nextRow &+= 1
    try row.verify(on: &bus)
  }

  /// Verifies the configuration registers that are due. This detects a chip that lost its supply,
  /// which responds again but with reset settings. Returns true if the verification used the bus.
  @inlinable @discardableResult
  package mutating func verifyInTurn(at now: Timestamp) throws(ChipError) -> Bool {
    noteStep(at: now)
    guard Bus.abilities.contains(.verification) else { return false }
    guard Chip.verification.catchesUp, Chip.Row.isPlain else {
      guard isVerificationDue(at: now) else { return false }
      try verifyNextRow()
      return true
    }
    guard now >= nextVerification else { return false }
    // After an error, or a long pause, verify all configuration registers once.
    nextVerification = max(
      nextVerification, now.advanced(by: Chip.verification.interval, times: -15))
    while now >= nextVerification {
      let rows = try verifyRun()
      nextVerification = nextVerification.advanced(by: Chip.verification.interval, times: rows)
    }
    return true
  }

  /// Returns the register contents at `index` that are verified while the chip runs. Not inlined,
  /// so that a program contains one copy.
  @inlinable @inline(never)
  func verifiedRow(_ index: Int) -> Chip.Row? { Chip.verifiedRow(index, of: self) }

  /// Verifies the next configuration register and, in the same burst, the following registers as
  /// long as they are adjacent, because one transaction with more bytes is much faster than several
  /// transactions. Returns the number of verified registers.
  @inlinable
  mutating func verifyRun() throws(ChipError) -> Int {
    if verifiedRow(nextRow) == nil { nextRow = 0 }
    guard let first = verifiedRow(nextRow)?.plain else { return 1 }
    var wanted = InlineArray<8, UInt8>(repeating: first.value)
    let longest = min(wanted.count, bus.longestRead)
    var count = 1
    nextRow &+= 1
    while count < longest, let next = verifiedRow(nextRow)?.plain,
      next.address == first.address &+ UInt8(truncatingIfNeeded: count)
    {
      wanted[count] = next.value
      count &+= 1
      nextRow &+= 1
    }
    var bytes = InlineArray<8, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    var run = span._mutatingExtracting(first: count)
    try bus.fetch(&run, from: first.address, blaming: first.address)
    for index in 0..<count where bytes[index] != wanted[index] {
      throw .rejected(
        register: first.address &+ UInt8(truncatingIfNeeded: index), wrote: wanted[index],
        readBack: bytes[index])
    }
    return count
  }
}
