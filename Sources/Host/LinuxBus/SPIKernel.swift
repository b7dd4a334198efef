// SPDX-License-Identifier: Apache-2.0
package import LinuxSystem
package import CLinux

/// The system call on an open SPI device; tests provide a fake kernel. Functions take this type as
/// a generic parameter, not as an existential.
package protocol SPIKernel: ~Copyable, Sendable {
  /// Performs SPI_IOC_MESSAGE. Returns 0 or more, or the negative errno.
  func transfer(_ transfers: UnsafeMutableBufferPointer<spi_ioc_transfer>) -> Int32
}

/// The system call of the real kernel.
package struct SystemSPIKernel: SPIKernel, ~Copyable {
  private let descriptor: OwnedDescriptor

  package init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

  package func transfer(_ transfers: UnsafeMutableBufferPointer<spi_ioc_transfer>) -> Int32 {
    // The caller keeps the transfers and their buffers valid until the kernel returns.
    unsafe otolith_spi_transfer(
      descriptor.rawValue, transfers.baseAddress, UInt32(transfers.count))
  }
}
