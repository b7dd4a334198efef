// SPDX-License-Identifier: Apache-2.0

/// Chips that are known by name and identity but not supported, so that a scan can name them.
///
/// Reading an identity register first writes its number. A device without registers takes that byte
/// as data, so only addresses without such devices are probed: never 0x20...0x27 and 0x38...0x3F,
/// where port expanders (PCF8574) would put the byte on their pins, and never 0x70...0x75, where
/// multiplexers (TCA9548A) would switch their channels. Identities are from the manufacturers' data
/// sheets.
public enum KnownChips {
  /// The unsupported parts named in the catalogue's entries, without those that another entry
  /// supports.
  public static let all: [KnownChip] = {
    let driven = Set(ChipCatalog.descriptions.map(\.name))
    return ChipCatalog.entries.flatMap(\.strangers).filter { !driven.contains($0.name) }
  }()

  /// Returns the chip with this name in board files; the kernel's names for its parts
  /// (`st,lsm9ds1-imu`) are included.
  public static func chip(named name: String) -> KnownChip? {
    all.first { $0.name == name || name.hasPrefix($0.name + "-") }
  }

  /// Returns the possible identities of a device at `address`.
  public static func identities(at address: UInt8) -> [(chip: KnownChip, identity: KnownIdentity)] {
    all.flatMap { chip in
      chip.identities.filter { $0.addresses.contains(address) }.map { (chip, $0) }
    }
  }

  /// Returns the chip whose `register` holds `value` at `address`.
  public static func chip(at address: UInt8, register: UInt8, value: UInt8) -> KnownChip? {
    identities(at: address).first {
      $0.identity.register == register && $0.identity.values.contains(value)
    }?.chip
  }
}
