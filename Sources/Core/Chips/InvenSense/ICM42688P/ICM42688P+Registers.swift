// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of the ICM-42688-P (TDK DS-000347 revision 1.7, sections 13 to 19). Registers that
/// no driver uses are declared as whole bytes; `reserved` names reserved bits that must be set.
public struct ICM42688PMap: BankedMap {
  public static let window = RegisterWindow(selector: 0x76, field: 0x07, 0x00...0x7F)

  // Registers of bank 0.
  public let deviceConfig = RW(0x11, (spiMode: Bit(4), softReset: Bit(0)))
  public let driveConfig = RW(
    0x13, reset: 0x05, (i2cSlewRate: Bits(3...5), spiSlewRate: Bits(0...2)))
  public let intConfig = RW(
    0x14,
    (
      int2Latched: Bit(5), int2PushPull: Bit(4), int2ActiveHigh: Bit(3), int1Latched: Bit(2),
      int1PushPull: Bit(1), int1ActiveHigh: Bit(0)
    ))
  public let fifoConfig = RW(0x16, Bits<FIFOMode>(6...7))
  public let temperature = RO.words(0x1D, .highFirst, reset: 0x8000)
  public let accel = RO.axisWords(0x1F, .highFirst, reset: 0x8000)
  public let gyro = RO.axisWords(0x25, .highFirst, reset: 0x8000)
  public let fsyncTime = RO.words(0x2B, .highFirst)
  public let intStatus = RO(0x2D, reset: 0x10, effect: .clears, IntSources())
  public let fifoCount = RO.words(0x2E, .highFirst)
  public let fifoData = RO(0x30, reset: nil, effect: .popsQueue)
  public let apexData = RO.bytes(0x31, 6, reset: nil)
  public let intStatus2 = RO(0x37, effect: .clears)
  public let intStatus3 = RO(0x38, effect: .clears)
  public let signalPathReset = WO(
    0x4B,
    (
      dmpInit: Bit(6), dmpMemoryReset: Bit(5), abortAndReset: Bit(3), timeStrobe: Bit(2),
      fifoFlush: Bit(1)
    ))
  public let interfaceConfig0 = RW(
    0x4C, reset: 0x30,
    (
      holdsLast: Bit(7), countsRecords: Bit(6), countHighFirst: Bit(5), dataHighFirst: Bit(4),
      disabled: Bits<Interface>(0...1)
    ))
  public let interfaceConfig1 = RW(
    0x4D, reset: 0x91,
    (reserved: Bits(4...7), accelClockRC: Bit(3), rtcMode: Bit(2), clock: Bits(0...1)))
  public let power = RW(
    0x4E,
    (
      temperatureOff: Bit(5), idle: Bit(4), gyro: Bits<PowerMode>(2...3),
      accel: Bits<PowerMode>(0...1)
    ))
  public let gyroConfig0 = RW(
    0x4F, reset: 0x06, (range: Bits<GyroFullScale>(5...7), rate: Bits<Rate>(0...3)))
  public let accelConfig0 = RW(
    0x50, reset: 0x06, (range: Bits<AccelFullScale>(5...7), rate: Bits<Rate>(0...3)))
  public let gyroConfig1 = RW(
    0x51, reset: 0x16,
    (temperatureFilter: Bits(5...7), reserved: Bit(4), order: Bits(2...3), decimation: Bits(0...1)))
  public let filterConfig = RW(
    0x52, reset: 0x11, (accel: Bits<Filter>(4...7), gyro: Bits<Filter>(0...3)))
  public let accelConfig1 = RW(
    0x53, reset: 0x0D, (order: Bits(3...4), decimation: Bits(1...2), reserved: Bit(0)))
  public let timeConfig = RW(
    0x54, reset: 0x23,
    (
      reserved: Bit(5), toRegisters: Bit(4), coarse: Bit(3), delta: Bit(2), fsync: Bit(1),
      enable: Bit(0)
    ))
  public let apexConfig0 = RW(0x56, reset: 0x82)
  public let motionConfig = RW(0x57)
  public let fifoConfig1 = RW(
    0x5F,
    (
      resumesPartialRead: Bit(6), repeatsWatermark: Bit(5), highResolution: Bit(4), time: Bit(3),
      temperature: Bit(2), gyro: Bit(1), accel: Bit(0)
    ))
  public let watermarkLow = RW(0x60)
  public let watermarkHigh = RW(0x61, Bits(0...3))
  public let fsyncConfig = RW(0x62, reset: 0x10)
  public let intConfig0 = RW(
    0x63, (dataReady: Bits(4...5), watermark: Bits(2...3), full: Bits(0...1)))
  public let intConfig1 = RW(
    0x64, reset: 0x10, (shortPulse: Bit(6), noPause: Bit(5), asyncReset: Bit(4)))
  public let intSource0 = RW(0x65, reset: 0x10, IntSources())
  public let intSource1 = RW(0x66)
  public let intSource3 = RW(0x68, IntSources())
  public let intSource4 = RW(0x69)
  public let lostPackets = RO.words(0x6C, .lowFirst)
  public let selfTest = RW(
    0x70,
    (
      accelPower: Bit(6), accelZ: Bit(5), accelY: Bit(4), accelX: Bit(3), gyroZ: Bit(2),
      gyroY: Bit(1), gyroX: Bit(0)
    ))
  public let whoAmI = RO(0x75, reset: 0x47)
  public let bankSelect = RW(0x76, Bits(0...2))
  // Registers of bank 1.
  public let sensorConfig0 = RW.bank(1, 0x03, reset: 0x80)
  public let gyroStatic2 = RW.bank(1, 0x0B, reset: 0xA0)
  public let gyroStatic3 = RW.bank(1, 0x0C, reset: 0x0D)
  public let gyroStatic4 = RW.bank(1, 0x0D, reset: 0xAA)
  public let gyroStatic5 = RW.bank(1, 0x0E, reset: 0x80)
  public let gyroNotch = RW.axes(0x0F, reset: nil).inBank(1)
  public let gyroNotchHigh = RW.bank(1, 0x12, reset: nil)
  public let gyroNotchWidth = RW.bank(1, 0x13, reset: 0x11)
  public let gyroSelfTestData = RO.axes(0x5F, reset: nil).inBank(1)
  public let time = RO.bytes(0x62, 3, reset: nil).inBank(1)
  public let interfaceConfig4 = RW.bank(1, 0x7A, reset: 0x83)
  public let interfaceConfig5 = RW.bank(1, 0x7B)
  public let interfaceConfig6 = RW.bank(1, 0x7C, reset: 0x5F)
  // Registers of bank 2.
  public let accelStatic2 = RW.bank(2, 0x03, reset: 0x30)
  public let accelStatic3 = RW.bank(2, 0x04, reset: 0x40)
  public let accelStatic4 = RW.bank(2, 0x05, reset: 0x62)
  public let accelSelfTestData = RO.axes(0x3B, reset: nil).inBank(2)
  // Registers of bank 3.
  public let clockDivider = RO.bank(3, 0x2A, reset: nil)
  // Registers of bank 4.
  public let apexConfig1 = RW.bank(4, 0x40, reset: 0xA2)
  public let apexConfig2 = RW.bank(4, 0x41, reset: 0x85)
  public let apexConfig3 = RW.bank(4, 0x42, reset: 0x51)
  public let apexConfig4 = RW.bank(4, 0x43, reset: 0xA4)
  public let apexConfig5 = RW.bank(4, 0x44, reset: 0x8C)
  public let apexConfig6 = RW.bank(4, 0x45, reset: 0x5C)
  public let apexConfig7 = RW.bank(4, 0x46, reset: 0x45)
  public let apexConfig8 = RW.bank(4, 0x47, reset: 0x5B)
  public let apexConfig9 = RW.bank(4, 0x48)
  public let motionThreshold = RW.axes(0x4A).inBank(4)
  public let intSource6 = RW.bank(4, 0x4D)
  public let intSource7 = RW.bank(4, 0x4E)
  public let intSource8 = RW.bank(4, 0x4F)
  public let intSource9 = RW.bank(4, 0x50)
  public let intSource10 = RW.bank(4, 0x51)
  public let offset = RW.bytes(0x77, 9).inBank(4)
  public init() {}

  /// The interrupt sources, both in the status register and in the registers that route interrupts
  /// to a pin.
  public struct IntSources: Sendable {
    public let fsync = Bit(6)
    public let pllReady = Bit(5)
    public let resetDone = Bit(4)
    public let dataReady = Bit(3)
    public let watermark = Bit(2)
    public let full = Bit(1)
    public let agcReady = Bit(0)
  }
}
