// SPDX-License-Identifier: Apache-2.0
import Quantities
import Registers
import Sensors

/// 256 bytes that respond like registers, with a log of every transaction: `R 3B 14` reads 14 bytes
/// from 0x3B on, `W 6B 80` writes one byte.
final class FakeChip {
  var bytes = [UInt8](repeating: 0, count: 256)
  var log: [String] = []
  var now = Timestamp(nanoseconds: 1_000_000_000)
  /// The index of the transaction that fails, and its error; `nil` for none.
  var failure: (index: Int, error: BusError)?
  /// Returns the value that a write leaves in the register, if it is not the written one.
  var onWrite: (UInt8, UInt8) -> UInt8? = { _, _ in nil }
  private var count = 0

  /// Lets the time pass that a driver requests, unless the driver waits for an edge.
  func spend(_ wake: NextStep) {
    var loop = DriverLoop()
    loop.take(wake, at: now)
    if !loop.waitsForEdge, !loop.isOver { now = max(now, loop.due) }
  }

  fileprivate func transact(_ line: String) throws(BusError) {
    defer { count += 1 }
    log.append(line)
    if let failure, failure.index == count { throw failure.error }
  }

  fileprivate static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }
}

/// The connection of a driver to a fake chip.
struct FakeBus: RegisterBus {
  let chip: FakeChip

  var now: Timestamp { chip.now }

  func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    try chip.transact("R \(FakeChip.hex(register)) \(bytes.count)")
    for index in bytes.indices { bytes[index] = chip.bytes[(Int(register) + index) & 0xFF] }
  }

  func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try chip.transact("W \(FakeChip.hex(register)) \(FakeChip.hex(value))")
    chip.bytes[Int(register)] = chip.onWrite(register, value) ?? value
  }
}
