// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import LinuxSystem

/// The buses and GPIO chips of this machine.
public enum LinuxBuses {
  /// A GPIO chip. Its number may change after a reboot or with another kernel, but its label does
  /// not.
  public struct GPIOChip: Equatable, Sendable {
    /// The path of the GPIO chip's node, /dev/gpiochipN.
    public let path: String
    /// The name that the driver gives to the GPIO chip; empty if the node may not be opened.
    public let label: String
    /// The number of lines that the GPIO chip has; 0 if the node may not be opened.
    public let lines: Int
  }

  /// Returns the nodes of all I2C adapters, ordered by number.
  public static func i2cPaths() -> [String] { paths(in: "/dev", prefix: "i2c-") }

  /// Returns the spidev nodes of all SPI devices, ordered by bus and chip select.
  public static func spiPaths() -> [String] { paths(in: "/dev", prefix: "spidev") }

  /// Returns the nodes of all GPIO chips. Symbolic links are left out, because Raspberry Pi OS has
  /// a link with a chip's former number.
  public static func gpioPaths() -> [String] {
    paths(in: "/dev", prefix: "gpiochip").filter { Sysfs.linkName($0) == nil }
  }

  /// Returns all GPIO chips.
  public static func gpioChips() -> [GPIOChip] {
    gpioPaths().map { path in
      guard let chip = try? OpenChip(path) else { return GPIOChip(path: path, label: "", lines: 0) }
      return GPIOChip(path: path, label: chip.label, lines: chip.lineCount)
    }
  }

  /// Returns the clock in hertz that the device tree sets for the I2C adapter at `path`; `nil` if
  /// the tree sets no clock.
  public static func busClock(_ path: String) -> Int? {
    busClock(Sysfs.realName(path), sysfs: "/sys")
  }

  package static func busClock(_ name: String, sysfs: String) -> Int? {
    let property = "\(sysfs)/class/i2c-adapter/\(name)/of_node/clock-frequency"
    // A cell of the device tree has 32 bits, most significant byte first.
    guard let bytes = Sysfs.contents(of: property), bytes.count == 4 else { return nil }
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the product name in the EEPROM of a HAT, which the firmware of a Raspberry Pi copies
  /// into the device tree (Raspberry Pi, HAT design guide); `nil` without a HAT.
  public static func hat() -> String? { hat(deviceTree: "/proc/device-tree") }

  package static func hat(deviceTree: String) -> String? {
    // Only printable ASCII may reach a terminal, because the contents of the EEPROM are arbitrary.
    let name = Sysfs.contents(of: "\(deviceTree)/hat/product")?.prefix { $0 != 0 }.filter {
      (0x20...0x7E).contains($0)
    }
    guard let name, !name.isEmpty else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  package static func paths(in directory: String, prefix: String) -> [String] {
    Sysfs.names(in: directory)
      .compactMap { name -> (name: String, order: [Int])? in
        guard name.hasPrefix(prefix) else { return nil }
        let parts = name.dropFirst(prefix.count).split(
          separator: ".", omittingEmptySubsequences: false)
        let order = parts.compactMap { Int($0) }
        return order.count == parts.count && !parts.isEmpty ? (name, order) : nil
      }
      .sorted { $0.order.lexicographicallyPrecedes($1.order) }
      .map { "\(directory)/\($0.name)" }
  }
}
