// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
public import Registers
public import Quantities

/// A copyable reference to a shared open adapter, for drivers.
public struct LinuxI2CBus: I2CBus, Sendable {
  /// The shared adapter.
  public let adapter: LinuxI2CAdapter

  /// Creates a reference to an open I2C adapter.
  public init(_ adapter: LinuxI2CAdapter) { self.adapter = adapter }

  /// Opens the I2C adapter at `path`.
  public init(path: String) throws(OpenError) { adapter = try LinuxI2CAdapter(path: path) }

  /// The current time on CLOCK_MONOTONIC, the clock of the kernel's GPIO edges.
  public var now: Timestamp { monotonicNow() }

  /// The longest read in bytes: 8192, or 32 if the adapter supports only SMBus.
  public var longestRead: Int { adapter.longestRead }

  /// The longest write in bytes: 8192, or 33 if the adapter supports only SMBus.
  public var longestWrite: Int { adapter.longestWrite }

  /// Sends `bytes` in one I2C transaction; see `LinuxI2CAdapter.write`.
  public func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    try adapter.write(bytes, to: address)
  }

  /// Reads in exactly one transaction. A read longer than `adapter.longestRead` throws instead of
  /// being split.
  public func read(
    _ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8
  ) throws(BusError) {
    try adapter.read(&bytes, after: register, from: address)
  }
}
