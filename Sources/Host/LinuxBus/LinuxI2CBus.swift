// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
public import Registers
public import Quantities

/// A copyable handle for drivers on a shared open adapter.
public struct LinuxI2CBus: I2CBus, Sendable {
  /// The shared adapter.
  public let adapter: LinuxI2CAdapter

  /// Makes a handle on an open adapter.
  public init(_ adapter: LinuxI2CAdapter) { self.adapter = adapter }

  /// Opens the adapter at `path`.
  public init(path: String) throws(OpenError) { adapter = try LinuxI2CAdapter(path: path) }

  /// CLOCK_MONOTONIC, the clock of the kernel's GPIO edges.
  public var now: Timestamp { monotonicNow() }

  /// 8192 bytes, or 32 where the adapter supports SMBus transfers only.
  public var longestRead: Int { adapter.longestRead }

  /// 8192 bytes, or 33 where the adapter supports SMBus transfers only.
  public var longestWrite: Int { adapter.longestWrite }

  /// Sends one transaction; see `LinuxI2CAdapter.write`.
  public func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    try adapter.write(bytes, to: address)
  }

  /// Reads in exactly one transaction: a read longer than `adapter.longestRead` throws, and is
  /// never split.
  public func read(
    _ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8
  ) throws(BusError) {
    try adapter.read(&bytes, after: register, from: address)
  }
}
