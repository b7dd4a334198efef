// SPDX-License-Identifier: Apache-2.0
public import Registers

/// Buses that carry out what a `BusConversation` is asked for. One thread.
public protocol BusTarget: AnyObject {
  /// One I2C transaction with the device at `address`, 7 bits: writes `sent` and, where `received`
  /// has room, fills it after a repeated start. Without either it is the address alone, as a scan
  /// sends it.
  @_lifetime(received: copy received)
  func transfer(
    _ sent: Span<UInt8>, _ received: inout MutableSpan<UInt8>, at address: UInt8
  ) throws(BusError)

  /// One SPI frame at a chip select, in both directions at once: `bytes` are sent and replaced by
  /// what comes back.
  func exchange(_ bytes: inout MutableSpan<UInt8>, at select: UInt8) throws(BusError)

  /// Lets time pass. Called about twenty times a second, with or without requests.
  func advance()
}
