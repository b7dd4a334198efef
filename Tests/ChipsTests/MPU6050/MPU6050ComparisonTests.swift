// SPDX-License-Identifier: Apache-2.0
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Boards
import Testing

/// The configuration is compared while the chip runs; adjacent registers are read in one burst.
/// Addresses are typed from RM-MPU-6000A, section 3.
@Suite struct MPU6050ComparisonTests {
  private static func rig() -> Rig { Rig(at: 0x68, WireFormat()) { MPU6050Model($0) } }

  /// Returns the reads of configured registers, as first address and count.
  private static func comparisons(_ transactions: [Transaction]) -> [[Int]] {
    transactions.compactMap { transaction in
      guard case .read(let address, let bytes) = transaction,
        [0x19, 0x1A, 0x1B, 0x1C, 0x37, 0x38, 0x6A, 0x6B, 0x6C].contains(address)
      else { return nil }
      return [Int(address), bytes.count]
    }
  }

  @Test func `registers that follow each other are one read`() throws {
    let rig = Self.rig()
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(SensorSettings(rate: 100, acquisition: .polling))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(500))
    rig.log.removeAll()
    let outcome = rig.run(&driver, for: .milliseconds(1200))
    // The bursts: power; divider, filter and both ranges; the pin and its sources; the FIFO's
    // switch; then the first again.
    let bursts = [[0x6B, 2], [0x19, 4], [0x37, 2], [0x6A, 1]]
    let seen = Self.comparisons(rig.log.transactions)
    let first = try #require(seen.first.flatMap { bursts.firstIndex(of: $0) })
    #expect(outcome.errors == [] && seen.count >= 6)
    #expect(seen.indices.allSatisfy { seen[$0] == bursts[(first + $0) % bursts.count] })
  }

  @Test func `the register that differs is named, in the middle of a burst too`() throws {
    let rig = Self.rig()
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(SensorSettings(rate: 100, acquisition: .polling))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(500))
    rig.tamper(0x1B, 0x18)
    let outcome = rig.run(&driver, for: .milliseconds(1200))
    // 500 deg/s, FS_SEL 1, was requested.
    #expect(outcome.errors == [.rejected(register: 0x1B, wrote: 0x08, readBack: 0x18)])
  }

  @Test func `a bus that reads single bytes compares each line`() throws {
    let rig = Self.rig()
    var driver = MPU6050(Narrow(bus: rig.wire()))
    _ = try driver.configure(SensorSettings(rate: 100, acquisition: .polling))
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(1500))
    let seen = Self.comparisons(rig.log.transactions)
    #expect(outcome.errors == [] && seen.count > 12)
    #expect(seen.allSatisfy { $0[1] == 1 })
  }

  /// A bus that reads one byte at a time, like an adapter with only basic SMBus support.
  private struct Narrow: RegisterBus, ~Copyable {
    var bus: RigBus
    var now: Timestamp { bus.now }
    var longestRead: Int { 1 }

    mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
      try bus.read(&bytes, from: register)
    }

    mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
      try bus.write(value, to: register)
    }
  }
}
