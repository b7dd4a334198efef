// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
public import Registers
public import Quantities

/// A copyable reference to a shared open SPI device, for drivers.
public struct LinuxSPI: SPIDevice, Sendable {
  /// The shared device.
  public let device: LinuxSPIDevice

  /// Creates a reference to an open SPI device.
  public init(_ device: LinuxSPIDevice) { self.device = device }

  /// Opens the SPI device at `path`; see `LinuxSPIDevice`.
  public init(path: String, mode: UInt8, speed: UInt32, bitsPerWord: UInt8 = 8)
    throws(OpenError)
  {
    device = try LinuxSPIDevice(path: path, mode: mode, speed: speed, bitsPerWord: bitsPerWord)
  }

  /// The current time on CLOCK_MONOTONIC, the clock of the kernel's GPIO edges.
  public var now: Timestamp { monotonicNow() }

  /// The longest SPI read in bytes: the node's buffer without the command and a dummy byte.
  public var longestRead: Int { device.longestFrame - 2 }

  /// The longest frame in bytes: the node's buffer.
  public var longestWrite: Int { device.longestFrame }

  /// Sends `bytes` in one frame; see `LinuxSPIDevice.write`.
  public func write(_ bytes: Span<UInt8>) throws(BusError) { try device.write(bytes) }

  /// Sends a command and reads the response in one frame; see `LinuxSPIDevice.read`.
  public func read(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int)
    throws(BusError)
  {
    try device.read(&bytes, after: command, dummyBytes: dummyBytes)
  }
}
