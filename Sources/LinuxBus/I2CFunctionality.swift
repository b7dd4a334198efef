// SPDX-License-Identifier: Apache-2.0

/// The transfers that an adapter says it can do (I2C_FUNCS; kernel
/// Documentation/i2c/functionality). The bits are the kernel's.
public struct I2CFunctionality: OptionSet, Sendable {
  /// The kernel's mask.
  public let rawValue: UInt64

  /// Takes the kernel's mask.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Combined transactions of free form (I2C_FUNC_I2C).
  public static let i2c = I2CFunctionality(rawValue: 0x0000_0001)
  /// An address without a byte.
  public static let quick = I2CFunctionality(rawValue: 0x0001_0000)
  /// One byte in, without a register.
  public static let readByte = I2CFunctionality(rawValue: 0x0002_0000)
  /// One byte out.
  public static let writeByte = I2CFunctionality(rawValue: 0x0004_0000)
  /// One byte in after a register.
  public static let readByteData = I2CFunctionality(rawValue: 0x0008_0000)
  /// A register and one byte out.
  public static let writeByteData = I2CFunctionality(rawValue: 0x0010_0000)
  /// Two bytes in after a register, the low one first.
  public static let readWordData = I2CFunctionality(rawValue: 0x0020_0000)
  /// A register and two bytes out, the low one first.
  public static let writeWordData = I2CFunctionality(rawValue: 0x0040_0000)
  /// Up to 32 bytes in after a register (I2C block).
  public static let readBlock = I2CFunctionality(rawValue: 0x0400_0000)
  /// A register and up to 32 bytes out (I2C block).
  public static let writeBlock = I2CFunctionality(rawValue: 0x0800_0000)
}
