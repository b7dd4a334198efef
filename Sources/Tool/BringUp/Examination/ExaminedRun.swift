// SPDX-License-Identifier: Apache-2.0
internal import Runtime
package import Quantities
package import Registers
package import Sensors

/// The record of one run of a driver.
package struct ExaminedRun: Sendable {
  /// The settings that the driver granted.
  package var settings: SensorSettings
  package var begin: Timestamp
  package var end: Timestamp
  /// The number of frames read, the number of batches, and the number of frames in the largest
  /// batch.
  package var frames: UInt64 = 0
  package var batches = 0
  package var largestBatch = 0
  package var health = Health()
  package var selfTest: SelfTestReport?
  /// The identity that was read last; `nil` before the first read.
  package var identity: UInt8?
  /// The times of active edges on the interrupt line. Edges between two successive polls of the
  /// line all have the time of the last of them.
  package var edges: [Timestamp] = []
  package var traffic = BusTraffic()
  /// The number of errors after which the chip's registers had their reset values instead of the
  /// configuration.
  package var brownOuts = 0
  /// The number of registers whose value was wrong in one read and right in the next read.
  package var misreadings = 0
  /// The longest sequence of driver steps that ended with a timeout.
  package var timeoutsInARow = 0
  /// The longest sequence of failed transactions.
  package var failuresInARow = 0
  /// The number of failed transactions in sequences of only one or two failures.
  package var isolatedFailures = 0
  /// The first thousand errors with their times.
  package private(set) var errors: [(error: ChipError, time: Timestamp)] = []
  /// The number of errors.
  package private(set) var errorCount = 0

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

/// The traffic of one chip on its bus.
package struct BusTraffic: Equatable, Sendable {
  package var transactions: UInt64 = 0
  /// The number of register bytes, without address bytes.
  package var bytes: UInt64 = 0
  /// The number of failed transactions for each kind of error.
  package var failures: [(error: BusError, count: UInt64)] = []

  package init() {}

  package var failed: UInt64 { failures.reduce(0) { $0 + $1.count } }

  mutating func add(_ error: BusError) {
    if let index = failures.firstIndex(where: { $0.error == error }) {
      failures[index].count += 1
    } else {
      failures.append((error, 1))
    }
  }

  package static func == (a: BusTraffic, b: BusTraffic) -> Bool {
    a.transactions == b.transactions && a.bytes == b.bytes
      && a.failures.elementsEqual(b.failures) { $0.error == $1.error && $0.count == $1.count }
  }

  /// Returns the traffic since the earlier state `before`.
  package static func - (now: BusTraffic, before: BusTraffic) -> BusTraffic {
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
