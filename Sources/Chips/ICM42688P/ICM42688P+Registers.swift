// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of the ICM-42688-P (TDK DS-000347 revision 1.7, sections 13 to 19). Those that say
/// nothing of samples and that no driver uses are whole bytes; what the sheet reserves and sets is
/// named `reserved`.
public struct ICM42688PMap: BankedMap {
  public static let window = RegisterWindow(selector: 0x76, field: 0x07, 0x00...0x7F)

  // Bank 0.
  public let deviceConfig = Register(
    0x11, RW.self, reset: 0x00, (spiMode: Bit(4), softReset: Bit(0)))
  public let driveConfig = Register(
    0x13, RW.self, reset: 0x05, (i2cSlewRate: Bits<UInt8>(3...5), spiSlewRate: Bits<UInt8>(0...2)))
  public let intConfig = Register(
    0x14, RW.self, reset: 0x00,
    (
      int2Latched: Bit(5), int2PushPull: Bit(4), int2ActiveHigh: Bit(3), int1Latched: Bit(2),
      int1PushPull: Bit(1), int1ActiveHigh: Bit(0)
    ))
  public let fifoConfig = Register(0x16, RW.self, reset: 0x00, FIFOModes())
  public let temperatureHigh = Register(0x1D, RO.self, reset: 0x80)
  public let temperatureLow = Register(0x1E, RO.self, reset: 0x00)
  public let accelXHigh = Register(0x1F, RO.self, reset: 0x80)
  public let accelXLow = Register(0x20, RO.self, reset: 0x00)
  public let accelYHigh = Register(0x21, RO.self, reset: 0x80)
  public let accelYLow = Register(0x22, RO.self, reset: 0x00)
  public let accelZHigh = Register(0x23, RO.self, reset: 0x80)
  public let accelZLow = Register(0x24, RO.self, reset: 0x00)
  public let gyroXHigh = Register(0x25, RO.self, reset: 0x80)
  public let gyroXLow = Register(0x26, RO.self, reset: 0x00)
  public let gyroYHigh = Register(0x27, RO.self, reset: 0x80)
  public let gyroYLow = Register(0x28, RO.self, reset: 0x00)
  public let gyroZHigh = Register(0x29, RO.self, reset: 0x80)
  public let gyroZLow = Register(0x2A, RO.self, reset: 0x00)
  public let fsyncTimeHigh = Register(0x2B, RO.self, reset: 0x00)
  public let fsyncTimeLow = Register(0x2C, RO.self, reset: 0x00)
  public let intStatus = Register(
    0x2D, RO.self, reset: 0x10, effect: .clears,
    (
      fsync: Bit(6), pllReady: Bit(5), resetDone: Bit(4), dataReady: Bit(3), watermark: Bit(2),
      full: Bit(1), agcReady: Bit(0)
    ))
  public let fifoCountHigh = Register(0x2E, RO.self, reset: 0x00)
  public let fifoCountLow = Register(0x2F, RO.self, reset: 0x00)
  public let fifoData = Register(0x30, RO.self, reset: nil, effect: .popsQueue)
  public let apexData0 = Register(0x31, RO.self, reset: nil)
  public let apexData1 = Register(0x32, RO.self, reset: nil)
  public let apexData2 = Register(0x33, RO.self, reset: nil)
  public let apexData3 = Register(0x34, RO.self, reset: nil)
  public let apexData4 = Register(0x35, RO.self, reset: nil)
  public let apexData5 = Register(0x36, RO.self, reset: nil)
  public let intStatus2 = Register(0x37, RO.self, reset: 0x00, effect: .clears)
  public let intStatus3 = Register(0x38, RO.self, reset: 0x00, effect: .clears)
  public let signalPathReset = Register(
    0x4B, WO.self, reset: 0x00,
    (
      dmpInit: Bit(6), dmpMemoryReset: Bit(5), abortAndReset: Bit(3), timeStrobe: Bit(2),
      fifoFlush: Bit(1)
    ))
  public let interfaceConfig0 = Register(
    0x4C, RW.self, reset: 0x30,
    (
      holdsLast: Bit(7), countsRecords: Bit(6), countHighFirst: Bit(5), dataHighFirst: Bit(4),
      disabled: Bits<Interface>(0...1)
    ))
  public let interfaceConfig1 = Register(
    0x4D, RW.self, reset: 0x91,
    (reserved: Bits<UInt8>(4...7), accelClockRC: Bit(3), rtcMode: Bit(2), clock: Bits<UInt8>(0...1))
  )
  public let power = Register(
    0x4E, RW.self, reset: 0x00,
    (
      temperatureOff: Bit(5), idle: Bit(4), gyro: Bits<PowerMode>(2...3),
      accel: Bits<PowerMode>(0...1)
    ))
  public let gyroConfig0 = Register(
    0x4F, RW.self, reset: 0x06, (range: Bits<GyroRange>(5...7), rate: Bits<Rate>(0...3)))
  public let accelConfig0 = Register(
    0x50, RW.self, reset: 0x06, (range: Bits<AccelRange>(5...7), rate: Bits<Rate>(0...3)))
  public let gyroConfig1 = Register(
    0x51, RW.self, reset: 0x16,
    (
      temperatureFilter: Bits<UInt8>(5...7), reserved: Bit(4), order: Bits<UInt8>(2...3),
      decimation: Bits<UInt8>(0...1)
    ))
  public let filterConfig = Register(
    0x52, RW.self, reset: 0x11, (accel: Bits<Filter>(4...7), gyro: Bits<Filter>(0...3)))
  public let accelConfig1 = Register(
    0x53, RW.self, reset: 0x0D,
    (order: Bits<UInt8>(3...4), decimation: Bits<UInt8>(1...2), reserved: Bit(0)))
  public let timeConfig = Register(
    0x54, RW.self, reset: 0x23,
    (
      reserved: Bit(5), toRegisters: Bit(4), coarse: Bit(3), delta: Bit(2), fsync: Bit(1),
      enable: Bit(0)
    ))
  public let apexConfig0 = Register(0x56, RW.self, reset: 0x82)
  public let motionConfig = Register(0x57, RW.self, reset: 0x00)
  public let fifoConfig1 = Register(
    0x5F, RW.self, reset: 0x00,
    (
      resumesPartialRead: Bit(6), repeatsWatermark: Bit(5), highResolution: Bit(4), time: Bit(3),
      temperature: Bit(2), gyro: Bit(1), accel: Bit(0)
    ))
  public let watermarkLow = Register(0x60, RW.self, reset: 0x00)
  public let watermarkHigh = Register(0x61, RW.self, reset: 0x00, WatermarkHigh())
  public let fsyncConfig = Register(0x62, RW.self, reset: 0x10)
  public let intConfig0 = Register(
    0x63, RW.self, reset: 0x00,
    (dataReady: Bits<UInt8>(4...5), watermark: Bits<UInt8>(2...3), full: Bits<UInt8>(0...1)))
  public let intConfig1 = Register(
    0x64, RW.self, reset: 0x10, (shortPulse: Bit(6), noPause: Bit(5), asyncReset: Bit(4)))
  public let intSource0 = Register(0x65, RW.self, reset: 0x10, IntSources())
  public let intSource1 = Register(0x66, RW.self, reset: 0x00)
  public let intSource3 = Register(0x68, RW.self, reset: 0x00, IntSources())
  public let intSource4 = Register(0x69, RW.self, reset: 0x00)
  public let lostPacketsLow = Register(0x6C, RO.self, reset: 0x00)
  public let lostPacketsHigh = Register(0x6D, RO.self, reset: 0x00)
  public let selfTest = Register(
    0x70, RW.self, reset: 0x00,
    (
      accelPower: Bit(6), accelZ: Bit(5), accelY: Bit(4), accelX: Bit(3), gyroZ: Bit(2),
      gyroY: Bit(1), gyroX: Bit(0)
    ))
  public let whoAmI = Register(0x75, RO.self, reset: 0x47)
  public let bankSelect = Register(0x76, RW.self, reset: 0x00, Banks())
  // Bank 1.
  public let sensorConfig0 = Banked(1, Register(0x03, RW.self, reset: 0x80))
  public let gyroStatic2 = Banked(1, Register(0x0B, RW.self, reset: 0xA0))
  public let gyroStatic3 = Banked(1, Register(0x0C, RW.self, reset: 0x0D))
  public let gyroStatic4 = Banked(1, Register(0x0D, RW.self, reset: 0xAA))
  public let gyroStatic5 = Banked(1, Register(0x0E, RW.self, reset: 0x80))
  public let gyroNotchX = Banked(1, Register(0x0F, RW.self, reset: nil))
  public let gyroNotchY = Banked(1, Register(0x10, RW.self, reset: nil))
  public let gyroNotchZ = Banked(1, Register(0x11, RW.self, reset: nil))
  public let gyroNotchHigh = Banked(1, Register(0x12, RW.self, reset: nil))
  public let gyroNotchWidth = Banked(1, Register(0x13, RW.self, reset: 0x11))
  public let gyroXTrial = Banked(1, Register(0x5F, RO.self, reset: nil))
  public let gyroYTrial = Banked(1, Register(0x60, RO.self, reset: nil))
  public let gyroZTrial = Banked(1, Register(0x61, RO.self, reset: nil))
  public let timeLow = Banked(1, Register(0x62, RO.self, reset: nil))
  public let timeMiddle = Banked(1, Register(0x63, RO.self, reset: nil))
  public let timeHigh = Banked(1, Register(0x64, RO.self, reset: nil))
  public let interfaceConfig4 = Banked(1, Register(0x7A, RW.self, reset: 0x83))
  public let interfaceConfig5 = Banked(1, Register(0x7B, RW.self, reset: 0x00))
  public let interfaceConfig6 = Banked(1, Register(0x7C, RW.self, reset: 0x5F))
  // Bank 2.
  public let accelStatic2 = Banked(2, Register(0x03, RW.self, reset: 0x30))
  public let accelStatic3 = Banked(2, Register(0x04, RW.self, reset: 0x40))
  public let accelStatic4 = Banked(2, Register(0x05, RW.self, reset: 0x62))
  public let accelXTrial = Banked(2, Register(0x3B, RO.self, reset: nil))
  public let accelYTrial = Banked(2, Register(0x3C, RO.self, reset: nil))
  public let accelZTrial = Banked(2, Register(0x3D, RO.self, reset: nil))
  // Bank 3.
  public let clockDivider = Banked(3, Register(0x2A, RO.self, reset: nil))
  // Bank 4.
  public let apexConfig1 = Banked(4, Register(0x40, RW.self, reset: 0xA2))
  public let apexConfig2 = Banked(4, Register(0x41, RW.self, reset: 0x85))
  public let apexConfig3 = Banked(4, Register(0x42, RW.self, reset: 0x51))
  public let apexConfig4 = Banked(4, Register(0x43, RW.self, reset: 0xA4))
  public let apexConfig5 = Banked(4, Register(0x44, RW.self, reset: 0x8C))
  public let apexConfig6 = Banked(4, Register(0x45, RW.self, reset: 0x5C))
  public let apexConfig7 = Banked(4, Register(0x46, RW.self, reset: 0x45))
  public let apexConfig8 = Banked(4, Register(0x47, RW.self, reset: 0x5B))
  public let apexConfig9 = Banked(4, Register(0x48, RW.self, reset: 0x00))
  public let motionThresholdX = Banked(4, Register(0x4A, RW.self, reset: 0x00))
  public let motionThresholdY = Banked(4, Register(0x4B, RW.self, reset: 0x00))
  public let motionThresholdZ = Banked(4, Register(0x4C, RW.self, reset: 0x00))
  public let intSource6 = Banked(4, Register(0x4D, RW.self, reset: 0x00))
  public let intSource7 = Banked(4, Register(0x4E, RW.self, reset: 0x00))
  public let intSource8 = Banked(4, Register(0x4F, RW.self, reset: 0x00))
  public let intSource9 = Banked(4, Register(0x50, RW.self, reset: 0x00))
  public let intSource10 = Banked(4, Register(0x51, RW.self, reset: 0x00))
  public let offset0 = Banked(4, Register(0x77, RW.self, reset: 0x00))
  public let offset1 = Banked(4, Register(0x78, RW.self, reset: 0x00))
  public let offset2 = Banked(4, Register(0x79, RW.self, reset: 0x00))
  public let offset3 = Banked(4, Register(0x7A, RW.self, reset: 0x00))
  public let offset4 = Banked(4, Register(0x7B, RW.self, reset: 0x00))
  public let offset5 = Banked(4, Register(0x7C, RW.self, reset: 0x00))
  public let offset6 = Banked(4, Register(0x7D, RW.self, reset: 0x00))
  public let offset7 = Banked(4, Register(0x7E, RW.self, reset: 0x00))
  public let offset8 = Banked(4, Register(0x7F, RW.self, reset: 0x00))
  public init() {}

  public struct FIFOModes: Sendable {
    public let mode = Bits<FIFOMode>(6...7)
  }

  public struct WatermarkHigh: Sendable {
    public let value = Bits<UInt8>(0...3)
  }

  public struct Banks: Sendable {
    public let bank = Bits<UInt8>(0...2)
  }

  /// The sources of a pin.
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
