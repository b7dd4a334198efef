// SPDX-License-Identifier: Apache-2.0
public import Registers
public import Quantities

/// A handle on an open SPI device that a driver owns; copies share the device.
public struct LinuxSPI: SPIDevice, Sendable {
  /// The device behind it.
  public let device: LinuxSPIDevice

  /// A handle on an open device.
  public init(_ device: LinuxSPIDevice) { self.device = device }

  /// Opens the device at `path`; see `LinuxSPIDevice`.
  public init(path: String, mode: UInt8, speed: UInt32, bitsPerWord: UInt8 = 8)
    throws(OpenError)
  {
    device = try LinuxSPIDevice(path: path, mode: mode, speed: speed, bitsPerWord: bitsPerWord)
  }

  /// CLOCK_MONOTONIC, the clock of the kernel's GPIO edges.
  public var now: Timestamp { monotonicNow() }

  /// The space in bytes that the node's buffer leaves beside the command and a dummy byte.
  public var longestRead: Int { device.longestFrame - 2 }

  /// The size in bytes of the node's buffer.
  public var longestWrite: Int { device.longestFrame }

  /// One frame out; see `LinuxSPIDevice.write`.
  public func write(_ bytes: Span<UInt8>) throws(BusError) { try device.write(bytes) }

  /// One frame out and in; see `LinuxSPIDevice.read`.
  public func read(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int)
    throws(BusError)
  {
    try device.read(&bytes, after: command, dummyBytes: dummyBytes)
  }
}
