// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
public import Registers
internal import CLinux

/// An open SPI device at one chip select (spidev). Threads may share it, because the kernel
/// serialises messages. A frame allocates nothing.
public final class LinuxSPIDevice: Sendable {
  /// The path of the device's node, /dev/spidevB.C.
  public let path: String
  private let transport: SPITransport<SystemSPIKernel>

  /// Opens the node and configures it. `mode` is 0...3 (clock polarity and phase), with the
  /// kernel's further mode bits above. `speed` is the highest clock in hertz; the controller uses
  /// its nearest clock that is not faster. An error of either step is reported as an error of
  /// opening: `.unsupported` if the controller does not support the mode or the word length.
  public init(path: String, mode: UInt8, speed: UInt32, bitsPerWord: UInt8 = 8)
    throws(OpenError)
  {
    let descriptor = try OwnedDescriptor(opening: path, as: .spi)
    let result = otolith_spi_configure(descriptor.rawValue, mode, bitsPerWord, speed)
    guard result >= 0 else { throw OpenError(.spi, path, errno: -result) }
    self.path = path
    // 4096 is the default of the spidev module. It applies to kernels with built-in spidev, whose
    // sysfs does not have this parameter.
    let limit = Sysfs.number(in: "/sys/module/spidev/parameters/bufsiz") ?? 4096
    transport = SPITransport(
      SystemSPIKernel(descriptor), limit: limit, speed: speed, bitsPerWord: bitsPerWord)
  }

  /// The largest number of bytes that one frame transfers in each direction: spidev's parameter
  /// `bufsiz`.
  public var longestFrame: Int { transport.limit }

  /// Sends `bytes` in one frame. Does nothing if `bytes` is empty. Throws `.tooLong` beyond
  /// `longestFrame`.
  public func write(_ bytes: Span<UInt8>) throws(BusError) { try transport.write(bytes) }

  /// Sends `command` and `dummyBytes` (0...7) zero bytes, then fills `bytes`, in one frame. Does
  /// nothing if `bytes` is empty.
  public func read(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int)
    throws(BusError)
  {
    try transport.read(&bytes, after: command, dummyBytes: dummyBytes)
  }
}
