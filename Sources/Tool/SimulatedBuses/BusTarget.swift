// SPDX-License-Identifier: Apache-2.0
package import Registers

/// Buses that execute the requests of a `BusConversation`. One thread uses them.
package protocol BusTarget: AnyObject {
  /// Executes one I2C transaction with the device at the 7-bit `address`: writes `sent` and, if
  /// `received` is not empty, fills `received` after a repeated start. If both are empty, only the
  /// address is sent, as in a scan.
  @_lifetime(received: copy received)
  func transfer(
    _ sent: Span<UInt8>, _ received: inout MutableSpan<UInt8>, at address: UInt8
  ) throws(BusError)

  /// Executes one full-duplex SPI frame at a chip select. `bytes` are sent and then replaced by the
  /// received bytes.
  func exchange(_ bytes: inout MutableSpan<UInt8>, at select: UInt8) throws(BusError)

  /// Advances the simulated time. The server calls this function at least twenty times per second,
  /// even without requests.
  func advance()
}
