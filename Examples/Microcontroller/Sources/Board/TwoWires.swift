// SPDX-License-Identifier: Apache-2.0
public import Registers
internal import Startup

/// The I2C bus of this board. It has no controller: two lines that software pulls low and lets go
/// (Arm's "SBCon" serial bus, on the MPS2's second shield connector), so that this file is the
/// whole protocol. Yours most likely has a controller, and these functions become its driver's.
public enum TwoWires {
  /// A write to `lines` lets lines go, one to `pulls` pulls them low; a read shows them.
  private static var lines: UInt { 0x4002_A000 }
  private static var pulls: UInt { lines + 4 }
  private static var clockLine: UInt32 { 1 }
  private static var dataLine: UInt32 { 2 }

  /// The bus with this board's clock.
  public static var bus: PlatformI2C {
    PlatformI2C(
      write: { _, address, bytes, count in TwoWires.write(address, bytes, count) },
      read: { _, address, register, bytes, count in
        TwoWires.read(address, register, bytes, count)
      }, clock: Microseconds.clock)
  }

  private static func write(_ address: UInt8, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32
  {
    start()
    defer { stop() }
    guard send(address << 1) else { return PlatformStatus.noAcknowledge }
    for index in 0..<count {
      guard let bytes, send(bytes[index]) else { return PlatformStatus.noAcknowledge }
    }
    return PlatformStatus.done
  }

  private static func read(
    _ address: UInt8, _ register: UInt8, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int
  ) -> Int32 {
    start()
    defer { stop() }
    guard send(address << 1), send(register) else { return PlatformStatus.noAcknowledge }
    // A repeated start: no other transaction may come between.
    start()
    guard send(address << 1 | 1) else { return PlatformStatus.noAcknowledge }
    for index in 0..<count { bytes?[index] = receive(isLast: index == count - 1) }
    return PlatformStatus.done
  }

  // MARK: On the lines

  private static func start() {
    rise(dataLine)
    rise(clockLine)
    fall(dataLine)
    fall(clockLine)
  }

  private static func stop() {
    fall(dataLine)
    rise(clockLine)
    rise(dataLine)
  }

  /// Sends `byte`; returns true if it was acknowledged.
  private static func send(_ byte: UInt8) -> Bool {
    for bit in 0..<8 { clockOut(byte << UInt8(bit) & 0x80 != 0) }
    return !clockIn()
  }

  /// The last byte is not acknowledged: the device lets go of the line.
  private static func receive(isLast: Bool) -> UInt8 {
    var byte: UInt8 = 0
    for _ in 0..<8 { byte = byte << 1 | (clockIn() ? 1 : 0) }
    clockOut(isLast)
    return byte
  }

  private static func clockOut(_ isHigh: Bool) {
    if isHigh { rise(dataLine) } else { fall(dataLine) }
    rise(clockLine)
    fall(clockLine)
  }

  private static func clockIn() -> Bool {
    rise(dataLine)
    rise(clockLine)
    defer { fall(clockLine) }
    return register_read(lines) & dataLine != 0
  }

  private static func rise(_ line: UInt32) {
    register_write(lines, line)
    halfBit()
  }

  private static func fall(_ line: UInt32) {
    register_write(pulls, line)
    halfBit()
  }

  /// 2 us and what the code takes: below 100 kHz.
  private static func halfBit() {
    let end = Microseconds.ticks + 50
    while Microseconds.ticks < end {}
  }
}
