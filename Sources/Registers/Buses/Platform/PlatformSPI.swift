// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A device behind an SPI chip select, made of one function that every platform has, and of its
/// clock.
///
/// Mode 3 suits all chips of the catalogue: the clock idles high, bits are taken at its rising
/// edge. See `PlatformI2C` for where the functions come from.
@safe
public struct PlatformSPI: SPIDevice {
  /// Lets chip select fall, sends `sentCount` bytes ignoring those received, then fills
  /// `receivedCount` bytes while sending any, lets chip select rise, and returns a
  /// `PlatformStatus`. One of the counts may be 0, and its pointer `nil`.
  public typealias Transfer =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ sent: UnsafePointer<UInt8>?, _ sentCount: Int,
      _ received: UnsafeMutablePointer<UInt8>?, _ receivedCount: Int
    ) -> Int32

  private let transfer: Transfer
  private let clock: PlatformClock
  private let context: UnsafeMutableRawPointer?
  /// The largest number of bytes that one read fills.
  public let longestRead: Int

  /// Creates a device whose frames `transfer` does. `longestRead`: the most bytes that it can fill;
  /// longer queues are read in pieces.
  public init(
    transfer: @escaping Transfer, clock: @escaping PlatformClock, longestRead: Int = .max,
    context: UnsafeMutableRawPointer? = nil
  ) {
    unsafe self.transfer = transfer  // kept as it is
    self.clock = clock
    self.longestRead = longestRead
    unsafe self.context = context  // never looked into
  }

  public var now: Timestamp { timestamp(clock) }

  public mutating func write(_ bytes: Span<UInt8>) throws(BusError) {
    // The bytes stay where they are until the platform's function returns.
    let status = unsafe bytes.withUnsafeBufferPointer {
      unsafe transfer(context, $0.baseAddress, $0.count, nil, 0)  // as many as there are
    }
    try PlatformStatus.check(status)
  }

  public mutating func read(
    _ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int
  ) throws(BusError) {
    let sent: InlineArray<2, UInt8> = [command, 0]
    let span = sent.span
    let count = min(1 + dummyBytes, 2)
    // As above.
    let status = unsafe bytes.withUnsafeMutableBufferPointer { received in
      unsafe span.withUnsafeBufferPointer { sent in
        unsafe transfer(  // one or two bytes of the two
          context, sent.baseAddress, count, received.baseAddress, received.count)
      }
    }
    try PlatformStatus.check(status)
  }
}
