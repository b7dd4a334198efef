// SPDX-License-Identifier: Apache-2.0
package import CLinux

/// The transfers of one SPI_IOC_MESSAGE, one frame (kernel Documentation/spi/spidev): memory layout
/// only, no system call.
package enum SPIFrames {
  /// The most bytes of a command and its dummy bytes.
  package static var headerCapacity: Int { 8 }

  /// Sends `bytes`; the received bytes are dropped.
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

  /// Sends `header` (command and dummy bytes), then fills `bytes`, without releasing the chip
  /// select between them. The dummy bytes are sent as zeros, as the kernel refuses a transfer
  /// without any buffer.
  package static func read(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, header: UnsafeBufferPointer<UInt8>, speed: UInt32,
    bitsPerWord: UInt8
  ) -> InlineArray<2, spi_ioc_transfer> {
    let first = unsafe write(header, speed: speed, bitsPerWord: bitsPerWord)[0]  // as above
    var second = spi_ioc_transfer()
    second.rx_buf = UInt64(UInt(bitPattern: bytes.baseAddress))
    second.len = UInt32(bytes.count)
    second.speed_hz = speed
    second.bits_per_word = bitsPerWord
    return [first, second]
  }
}
