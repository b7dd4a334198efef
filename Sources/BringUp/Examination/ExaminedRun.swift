// SPDX-License-Identifier: Apache-2.0
internal import Runtime
public import Quantities
public import Registers
public import Sensors

/// The record of a driver while it was examined.
public struct ExaminedRun: Sendable {
  /// The settings that the driver granted.
  public var settings: SensorSettings
  public var begin: Timestamp
  public var end: Timestamp
  /// Frames read, in so many steps, and the most in one.
  public var frames: UInt64 = 0
  public var batches = 0
  public var largestBatch = 0
  public var health = Health()
  public var selfTest: SelfTestReport?
  /// The identity that the chip gave, when the driver last asked.
  public var identity: UInt8?
  /// The times at which its interrupt line changed to the level that counts. Several that came
  /// between two looks have the time of the last of them.
  public var edges: [Timestamp] = []
  public var traffic = BusTraffic()
  /// The number of times that, after an error, the chip was found as after power-up instead of as
  /// it was configured.
  public var brownOuts = 0
  /// The number of times that a register seemed wrong and was right when it was read again.
  public var misreadings = 0
  /// The most steps one after another that timed out.
  public var timeoutsInARow = 0
  /// The most transactions one after another that failed.
  public var failuresInARow = 0
  /// Transactions that failed with fewer than two others beside them.
  public var lonelyFailures = 0
  /// The errors and their times: the first thousand.
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

/// The traffic over the wire of one chip.
public struct BusTraffic: Equatable, Sendable {
  public var transactions: UInt64 = 0
  /// Of registers, without addresses.
  public var bytes: UInt64 = 0
  /// Transactions that failed, by their errors.
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

  /// The traffic since `before`, which is an earlier state of the same.
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
