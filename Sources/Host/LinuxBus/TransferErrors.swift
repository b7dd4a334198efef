// SPDX-License-Identifier: Apache-2.0
package import Registers

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

extension BusError {
  /// Creates the error for an errno of an I2C transfer (kernel Documentation/i2c/fault-codes).
  /// `adapterIsPresent` determines the meaning of ENODEV: some adapters return it for a missing
  /// acknowledgement, and all adapters return it after they were unplugged.
  package init(i2cTransfer errno: Int32, adapterIsPresent: Bool) {
    switch errno {
    // fault-codes gives ENXIO for a missing acknowledgement; real adapters also return EREMOTEIO
    // and ENOENT.
    case ENXIO, EREMOTEIO, ENOENT: self = .noAcknowledge
    case ENODEV: self = adapterIsPresent ? .noAcknowledge : .adapterGone
    case EAGAIN: self = .arbitrationLost
    // According to fault-codes, EBUSY in a transfer means that the bus was busy for too long. If
    // the address is in use, EBUSY is already returned when the address is selected.
    case ETIMEDOUT, EBUSY: self = .timeout
    case ESHUTDOWN: self = .adapterGone
    // The lengths were checked before, so EINVAL means a transfer that the adapter does not
    // support.
    case EOPNOTSUPP, EINVAL, ENOTTY: self = .unsupported
    case EMSGSIZE: self = .tooLong(limit: I2CLimits.message)
    // EIO is passed on without interpretation: some adapters return it for a missing
    // acknowledgement, other adapters for any fault.
    default: self = .system(errno: errno)
    }
  }

  /// Creates the error for an errno of I2C_SLAVE, which selects the address for SMBus calls (kernel
  /// Documentation/i2c/dev-interface).
  package init(i2cSelect errno: Int32) {
    switch errno {
    case EBUSY: self = .busy
    case EINVAL: self = .unsupported
    default: self = .system(errno: errno)
    }
  }

  /// Creates the error for an errno of an SPI message (kernel Documentation/spi/spidev and
  /// drivers/spi/spidev.c). SPI has no acknowledgement: a missing chip is read as all zeros or all
  /// ones, without an error.
  package init(spiTransfer errno: Int32, limit: Int) {
    switch errno {
    case EMSGSIZE: self = .tooLong(limit: limit)
    case ESHUTDOWN, ENODEV: self = .adapterGone
    case ETIMEDOUT: self = .timeout
    case EINVAL, EOPNOTSUPP, ENOTTY: self = .unsupported
    default: self = .system(errno: errno)
    }
  }
}
