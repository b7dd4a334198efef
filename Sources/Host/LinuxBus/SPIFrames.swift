// SPDX-License-Identifier: Apache-2.0
package import CLinux

/// The transfers of one SPI_IOC_MESSAGE, which is one frame (kernel Documentation/spi/spidev). The
/// functions only lay out memory and make no system call.
package enum SPIFrames {
  /// The largest number of bytes of a command with its dummy bytes.
  package static var headerCapacity: Int { 8 }

  /// Returns the SPI transfer that sends `bytes` and discards the received bytes.
  package static func write(
    _ bytes: UnsafeBufferPointer<UInt8>, speed: UInt32, bitsPerWord: UInt8
  ) -> InlineArray<1, spi_ioc_transfer> {
    var transfer = spi_ioc_transfer()
    // The kernel takes addresses as numbers; the caller keeps the memory alive.
    transfer.tx_buf = UInt64(UInt(bitPattern: bytes.baseAddress))
    transfer.len = UInt32(bytes.count)
    transfer.speed_hz = speed
    transfer.bits_per_word = bitsPerWord
    return [transfer]
  }

  /// Returns the transfers that send `header` (command and dummy bytes) and then fill `bytes`. Chip
  /// select is not released between these transfers. Dummy bytes are sent as zeros, because the
  /// kernel refuses a transfer without a buffer.
  package static func read(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, header: UnsafeBufferPointer<UInt8>, speed: UInt32,
    bitsPerWord: UInt8
  ) -> InlineArray<2, spi_ioc_transfer> {
    let first = unsafe write(header, speed: speed, bitsPerWord: bitsPerWord)[0]  // valid here
    var second = spi_ioc_transfer()
    second.rx_buf = UInt64(UInt(bitPattern: bytes.baseAddress))
    second.len = UInt32(bytes.count)
    second.speed_hz = speed
    second.bits_per_word = bitsPerWord
    return [first, second]
  }
}
