// SPDX-License-Identifier: Apache-2.0
package import LinuxSystem
package import CLinux

/// The system call on one open SPI device; tests provide a fake kernel. Generic, never existential.
package protocol SPIKernel: ~Copyable, Sendable {
  /// SPI_IOC_MESSAGE: 0 or more, or the negative errno.
  func transfer(_ transfers: UnsafeMutableBufferPointer<spi_ioc_transfer>) -> Int32
}

/// The real kernel.
package struct SystemSPIKernel: SPIKernel, ~Copyable {
  private let descriptor: OwnedDescriptor

  package init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

  package func transfer(_ transfers: UnsafeMutableBufferPointer<spi_ioc_transfer>) -> Int32 {
    // The caller keeps the transfers and their buffers valid for the call.
    unsafe otolith_spi_transfer(
      descriptor.rawValue, transfers.baseAddress, UInt32(transfers.count))
  }
}
