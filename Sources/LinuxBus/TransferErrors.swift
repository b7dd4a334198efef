// SPDX-License-Identifier: Apache-2.0
package import Registers

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

extension BusError {
  /// The table of errnos of an I2C transfer (kernel Documentation/i2c/fault-codes).
  /// `adapterIsPresent` decides ENODEV, which some adapters give for silence and unplugged ones for
  /// themselves.
  package init(i2cTransfer errno: Int32, adapterIsPresent: Bool) {
    switch errno {
    // fault-codes names ENXIO for the address; adapters in the field say the other two as well.
    case ENXIO, EREMOTEIO, ENOENT: self = .noAcknowledge
    case ENODEV: self = adapterIsPresent ? .noAcknowledge : .adapterGone
    case EAGAIN: self = .arbitrationLost
    // fault-codes: EBUSY in a transfer is a bus that was busy for too long. The EBUSY of an owned
    // address comes from selecting it, see below.
    case ETIMEDOUT, EBUSY: self = .timeout
    case ESHUTDOWN: self = .adapterGone
    // The lengths were checked before, so what is left of EINVAL is a form the adapter does not
    // take.
    case EOPNOTSUPP, EINVAL, ENOTTY: self = .unsupported
    case EMSGSIZE: self = .tooLong(limit: I2CLimits.message)
    // Vague by its own description, so no guess: EIO is a byte not acknowledged on some adapters,
    // any fault on others.
    default: self = .system(errno: errno)
    }
  }

  /// The errnos of I2C_SLAVE, which selects the address of the SMBus calls
  /// (kernel Documentation/i2c/dev-interface).
  package init(i2cSelect errno: Int32) {
    switch errno {
    case EBUSY: self = .busy
    case EINVAL: self = .unsupported
    default: self = .system(errno: errno)
    }
  }

  /// The table of errnos of an SPI message (kernel Documentation/spi/spidev and
  /// drivers/spi/spidev.c). SPI has no acknowledgement: a missing chip reads as all zeros or all
  /// ones, never as an error.
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
