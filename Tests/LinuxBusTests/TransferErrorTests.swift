// SPDX-License-Identifier: Apache-2.0
import Registers
import LinuxBus
import Testing

/// Numbers are typed from asm-generic/errno.h, meanings from the kernel's
/// Documentation/i2c/fault-codes.
@Suite struct TransferErrorTests {
  @Test(
    arguments: [
      (6, BusError.noAcknowledge),  // ENXIO
      (121, .noAcknowledge),  // EREMOTEIO
      (2, .noAcknowledge),  // ENOENT
      (19, .noAcknowledge),  // ENODEV
      (11, .arbitrationLost),  // EAGAIN
      (110, .timeout),  // ETIMEDOUT
      (16, .timeout),  // EBUSY
      (108, .adapterGone),  // ESHUTDOWN
      (95, .unsupported),  // EOPNOTSUPP
      (22, .unsupported),  // EINVAL
      (25, .unsupported),  // ENOTTY
      (90, .tooLong(limit: 8192)),  // EMSGSIZE
      (5, .system(errno: 5)),  // EIO
      (71, .system(errno: 71)),  // EPROTO
      (74, .system(errno: 74)),  // EBADMSG
      (12, .system(errno: 12)),  // ENOMEM
    ] as [(Int32, BusError)])
  func `each errno of an I2C transfer is its error`(errno: Int32, meaning: BusError) {
    #expect(BusError(i2cTransfer: errno, adapterIsPresent: true) == meaning)
  }

  @Test func `no device of an unplugged adapter is an adapter gone`() {
    #expect(BusError(i2cTransfer: 19, adapterIsPresent: false) == .adapterGone)
    #expect(BusError(i2cTransfer: 6, adapterIsPresent: false) == .noAcknowledge)
  }

  @Test func `each errno of a select is its error`() {
    #expect(BusError(i2cSelect: 16) == .busy)
    #expect(BusError(i2cSelect: 22) == .unsupported)
    #expect(BusError(i2cSelect: 25) == .system(errno: 25))
  }

  @Test(
    arguments: [
      (90, BusError.tooLong(limit: 4096)), (108, .adapterGone), (19, .adapterGone), (110, .timeout),
      (22, .unsupported), (95, .unsupported), (25, .unsupported), (5, .system(errno: 5)),
      (6, .system(errno: 6)), (121, .system(errno: 121)),
    ] as [(Int32, BusError)])
  func `each errno of an SPI transfer is its error`(errno: Int32, meaning: BusError) {
    #expect(BusError(spiTransfer: errno, limit: 4096) == meaning)
  }
}
