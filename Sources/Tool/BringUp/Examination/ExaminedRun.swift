// SPDX-License-Identifier: Apache-2.0
internal import Runtime
public import Quantities
public import Registers
public import Sensors

/// The record of a driver's run.
public struct ExaminedRun: Sendable {
  /// The settings that the driver granted.
  public var settings: SensorSettings
  public var begin: Timestamp
  public var end: Timestamp
  /// The frames read, the number of batches, and the frames of the largest batch.
  public var frames: UInt64 = 0
  public var batches = 0
  public var largestBatch = 0
  public var health = Health()
  public var selfTest: SelfTestReport?
  /// The identity read last.
  public var identity: UInt8?
  /// The times of the interrupt line's active edges. Several between two polls share the time of
  /// the last.
  public var edges: [Timestamp] = []
  public var traffic = BusTraffic()
  /// The number of times that, after an error, the chip had its reset values instead of its
  /// configuration.
  public var brownOuts = 0
  /// The number of registers that read wrong once and right on the next read.
  public var misreadings = 0
  /// The longest sequence of steps with a timeout.
  public var timeoutsInARow = 0
  /// The longest sequence of failed transactions.
  public var failuresInARow = 0
  /// Failures in sequences of one or two.
  public var lonelyFailures = 0
  /// The first thousand errors with their times.
  public private(set) var errors: [(error: ChipError, time: Timestamp)] = []
  /// The number of errors.
  public private(set) var errorCount = 0

  init(settings: SensorSettings, begin: Timestamp) {
    self.settings = settings
    self.begin = begin
    end = begin
  }

  mutating func add(_ error: ChipError, at time: Timestamp) {
    errorCount += 1
    if errors.count < 1000 { errors.append((error, time)) }
  }
}

/// The bus traffic of one chip.
public struct BusTraffic: Equatable, Sendable {
  public var transactions: UInt64 = 0
  /// Register bytes, without addresses.
  public var bytes: UInt64 = 0
  /// Failed transactions, by error.
  public var failures: [(error: BusError, count: UInt64)] = []

  public init() {}

  public var failed: UInt64 { failures.reduce(0) { $0 + $1.count } }

  mutating func add(_ error: BusError) {
    if let index = failures.firstIndex(where: { $0.error == error }) {
      failures[index].count += 1
    } else {
      failures.append((error, 1))
    }
  }

  public static func == (a: BusTraffic, b: BusTraffic) -> Bool {
    a.transactions == b.transactions && a.bytes == b.bytes
      && a.failures.elementsEqual(b.failures) { $0.error == $1.error && $0.count == $1.count }
  }

  /// Returns the traffic since `before`, an earlier state.
  public static func - (now: BusTraffic, before: BusTraffic) -> BusTraffic {
    var since = BusTraffic()
    since.transactions = now.transactions - before.transactions
    since.bytes = now.bytes - before.bytes
    since.failures = now.failures.compactMap { error, count in
      let earlier = before.failures.first { $0.error == error }?.count ?? 0
      return count > earlier ? (error, count - earlier) : nil
    }
    return since
  }
}
