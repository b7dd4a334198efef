// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// An I2C bus made from two transfer functions, which every platform has, and the platform's clock.
///
/// The functions are C functions or Swift closures without captures, so that nothing is allocated;
/// `context` is passed to them unchanged, for platforms with more than one bus. Each chip on a bus
/// has a copy of this value, and all calls come from one thread. A program can instead define its
/// own type that conforms to `I2CBus`.
///
/// ```swift
/// let bus = PlatformI2C(
///    write: { _, address, bytes, count in board_i2c_write(address, bytes, count) },
///    read: { _, address, register, bytes, count in
///      board_i2c_read(address, register, bytes, count)
///    },
///    clock: { board_microseconds() })
/// ```
@safe
public struct PlatformI2C: I2CBus {
  /// A function that sends START, `address` (7 bits, right-aligned) with W, `count` bytes and STOP,
  /// and returns a `PlatformStatus`.
  public typealias Write =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ address: UInt8, _ bytes: UnsafePointer<UInt8>?,
      _ count: Int
    ) -> Int32

  /// A function that sends START, `address` with W, the byte `register`, a repeated START and
  /// `address` with R, fills `count` bytes, sends STOP, and returns a `PlatformStatus`.
  public typealias Read =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ address: UInt8, _ register: UInt8,
      _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int
    ) -> Int32

  private let write: Write
  private let read: Read
  private let clock: PlatformClock
  private let context: UnsafeMutableRawPointer?
  /// The largest number of bytes that one read can return.
  public let longestRead: Int

  /// Creates a bus that transfers with `write` and `read`. `longestRead` is the largest number of
  /// bytes that `read` can return; longer FIFO reads are split.
  public init(
    write: @escaping Write, read: @escaping Read, clock: @escaping PlatformClock,
    longestRead: Int = .max, context: UnsafeMutableRawPointer? = nil
  ) {
    unsafe self.write = write  // only stored
    unsafe self.read = read  // only stored
    self.clock = clock
    self.longestRead = longestRead
    unsafe self.context = context  // never dereferenced
  }

  public var now: Timestamp { timestamp(clock) }

  public mutating func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    // The pointer is valid until the platform's function returns.
    let status = unsafe bytes.withUnsafeBufferPointer {
      unsafe write(context, address, $0.baseAddress, $0.count)  // count of the span
    }
    try PlatformStatus.check(status)
  }

  public mutating func read(
    _ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8
  ) throws(BusError) {
    // The pointer is valid until the platform's function returns.
    let status = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe read(context, address, register, $0.baseAddress, $0.count)  // count of the span
    }
    try PlatformStatus.check(status)
  }
}
