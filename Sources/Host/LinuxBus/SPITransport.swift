// SPDX-License-Identifier: Apache-2.0
package import Registers
internal import CLinux

/// A transport that performs SPI frames by system calls.
package struct SPITransport<Kernel: SPIKernel & ~Copyable>: ~Copyable, Sendable {
  package let kernel: Kernel
  /// The largest number of bytes that one message transfers in each direction.
  package let limit: Int
  private let speed: UInt32
  private let bitsPerWord: UInt8

  package init(_ kernel: consuming Kernel, limit: Int, speed: UInt32, bitsPerWord: UInt8) {
    self.kernel = kernel
    self.limit = limit
    self.speed = speed
    self.bitsPerWord = bitsPerWord
  }

  package func write(_ bytes: Span<UInt8>) throws(BusError) {
    guard bytes.count > 0 else { return }
    guard bytes.count <= limit else { throw .tooLong(limit: limit) }
    // The pointer is used only within the closure.
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(BusError) in
      // The pointer is used only within the closure.
      try transfer(unsafe SPIFrames.write(buffer, speed: speed, bitsPerWord: bitsPerWord))
    }
  }

  package func read(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int)
    throws(BusError)
  {
    guard bytes.count > 0 else { return }
    guard bytes.count <= limit else { throw .tooLong(limit: limit) }
    guard (0..<SPIFrames.headerCapacity).contains(dummyBytes) else { throw .unsupported }
    var header = InlineArray<8, UInt8>(repeating: 0)
    header[0] = command
    // Both pointers are used only within their closures.
    try unsafe bytes.withUnsafeMutableBufferPointer { (buffer) throws(BusError) in
      try unsafe header.span.extracting(first: 1 + dummyBytes).withUnsafeBufferPointer {
        (sent) throws(BusError) in
        try transfer(
          unsafe SPIFrames.read(buffer, header: sent, speed: speed, bitsPerWord: bitsPerWord))
      }
    }
  }

  private func transfer<let count: Int>(_ transfers: InlineArray<count, spi_ioc_transfer>)
    throws(BusError)
  {
    var transfers = transfers
    var span = transfers.mutableSpan
    // The pointer is used only within the closure.
    let result = unsafe span.withUnsafeMutableBufferPointer { (buffer) in
      while true {
        let result = unsafe kernel.transfer(buffer)  // pointer used only within the closure
        if result != -interruptedError { return result }
      }
    }
    guard result >= 0 else { throw BusError(spiTransfer: -result, limit: limit) }
  }
}
