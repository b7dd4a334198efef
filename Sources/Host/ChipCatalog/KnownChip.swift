// SPDX-License-Identifier: Apache-2.0

/// The addresses and identity register by which a scan recognises a chip that otolith does not
/// support.
public struct KnownIdentity: Equatable, Sendable {
  /// The 7-bit addresses that the address pins can select.
  public var addresses: [UInt8]
  /// The identity register; `nil` for a chip that is recognised by its I2C address alone.
  public var register: UInt8?
  public var values: [UInt8]

  init(_ addresses: [UInt8], _ register: UInt8?, _ values: [UInt8]) {
    self.addresses = addresses
    self.register = register
    self.values = values
  }
}

/// A common chip that otolith does not support.
public struct KnownChip: Equatable, Sendable {
  /// The chip's name in board files, as in device trees: `st,lsm9ds1`.
  public var name: String
  /// The part's name as the manufacturer writes it.
  public var title: String
  /// The quantities that the chip measures.
  public var summary: String
  /// The chip's identities. A part that responds at two addresses has one identity for each
  /// address.
  public var identities: [KnownIdentity]
  /// Advice on which chip to use instead, as a sentence without its full stop.
  public var instead: String

  init(
    _ name: String, _ title: String, _ summary: String, _ identities: [KnownIdentity],
    instead: String
  ) {
    self.name = name
    self.title = title
    self.summary = summary
    self.identities = identities
    self.instead = instead
  }

  /// The advice for a chip that has only part of an IMU's sensors.
  static var inertialUnit: String { "an MPU-6050, a BMI160 or an LSM6DS3 is a replacement" }
}
