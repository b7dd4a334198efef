// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// A device on a bus as sysfs lists it: the device at an I2C address or a chip select, with the
/// kernel driver bound to it.
public struct BoundDevice: Equatable, Sendable {
  /// The name in sysfs: 1-0068, spi0.0.
  public let name: String
  /// The driver; `nil` if none is bound.
  public let driver: String?

  package init(name: String, driver: String?) {
    self.name = name
    self.driver = driver
  }

  /// The device at `address` of I2C adapter `bus`; `nil` if sysfs has none.
  package static func i2c(bus: Int, address: UInt8, sysfs: String = "/sys") -> BoundDevice? {
    found(i2cDeviceName(bus, address), in: "\(sysfs)/bus/i2c/devices")
  }

  /// The device whose node would be `path`, /dev/spidevB.C; `nil` if sysfs has no such device,
  /// or `path` is not of that form.
  package static func spi(node path: String, sysfs: String = "/sys") -> BoundDevice? {
    let node = path.split(separator: "/").last ?? ""
    guard node.hasPrefix("spidev") else { return nil }
    let numbers = node.dropFirst("spidev".count)
      .split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let bus = numbers[0], let select = numbers[1] else { return nil }
    return found("spi\(bus).\(select)", in: "\(sysfs)/bus/spi/devices")
  }

  /// The chip selects that the kernel knows and that have no device node.
  package static func spiWithoutNode(sysfs: String = "/sys") -> [BoundDevice] {
    let folder = "\(sysfs)/bus/spi/devices"
    return names(in: folder).sorted().compactMap { found($0, in: folder) }
      .filter { $0.driver != "spidev" }
  }

  private static func found(_ name: String, in folder: String) -> BoundDevice? {
    var node = otolith_node()
    // The pointers are valid for the call.
    guard unsafe otolith_node_at("\(folder)/\(name)", &node) == 0 else { return nil }
    return BoundDevice(name: name, driver: linkName("\(folder)/\(name)/driver"))
  }

  /// Name and driver for lists: spi0.1 (bmi160_spi).
  package var label: String { driver.map { "\(name) (\($0))" } ?? name }
}
