// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

extension RegisterDriver where Bus: ~Copyable {
  /// Verifies the chip's whole configuration, or writes the configuration to the chip.
  @inlinable @inline(never)
  package mutating func verifyConfiguration(writing: Bool) throws(ChipError) {
    var index = 0
    while let line = line(index) {
      if writing { try line.write(to: &bus) } else { try line.verify(on: &bus) }
      index &+= 1
    }
  }

  /// Returns row `index` of the configuration. Not inlined, so that a program contains one copy.
  @inlinable @inline(never)
  package func line(_ index: Int) -> Chip.Line? { Chip.line(index, of: self) }

  /// Verifies the configuration row that enables sampling. A supply failure clears this register.
  @inlinable
  package mutating func verifyRunning() throws(ChipError) {
    if let line = heldLine(Chip.verification.runningLine) { try line.verify(on: &bus) }
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

  /// Verifies the next configuration row in turn.
  @inlinable @inline(__always)
  package mutating func verifyNextLine() throws(ChipError) {
    if heldLine(verifiedLines) == nil { verifiedLines = 0 }
    guard let line = heldLine(verifiedLines) else { return }
    verifiedLines &+= 1
    try line.verify(on: &bus)
  }

  /// Verifies the configuration rows that are due. This detects a chip that lost its supply, which
  /// responds again but with reset settings. Returns true if the verification used the bus.
  @inlinable @discardableResult
  package mutating func verifyInTurn(at now: Timestamp) throws(ChipError) -> Bool {
    noteStep(at: now)
    guard Bus.abilities.contains(.verification) else { return false }
    guard Chip.verification.catchesUp, Chip.Line.isPlain else {
      guard isVerificationDue(at: now) else { return false }
      try verifyNextLine()
      return true
    }
    guard now >= nextVerification else { return false }
    // After an error, or a long pause, verify all configuration rows once.
    nextVerification = max(
      nextVerification, now.advanced(by: Chip.verification.interval, times: -15))
    while now >= nextVerification {
      let lines = try verifyRun()
      nextVerification = nextVerification.advanced(by: Chip.verification.interval, times: lines)
    }
    return true
  }

  /// Returns row `index` of the register values that are verified while the chip runs. Not inlined,
  /// so that a program contains one copy.
  @inlinable @inline(never)
  func heldLine(_ index: Int) -> Chip.Line? { Chip.heldLine(index, of: self) }

  /// Verifies the next configuration row and, in the same burst, the following rows as long as
  /// their registers are adjacent, because a transaction costs far more than its bytes. Returns the
  /// number of verified rows.
  @inlinable
  mutating func verifyRun() throws(ChipError) -> Int {
    if heldLine(verifiedLines) == nil { verifiedLines = 0 }
    guard let first = heldLine(verifiedLines)?.plain else { return 1 }
    var wanted = InlineArray<8, UInt8>(repeating: first.value)
    let longest = min(wanted.count, bus.longestRead)
    var count = 1
    verifiedLines &+= 1
    while count < longest, let next = heldLine(verifiedLines)?.plain,
      next.address == first.address &+ UInt8(truncatingIfNeeded: count)
    {
      wanted[count] = next.value
      count &+= 1
      verifiedLines &+= 1
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
