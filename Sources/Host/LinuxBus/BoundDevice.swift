// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import LinuxSystem

/// A device on a bus as sysfs lists it: its I2C address or chip select, and the kernel driver that
/// is bound to the device.
public struct BoundDevice: Equatable, Sendable {
  /// The device's name in sysfs, such as 1-0068 or spi0.0.
  public let name: String
  /// The name of the device's kernel driver; `nil` if none is bound.
  public let driver: String?

  package init(name: String, driver: String?) {
    self.name = name
    self.driver = driver
  }

  /// Returns the device at `address` of the I2C adapter with number `bus`; `nil` if sysfs has no
  /// such device.
  package static func i2c(bus: Int, address: UInt8, sysfs: String = "/sys") -> BoundDevice? {
    found(i2cDeviceName(bus, address), in: "\(sysfs)/bus/i2c/devices")
  }

  /// Returns the device whose node would be `path`, /dev/spidevB.C; `nil` if sysfs has no such
  /// device or `path` has another form.
  package static func spi(node path: String, sysfs: String = "/sys") -> BoundDevice? {
    let node = path.split(separator: "/").last ?? ""
    guard node.hasPrefix("spidev") else { return nil }
    let numbers = node.dropFirst("spidev".count)
      .split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let bus = numbers[0], let select = numbers[1] else { return nil }
    return found("spi\(bus).\(select)", in: "\(sysfs)/bus/spi/devices")
  }

  /// Returns the chip selects that the kernel knows and that have no device node.
  package static func spiWithoutNode(sysfs: String = "/sys") -> [BoundDevice] {
    let folder = "\(sysfs)/bus/spi/devices"
    return Sysfs.names(in: folder).sorted().compactMap { found($0, in: folder) }
      .filter { $0.driver != "spidev" }
  }

  private static func found(_ name: String, in folder: String) -> BoundDevice? {
    var node = otolith_node()
    // The C function does not keep the pointers.
    guard unsafe otolith_node_at("\(folder)/\(name)", &node) == 0 else { return nil }
    return BoundDevice(name: name, driver: Sysfs.linkName("\(folder)/\(name)/driver"))
  }

  /// The device's name with its kernel driver, for lists: spi0.1 (bmi160_spi).
  package var label: String { driver.map { "\(name) (\($0))" } ?? name }
}
