// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The transactions that a test expects from a driver, in order, and the driver's deviations from
/// them. The test keeps the script while the driver owns the bus. The script may be used only from
/// one thread.
public final class Script {
  private let expected: [Transaction]
  private let faults: [Int: BusError]
  private let ifUnchecked: (String) -> Void
  private var mistakes: [String] = []
  private var isChecked = false
  /// The number of transactions of the driver so far, which is the index of the next one.
  public private(set) var count = 0
  /// The time that the driver reads from the bus's clock. Only `advance` changes it.
  public private(set) var now: Timestamp

  /// Creates a script of the transactions `expected`. A transaction whose index, counted from 0, is
  /// in `faults` throws the error of that index after the comparison and transfers nothing.
  /// `ifUnchecked` is called if the script is destroyed without a call of `finish`, because the
  /// test would then pass unchecked; pass a closure that fails the test.
  public init(
    _ expected: [Transaction], faults: [Int: BusError] = [:],
    now: Timestamp = Timestamp(nanoseconds: 1_000_000_000),
    ifUnchecked: @escaping (String) -> Void
  ) {
    self.expected = expected
    self.faults = faults
    self.now = now
    self.ifUnchecked = ifUnchecked
  }

  deinit {
    if !isChecked { ifUnchecked("a script of \(expected.count) transactions was never finished") }
  }

  /// A bus that answers a driver's transactions from this script.
  public var bus: ScriptedBus { ScriptedBus(self) }

  /// Advances the script's clock by `span`.
  public func advance(by span: TimeSpan) { now = now + span }

  /// Returns all deviations from the script, including missing transactions. A test must call this
  /// function.
  public func finish() -> [String] {
    isChecked = true
    let missing = expected.dropFirst(count).enumerated().map { offset, transaction in
      "\(count + offset): expected \(transaction), nothing came"
    }
    return mistakes + missing
  }

  fileprivate func write(_ came: Transaction) throws(BusError) {
    let wanted = next()
    if wanted != came { note(came, insteadOf: wanted) }
    try end()
  }

  fileprivate func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    let wanted = next()
    let zeros = [UInt8](repeating: 0, count: bytes.count)
    guard case .read(register, let answer) = wanted, answer.count == bytes.count else {
      note(.read(register, zeros), insteadOf: wanted)
      try end()
      for index in bytes.indices { bytes[index] = 0 }
      return
    }
    try end()
    for index in bytes.indices { bytes[index] = answer[index] }
  }

  private func next() -> Transaction? { count < expected.count ? expected[count] : nil }

  private func note(_ came: Transaction, insteadOf wanted: Transaction?) {
    mistakes.append("\(count): expected \(wanted?.description ?? "nothing"), came \(came)")
  }

  private func end() throws(BusError) {
    defer { count += 1 }
    if let fault = faults[count] { throw fault }
  }
}

/// A bus that compares a driver's transactions with a script.
public struct ScriptedBus: RegisterBus, ~Copyable {
  private let script: Script

  fileprivate init(_ script: Script) { self.script = script }

  public var now: Timestamp { script.now }

  public mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8)
    throws(BusError)
  {
    try script.read(&bytes, from: register)
  }

  public mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try script.write(.write(register, value))
  }

  /// Writes have no limit.
  public var longestWrite: Int { .max }

  public mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    if bytes.count > 0 { try script.write(.write(register, bytes)) }
  }
}
