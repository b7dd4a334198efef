// SPDX-License-Identifier: Apache-2.0

/// The transfers that an I2C adapter supports (I2C_FUNCS; kernel Documentation/i2c/functionality).
/// The bits are defined by the kernel.
public struct I2CFunctionality: OptionSet, Sendable {
  /// The bit mask of an adapter's functions as the kernel defines it.
  public let rawValue: UInt64

  /// Creates the set of an adapter's functions from the kernel's bit mask.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The adapter can do combined transactions of any form (I2C_FUNC_I2C).
  public static let i2c = I2CFunctionality(rawValue: 0x0000_0001)
  /// The adapter can transfer an address without data (SMBus Quick).
  public static let quick = I2CFunctionality(rawValue: 0x0001_0000)
  /// The adapter can receive one byte without a register.
  public static let readByte = I2CFunctionality(rawValue: 0x0002_0000)
  /// The adapter can send one byte without a register.
  public static let writeByte = I2CFunctionality(rawValue: 0x0004_0000)
  /// The adapter can receive one byte from a register.
  public static let readByteData = I2CFunctionality(rawValue: 0x0008_0000)
  /// The adapter can send a register and one byte.
  public static let writeByteData = I2CFunctionality(rawValue: 0x0010_0000)
  /// The adapter can receive two bytes from a register, low byte first.
  public static let readWordData = I2CFunctionality(rawValue: 0x0020_0000)
  /// The adapter can send a register and two bytes, low byte first.
  public static let writeWordData = I2CFunctionality(rawValue: 0x0040_0000)
  /// The adapter can receive up to 32 bytes from a register (I2C block).
  public static let readBlock = I2CFunctionality(rawValue: 0x0400_0000)
  /// The adapter can send a register and up to 32 bytes (I2C block).
  public static let writeBlock = I2CFunctionality(rawValue: 0x0800_0000)
}
