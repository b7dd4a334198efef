// SPDX-License-Identifier: Apache-2.0

/// What an adapter says it can do (I2C_FUNCS; kernel Documentation/i2c/functionality). The bits are
/// the kernel's.
public struct I2CFunctionality: OptionSet, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Combined transactions of free form (I2C_FUNC_I2C).
  public static let i2c = I2CFunctionality(rawValue: 0x0000_0001)
  public static let quick = I2CFunctionality(rawValue: 0x0001_0000)
  public static let readByte = I2CFunctionality(rawValue: 0x0002_0000)
  public static let writeByte = I2CFunctionality(rawValue: 0x0004_0000)
  public static let readByteData = I2CFunctionality(rawValue: 0x0008_0000)
  public static let writeByteData = I2CFunctionality(rawValue: 0x0010_0000)
  public static let readBlock = I2CFunctionality(rawValue: 0x0400_0000)
  public static let writeBlock = I2CFunctionality(rawValue: 0x0800_0000)
}
