// SPDX-License-Identifier: Apache-2.0

/// Chips that are known by name and identity and not driven: for honest words in place of
/// "unknown".
///
/// To read an identity register, its number is written first. A device without registers takes that
/// byte for data, so only addresses are asked at which none of those is: never 0x20...0x27 and
/// 0x38...0x3F, where port expanders (PCF8574) would put the byte on their pins, and never
/// 0x70...0x75, where multiplexers (TCA9548A) would switch their channels. Identities are those of
/// the makers' data sheets.
public enum KnownChips {
  /// Those that the entries of the catalogue name as strangers, but for what another entry has come
  /// to drive.
  public static let all: [KnownChip] = {
    let driven = Set(ChipCatalog.descriptions.map(\.name))
    return ChipCatalog.entries.flatMap(\.strangers).filter { !driven.contains($0.name) }
  }()

  /// The chip of that name in board files; the kernel's names of its parts (`st,lsm9ds1-imu`) are
  /// its own.
  public static func chip(named name: String) -> KnownChip? {
    all.first { $0.name == name || name.hasPrefix($0.name + "-") }
  }

  /// The identities that a device at `address` may have.
  public static func identities(at address: UInt8) -> [(chip: KnownChip, identity: KnownIdentity)] {
    all.flatMap { chip in
      chip.identities.filter { $0.addresses.contains(address) }.map { (chip, $0) }
    }
  }

  /// The chip whose `register` holds `value` at `address`.
  public static func chip(at address: UInt8, register: UInt8, value: UInt8) -> KnownChip? {
    identities(at: address).first {
      $0.identity.register == register && $0.identity.values.contains(value)
    }?.chip
  }
}
