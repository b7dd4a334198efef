// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the VCNL4040 (Vishay document 84274 revision 1.4, tables 1 to 15): 16-bit
/// words, low byte first, addressed by command codes.
public struct VCNL4040Map: RegisterMap {
  public let ambientConfiguration = WideRegister(
    0x00, .lowFirst, ReadWrite.self, reset: 0x0001,
    (
      integrationTime: WideBits<IntegrationTime>(6...7), persistence: WideBits<UInt8>(2...3),
      interruptEnable: WideBit(1), isOff: WideBit(0)
    ))
  public let ambientHigh = WideRegister(0x01, .lowFirst, ReadWrite.self)
  public let ambientLow = WideRegister(0x02, .lowFirst, ReadWrite.self)
  // PS_CONF1 is the low byte, PS_CONF2 the high byte. `duty` is the on/off duty ratio of the
  // infrared LED, 1/40 to 1/320.
  public let proximityConfiguration = WideRegister(
    0x03, .lowFirst, ReadWrite.self, reset: 0x0001,
    (
      has16Bits: WideBit(11), interrupt: WideBits<UInt8>(8...9), duty: WideBits<UInt8>(6...7),
      persistence: WideBits<UInt8>(4...5), pulse: WideBits<Pulse>(1...3), isOff: WideBit(0)
    ))
  // The low byte of this word is PS_CONF3, the high byte is PS_MS.
  public let proximityMode = WideRegister(
    0x04, .lowFirst, ReadWrite.self,
    (
      whiteOff: WideBit(15), logicMode: WideBit(14), current: WideBits<Current>(8...10),
      pulses: WideBits<UInt8>(5...6), smartPersistence: WideBit(4), isForced: WideBit(3),
      trigger: WideBit(2), cancelsSunlight: WideBit(0)
    ))
  public let cancellation = WideRegister(0x05, .lowFirst, ReadWrite.self)
  public let proximityLow = WideRegister(0x06, .lowFirst, ReadWrite.self)
  public let proximityHigh = WideRegister(0x07, .lowFirst, ReadWrite.self)
  public let proximity = WideRegister(0x08, .lowFirst, ReadOnly.self)
  public let ambient = WideRegister(0x09, .lowFirst, ReadOnly.self)
  public let white = WideRegister(0x0A, .lowFirst, ReadOnly.self)
  public let interruptFlags = WideRegister(
    0x0B, .lowFirst, ReadOnly.self, effect: .clears,
    (
      protection: WideBit(14), ambientBelow: WideBit(13), ambientAbove: WideBit(12),
      close: WideBit(9), away: WideBit(8)
    ))
  public let identity = WideRegister(
    0x0C, .lowFirst, ReadOnly.self, reset: 0x0186,
    (
      address: WideBits<UInt8>(12...13), version: WideBits<UInt8>(8...11),
      device: WideBits<UInt8>(0...7)
    ))
  public init() {}
}

extension VCNL4040Map {
  /// The integration time of the light sensor. Each code doubles the time and the counts per lux.
  public enum IntegrationTime: UInt8, FieldValue, CaseIterable {
    case ms80 = 0, ms160, ms320, ms640

    public var milliseconds: Int64 { 80 << Int64(rawValue) }

    /// The lux per count: 0.1 at 80 ms (data sheet, basic characteristics; Linux uses 0.12).
    public var luxPerCount: Scalar { 0.1 / Scalar(1 << Int(rawValue)) }

    /// The light sensor's full scale in lux, which is 65,535 counts.
    public var range: Scalar { 65_535 * luxPerCount }

    /// The highest measurement rate in Hz. At this rate the period is a quarter longer than a
    /// measurement.
    public var hertz: Scalar { 800 / Scalar(milliseconds) }
  }

  /// The length of the infrared LED's pulse, in units of 125 microseconds.
  public enum Pulse: UInt8, FieldValue, CaseIterable {
    case x1 = 0, x1_5, x2, x2_5, x3, x3_5, x4, x8
  }

  /// The current of the infrared LED, in mA.
  public enum Current: UInt8, FieldValue, CaseIterable {
    case mA50 = 0, mA75, mA100, mA120, mA140, mA160, mA180, mA200
  }
}
