// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// A log of transactions in their order. The log may be used only from one thread.
public final class TransactionLog {
  /// The transactions of the bus that succeeded.
  public private(set) var transactions: [Transaction] = []
  /// The number of transactions of the bus that failed.
  public private(set) var failures = 0

  public init() {}

  public func removeAll() {
    transactions = []
    failures = 0
  }

  fileprivate func add(_ transaction: Transaction) { transactions.append(transaction) }

  fileprivate func addFailure() { failures += 1 }
}

/// A bus that records its transactions into a log.
public struct RecordingBus<Base: RegisterBus & ~Copyable>: RegisterBus, ~Copyable {
  private var base: Base
  private let log: TransactionLog

  /// Creates a bus that records the transactions on `base` into `log`.
  public init(_ base: consuming Base, into log: TransactionLog) {
    self.base = base
    self.log = log
  }

  /// Consumes this bus and returns the wrapped bus.
  public consuming func release() -> Base { base }

  public var now: Timestamp { base.now }

  public var longestRead: Int { base.longestRead }

  public var longestWrite: Int { base.longestWrite }

  public var isSPI: Bool { base.isSPI }

  public var firmwareSize: Int { base.firmwareSize }

  public func readFirmware(_ bytes: inout MutableSpan<UInt8>, from offset: Int) {
    base.readFirmware(&bytes, from: offset)
  }

  public mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8)
    throws(BusError)
  {
    do { try base.read(&bytes, from: register) } catch {
      log.addFailure()
      throw error
    }
    var copy: [UInt8] = []
    for index in bytes.indices { copy.append(bytes[index]) }
    log.add(.read(register, copy))
  }

  public mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    do { try base.write(value, to: register) } catch {
      log.addFailure()
      throw error
    }
    log.add(.write(register, value))
  }

  public mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    do { try base.write(bytes, to: register) } catch {
      log.addFailure()
      throw error
    }
    if bytes.count > 0 { log.add(.write(register, bytes)) }
  }
}
