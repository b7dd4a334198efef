// SPDX-License-Identifier: Apache-2.0

/// Chips that otolith does not support but knows by name and identity, so that a scan can name
/// them.
///
/// A read of an identity register first writes the register's number, which a device without
/// registers takes as data. Therefore a scan probes only addresses without such devices. It never
/// probes 0x20...0x27 and 0x38...0x3F, where a port expander (PCF8574) would put the byte on its
/// pins, nor 0x70...0x75, where a multiplexer (TCA9548A) would switch its channels. Identities are
/// from the manufacturers' data sheets.
public enum KnownChips {
  /// The unsupported parts that the catalogue's entries name, except those that another entry
  /// supports.
  public static let all: [KnownChip] = {
    let driven = Set(ChipCatalog.descriptions.map(\.name))
    return ChipCatalog.entries.flatMap(\.strangers).filter { !driven.contains($0.name) }
  }()

  /// Returns the chip with this name in board files, or with the kernel's name for a part of the
  /// chip (`st,lsm9ds1-imu`).
  public static func chip(named name: String) -> KnownChip? {
    all.first { $0.name == name || name.hasPrefix($0.name + "-") }
  }

  /// Returns the unsupported chips, with their identities, that can have `address`.
  public static func identities(at address: UInt8) -> [(chip: KnownChip, identity: KnownIdentity)] {
    all.flatMap { chip in
      chip.identities.filter { $0.addresses.contains(address) }.map { (chip, $0) }
    }
  }

  /// Returns the unsupported chip that has `value` in `register` at `address`.
  public static func chip(at address: UInt8, register: UInt8, value: UInt8) -> KnownChip? {
    identities(at: address).first {
      $0.identity.register == register && $0.identity.values.contains(value)
    }?.chip
  }
}
