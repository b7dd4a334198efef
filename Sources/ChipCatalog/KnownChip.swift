// SPDX-License-Identifier: Apache-2.0

/// The way to identify a chip that otolith does not drive.
public struct KnownIdentity: Equatable, Sendable {
  /// The 7-bit addresses that its straps can select.
  public var addresses: [UInt8]
  /// `nil`: it has no register that tells it from others, only its address.
  public var register: UInt8?
  public var values: [UInt8]

  init(_ addresses: [UInt8], _ register: UInt8?, _ values: [UInt8]) {
    self.addresses = addresses
    self.register = register
    self.values = values
  }
}

/// A chip that people have on their boards and that otolith does not drive yet.
public struct KnownChip: Equatable, Sendable {
  /// As device trees spell it, for board files: `st,lsm9ds1`.
  public var name: String
  /// The part as its maker prints it.
  public var title: String
  /// The quantities that it measures.
  public var summary: String
  /// One entry a device: some parts answer at two addresses.
  public var identities: [KnownIdentity]
  /// Advice on what to do, as a sentence without its full stop.
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

  /// Advice in place of a chip that does some of what the IMUs do.
  static var inertialUnit: String { "an MPU-6050, a BMI160 or an LSM6DS3 does the same" }
}
