// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import LinuxSystem

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A device node in the file system, with its permissions.
public struct DeviceNode: Equatable, Sendable {
  public let path: String
  /// The name of the node's group, or its number if it has no name.
  public let group: String
  /// The permission bits of the node, as chmod(1) writes them in octal.
  public let permissions: UInt32
  /// True if this process may read and write the node.
  public let mayOpen: Bool

  /// Reads the node's attributes; `nil` if there is no node at `path`.
  public init?(_ path: String) {
    var node = otolith_node()
    // The C function does not keep the pointers.
    guard unsafe otolith_node_at(path, &node) == 0 else { return nil }
    self.path = path
    group =
      unsafe Sysfs.text(64) { unsafe otolith_group_name(node.group, $0, $1) } ?? "\(node.group)"
    permissions = UInt32(node.mode) & 0o777
    mayOpen = unsafe access(path, R_OK | W_OK) == 0
  }
}

extension LinuxBuses {
  /// Returns the kernel's name for the I2C adapter at `path`; `nil` if sysfs has no name.
  public static func adapterName(_ path: String) -> String? {
    adapterName(Sysfs.realName(path), sysfs: "/sys")
  }

  package static func adapterName(_ name: String, sysfs: String) -> String? {
    Sysfs.line(of: "\(sysfs)/class/i2c-adapter/\(name)/name")
  }

  /// Returns the devices, by address, that the kernel knows on the I2C adapter at `path`.
  public static func i2cDevices(_ path: String) -> [(address: UInt8, device: BoundDevice)] {
    i2cDevices(Sysfs.realName(path), sysfs: "/sys")
  }

  package static func i2cDevices(_ name: String, sysfs: String)
    -> [(address: UInt8, device: BoundDevice)]
  {
    guard name.hasPrefix("i2c-"), let number = Int(name.dropFirst("i2c-".count)) else { return [] }
    return (UInt8(0x03)...0x77).compactMap { address in
      BoundDevice.i2c(bus: number, address: address, sysfs: sysfs).map { (address, $0) }
    }
  }

  /// Returns the chip selects that the kernel knows, with or without a device node.
  public static func spiDevices() -> [BoundDevice] { spiDevices(sysfs: "/sys") }

  package static func spiDevices(sysfs: String) -> [BoundDevice] {
    let folder = "\(sysfs)/bus/spi/devices"
    return Sysfs.names(in: folder).filter { $0.hasPrefix("spi") }.sorted().map {
      BoundDevice(name: $0, driver: Sysfs.linkName("\(folder)/\($0)/driver"))
    }
  }

  /// A line of a GPIO chip, with its user.
  public struct GPIOLineUse: Equatable, Sendable {
    public let offset: Int
    /// The name of the GPIO line; empty if it has none.
    public let name: String
    /// The name of the line's user, empty if the user gave no name; `nil` if the line is free.
    public let consumer: String?
  }

  /// Returns the lines of the GPIO chip at `path`. Throws if the chip cannot be opened.
  public static func gpioLines(_ path: String) throws(OpenError) -> [GPIOLineUse] {
    let chip = try OpenChip(path)
    var lines: [GPIOLineUse] = []
    for offset in 0..<chip.lineCount {
      guard let line = chip.line(offset) else { continue }
      lines.append(
        GPIOLineUse(
          offset: offset, name: line.name, consumer: line.isUsed ? line.consumer : nil))
    }
    return lines
  }
}
