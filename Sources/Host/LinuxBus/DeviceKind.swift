// SPDX-License-Identifier: Apache-2.0

/// The kind of a device that is opened. The kind determines which group may open the device by
/// default, and the advice if opening fails.
public enum DeviceKind: CaseIterable, Equatable, Sendable {
  /// The device is an I2C adapter, /dev/i2c-N.
  case i2c
  /// The device is on an SPI bus, /dev/spidevB.C.
  case spi
  /// The device is a GPIO chip, /dev/gpiochipN.
  case gpioChip
  /// One line of a GPIO chip.
  case gpioLine
  /// The device is the buffer of a sensor that a driver of the kernel reads, /dev/iio:deviceN.
  case kernelSensor
  /// The device is the lock that prevents a second process from using a sensor.
  case lock

  /// The name of the device kind for users.
  public var name: StaticString {
    switch self {
    case .i2c: "I2C bus"
    case .spi: "SPI device"
    case .gpioChip: "GPIO chip"
    case .gpioLine: "GPIO line"
    case .kernelSensor: "kernel sensor"
    case .lock: "lock"
    }
  }

  /// The group that the udev rules of Debian and Raspberry Pi OS assign to nodes of this kind.
  package var usualGroup: String {
    switch self {
    case .i2c: "i2c"
    case .spi: "spi"
    case .gpioChip, .gpioLine: "gpio"
    // Debian has no rule for these nodes; that of 'otolith install' gives them to this group.
    case .kernelSensor: "iio"
    case .lock: "root"
    }
  }
}
