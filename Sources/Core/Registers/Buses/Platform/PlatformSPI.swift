// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A device at an SPI chip select, made from one transfer function, which every platform has, and
/// the platform's clock.
///
/// SPI mode 3 suits all chips of the catalogue: the clock idles high, and data is sampled at its
/// rising edge. `PlatformI2C` explains what kind of function to pass.
@safe
public struct PlatformSPI: SPIDevice {
  /// A function that asserts chip select (low), sends `sentCount` bytes and discards the bytes
  /// received meanwhile, then fills `receivedCount` bytes while it sends arbitrary bytes, releases
  /// chip select, and returns a `PlatformStatus`. One of the counts may be 0; the pointer to its
  /// bytes is then `nil`.
  public typealias Transfer =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ sent: UnsafePointer<UInt8>?, _ sentCount: Int,
      _ received: UnsafeMutablePointer<UInt8>?, _ receivedCount: Int
    ) -> Int32

  private let transfer: Transfer
  private let clock: PlatformClock
  private let context: UnsafeMutableRawPointer?
  /// The largest number of bytes that one read can return.
  public let longestRead: Int

  /// Creates a device that transfers frames with `transfer`. `longestRead` is the largest number of
  /// bytes that `transfer` can return; longer FIFO reads are split.
  public init(
    transfer: @escaping Transfer, clock: @escaping PlatformClock, longestRead: Int = .max,
    context: UnsafeMutableRawPointer? = nil
  ) {
    unsafe self.transfer = transfer  // only stored
    self.clock = clock
    self.longestRead = longestRead
    unsafe self.context = context  // never dereferenced
  }

  public var now: Timestamp { timestamp(clock) }

  public mutating func write(_ bytes: Span<UInt8>) throws(BusError) {
    // The pointer is valid until the platform's function returns.
    let status = unsafe bytes.withUnsafeBufferPointer {
      unsafe transfer(context, $0.baseAddress, $0.count, nil, 0)  // count of the span
    }
    try PlatformStatus.check(status)
  }

  public mutating func read(
    _ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int
  ) throws(BusError) {
    let sent: InlineArray<2, UInt8> = [command, 0]
    let span = sent.span
    let count = min(1 + dummyBytes, 2)
    // The pointers are valid until the platform's function returns.
    let status = unsafe bytes.withUnsafeMutableBufferPointer { received in
      unsafe span.withUnsafeBufferPointer { sent in
        unsafe transfer(  // count is at most 2, the size of the span
          context, sent.baseAddress, count, received.baseAddress, received.count)
      }
    }
    try PlatformStatus.check(status)
  }
}
