// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import ChipCatalog
package import Quantities
internal import Registers
internal import Runtime
internal import Sensors

/// A test that reads the identity and configuration of a running chip repeatedly, as fast as the
/// bus allows, and counts wrong values.
package enum ErrorSoak {
  /// A bit that was read with the wrong value.
  package struct FlippedBit: Equatable, Codable, Sendable {
    package var register: UInt8
    /// The bit number; 0 is the least significant.
    package var bit: Int
    package var count: Int
  }

  package struct Result: CheckResult {
    package var chip: String
    package var bus: String
    package var skipped: String?
    package var seconds = 0.0
    package var transactions: UInt64 = 0
    /// The number of registers compared.
    package var registers = 0
    /// The number of failed transactions for each kind of error, without the failures of a chip
    /// that lost power.
    package var failures: [String: UInt64] = [:]
    /// The number of wrong values that were correct when they were read again.
    package var corruptedReads: UInt64 = 0
    package var flippedBits: [FlippedBit] = []
    /// The number of times that the chip lost its configuration.
    package var brownOuts = 0
    package var findings: [Finding] = []

    /// The number of failed and corrupted transactions.
    package var errors: UInt64 = 0
    /// The measured errors per million transactions, and the upper limit of the true rate at 95
    /// percent confidence.
    package var errorsPerMillion = 0.0
    package var upperBoundPerMillion = 1e6

    mutating func sum() {
      errors = failures.values.reduce(corruptedReads, +)
      let million = 1e6 / Double(max(1, transactions))
      errorsPerMillion = Double(errors) * million
      upperBoundPerMillion = Self.bound(errors) * million
    }

    /// Returns the upper limit of a mean: the mean of a Poisson distribution in which `seen` or
    /// fewer events have a probability of 5 percent. The result is 3 for zero events (the rule of
    /// three); otherwise it uses Wilson and Hilferty's approximation of the chi-squared
    /// distribution.
    package static func bound(_ seen: UInt64) -> Double {
      guard seen > 0 else { return 2.9957 }
      let k = Double(seen + 1)
      let root = 1 - 1 / (9 * k) + 1.6449 / (3 * k.squareRoot())
      return k * root * root * root
    }
  }

  /// Tests `chip` for `span`, or until `count` transactions. The chip is started as configured in
  /// the board file, and stopped afterwards. `progress` is called about four times per second, and
  /// returns false to stop the test.
  package static func run(
    _ chip: ExaminedChip, for span: TimeSpan, count limit: Int? = nil,
    progress: (Result) -> Bool = { _ in true }
  ) -> Result {
    var soak = Soak(chip)
    if chip.bus.isTrace {
      soak.result.skipped = ExaminedChip.notOfTrace
    } else {
      soak.run(span, limit, progress)
    }
    return soak.result
  }
}

private struct Soak {
  let chip: ExaminedChip
  var result: ErrorSoak.Result
  private var reference: [(register: UInt8, value: UInt8)] = []
  private var flips: [UInt8: [Int: Int]] = [:]
  /// The number of failures since the last success, for each kind of error.
  private var row: [String: UInt64] = [:]
  private var rowCount = 0
  private var begin: Timestamp

  init(_ chip: ExaminedChip) {
    self.chip = chip
    result = ErrorSoak.Result(chip: chip.placement.name, bus: chip.bus.name)
    begin = chip.now
  }

  mutating func run(_ span: TimeSpan, _ limit: Int?, _ progress: (ErrorSoak.Result) -> Bool) {
    guard prepare() else { return }
    begin = chip.now
    let end = begin + span
    var next = begin + .milliseconds(250)
    let limit = limit.map { UInt64(max(0, $0)) } ?? .max
    var index = 0
    while chip.now < end, result.transactions < limit, result.findings.isEmpty {
      ask(reference[index].register, reference[index].value)
      index = index + 1 < reference.count ? index + 1 : 0
      if chip.now >= next {
        next = chip.now + .milliseconds(250)
        note()
        if !progress(result) { break }
      }
    }
    attributeFailures()
    note()
    try? chip.sleep()
    conclude()
  }

  /// Starts the chip and reads its registers. Returns true if there are registers whose contents
  /// can be compared.
  private mutating func prepare() -> Bool {
    var settings = chip.placement.settings
    settings.acquisition = .polling
    var run: ExaminedRun?
    for _ in 0..<3 where run?.frames ?? 0 == 0 {
      run = try? chip.run(.sampling(settings), for: .seconds(3), leavesRunning: true) { _, _ in
        false
      }
    }
    guard let run else {
      result.skipped = "it cannot sample as configured in the board file"
      return false
    }
    guard run.frames > 0 else {
      result.findings = RunTrouble.findings(run, chip)
      return false
    }
    // Use only registers whose contents are as written, because some bits clear themselves or do
    // not exist in every part.
    reference = chip.configuration.compactMap { row, written, _ in
      // Use only registers of one byte in bank 0, because each is read in a single transaction.
      guard row.bank == 0, row.size == 1 else { return nil }
      let value = UInt8(truncatingIfNeeded: written)
      return (0..<3).contains { _ in (try? chip.read(row.address)) == value }
        ? (row.address, value) : nil
    }
    if let identity = run.identity {
      reference.append((chip.entry.description.identity.register, identity))
    }
    result.registers = reference.count
    return !reference.isEmpty
  }

  private mutating func ask(_ register: UInt8, _ value: UInt8) {
    result.transactions += 1
    do throws(BusError) {
      let found = try chip.read(register)
      if found == value {
        if rowCount > 0 { attributeFailures() }
        return
      }
      mismatch(register, value, found)
    } catch {
      row[error.word, default: 0] += 1
      rowCount += 1
      if error == .timeout, rowCount >= 8 {
        result.findings.append(
          Finding(
            .stuckBus, of: chip.bus.name,
            "\(rowCount) transfers in a row timed out at \(chip.place)"))
      } else if rowCount >= 5 {
        // A chip that lost power needs time to start, so wait before reading it again.
        chip.wait(.milliseconds(5))
        if rowCount > 400 {
          result.findings.append(
            Finding(.noAnswer, of: chip.placement.name, "stopped answering at \(chip.place)"))
        }
      }
    }
  }

  /// Classifies a wrong value: it was either corrupted on the bus, or read from a chip that lost
  /// its configuration.
  private mutating func mismatch(_ register: UInt8, _ value: UInt8, _ found: UInt8) {
    var again: [UInt8] = []
    for _ in 0..<3 { if let byte = try? chip.read(register) { again.append(byte) } }
    if again.contains(value) {
      attributeFailures()
      result.corruptedReads += 1
      for bit in 0..<8 where (found ^ value) & (1 << UInt8(bit)) != 0 {
        flips[register, default: [:]][bit, default: 0] += 1
      }
      return
    }
    // On SPI a chip without power reads as 0xFF until it has restarted.
    for _ in 0..<20 {
      let condition = try? chip.condition()
      if condition == .configured { return attributeFailures() }
      if condition == .reset { break }
      chip.wait(.milliseconds(5))
    }
    brownOut()
  }

  /// Decides whether the preceding failures came from a chip that lost power.
  private mutating func attributeFailures() {
    guard rowCount > 0 else { return }
    let isLong = rowCount >= 5
    rowCount = 0
    let failed = row
    row = [:]
    if isLong, (try? chip.condition()) == .reset { return brownOut() }
    for (word, count) in failed { result.failures[word, default: 0] += count }
  }

  private mutating func brownOut() {
    row = [:]
    rowCount = 0
    result.brownOuts += 1
    var settings = chip.placement.settings
    settings.acquisition = .polling
    _ = try? chip.run(.sampling(settings), for: .seconds(3), leavesRunning: true) { _, _ in false }
  }

  private mutating func note() {
    result.seconds = (chip.now - begin).seconds
    result.sum()
    result.flippedBits = flips.flatMap { register, bits in
      bits.map { ErrorSoak.FlippedBit(register: register, bit: $0.key, count: $0.value) }
    }
    .sorted { ($0.count, $1.register, $1.bit) > ($1.count, $0.register, $0.bit) }
  }

  private mutating func conclude() {
    guard result.findings.isEmpty else { return }
    if result.brownOuts > 0 {
      result.findings.append(
        Finding(
          .brownOut, of: result.chip,
          "\(count(result.brownOuts, "time")) in \(result.seconds.text(1)) s its configuration was gone"
        ))
    } else if result.errors > 0 {
      var kinds = result.failures.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      if result.corruptedReads > 0 { kinds.append("\(result.corruptedReads) read wrong") }
      result.findings.append(
        Finding(
          .unreliableBus, of: result.bus,
          "of \(result.transactions) transfers at \(chip.place): \(kinds.joined(separator: ", ")) "
            + "(\(result.errorsPerMillion.text(0)) of a million)"))
    }
  }
}
