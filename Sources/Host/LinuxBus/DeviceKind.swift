// SPDX-License-Identifier: Apache-2.0

/// The kind of device that is opened. It decides who may open it by default, and the
/// advice in the error when opening fails.
public enum DeviceKind: CaseIterable, Equatable, Sendable {
  /// An I2C adapter, /dev/i2c-N.
  case i2c
  /// A device on an SPI bus, /dev/spidevB.C.
  case spi
  /// A GPIO chip, /dev/gpiochipN.
  case gpioChip
  /// One line of a GPIO chip.
  case gpioLine
  /// The lock that keeps a second process away from a sensor.
  case lock

  /// A name for users.
  public var name: StaticString {
    switch self {
    case .i2c: "I2C bus"
    case .spi: "SPI device"
    case .gpioChip: "GPIO chip"
    case .gpioLine: "GPIO line"
    case .lock: "lock"
    }
  }

  /// The group that the udev rules of Debian and Raspberry Pi OS assign to such nodes.
  package var usualGroup: String {
    switch self {
    case .i2c: "i2c"
    case .spi: "spi"
    case .gpioChip, .gpioLine: "gpio"
    case .lock: "root"
    }
  }
}
