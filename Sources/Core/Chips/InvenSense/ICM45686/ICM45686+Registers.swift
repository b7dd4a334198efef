// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of the ICM-45686 (TDK DS-000489 revision 1.1, sections 13 to 21). Addresses, bits
/// and reset values agree with TDK's public driver motion.mcu.icm45686.driver; the values of the
/// registers in use also agree with Linux's inv_icm45600. Registers that no driver uses are
/// declared as whole bytes; `reserved` names reserved bits that must be kept.
///
/// The inner registers are at 0xA200 (IPREG_TOP1), 0xA400 (IPREG_SYS1) and 0xA500 (IPREG_SYS2),
/// which are the banks 2, 4 and 5. After a reset the low byte of each word comes first. The words
/// are declared with the byte order that the driver selects in `sensorControl`.
public struct ICM45686Map: IndirectMap {
  public static let indirect = IndirectWindow(first: 0x7C, page: 0xA0, status: 0x7F, ready: 0x01)

  public let accel = RO.axisWords(0x00, .highFirst)
  public let gyro = RO.axisWords(0x06, .highFirst)
  public let temperature = RO.words(0x0C, .highFirst)
  public let fsyncTime = RO.words(0x0E, .highFirst)
  public let power = RW(0x10, (gyro: Bits<PowerMode>(2...3), accel: Bits<PowerMode>(0...1)))
  public let fifoCount = RO.words(0x12, .highFirst)
  public let fifoData = RO(0x14, reset: nil, effect: .popsQueue)
  public let int1Config0 = RW(0x16, reset: 0x80, IntSources())
  public let int1Config1 = RW(0x17)
  public let int1Config2 = RW(0x18, reset: 0x04, IntPin())
  public let int1Status0 = RO(0x19, effect: .clears, IntSources())
  public let int1Status1 = RO(0x1A, effect: .clears)
  public let accelConfig0 = RW(
    0x1B, reset: 0x06, (range: Bits<AccelFullScale>(4...6), rate: Bits<Rate>(0...3)))
  public let gyroConfig0 = RW(
    0x1C, reset: 0x06, (range: Bits<GyroFullScale>(4...7), rate: Bits<Rate>(0...3)))
  public let fifoConfig0 = RW(0x1D, (mode: Bits<FIFOMode>(6...7), depth: Bits<FIFODepth>(0...5)))
  public let watermarkLow = RW(0x1E)
  public let watermarkHigh = RW(0x1F)
  public let fifoConfig2 = RW(0x20, reset: 0x20, Watermark())
  public let fifoConfig3 = RW(0x21, Packets())
  public let fifoConfig4 = RW(
    0x22, (uncompressed: Bits(3...5), compression: Bit(2), time: Bit(1), external0Long: Bit(0)))
  public let timeConfig = RW(
    0x23,
    (
      delta: Bit(6), coarse: Bit(5), motionEnable: Bit(4), motionFromPrevious: Bit(3),
      motionInterrupt: Bit(2), motionCount: Bits(0...1)
    ))
  public let fsyncConfig0 = RW(0x24)
  public let fsyncConfig1 = RW(0x25)
  public let clockConfig = RW(0x26, reset: 0x03)
  public let processorRates = RW(0x27, reset: 0x01)
  public let decimation = RW(0x28)
  public let apexEnable0 = RW(0x29)
  public let apexEnable1 = RW(0x2A)
  public let apexBuffers = RW(0x2B)
  public let interfaceConfig0 = RW(0x2C, reset: 0x9A)
  public let interfaceConfig1 = RW(0x2D, reset: 0x0C)
  public let auxInterfaceConfig = RW(0x2E, reset: 0x02)
  public let pads = RO(0x2F, reset: 0x09)
  public let auxPads = RW(0x30)
  public let driveConfig0 = RW(0x32, reset: 0x6C, (slewI2C: Bits(4...6), slewSPI: Bits(1...3)))
  public let driveConfig1 = RW(0x33, reset: 0x36)
  public let driveConfig2 = RW(0x34, reset: 0x06)
  public let clockSource = RW(0x35)
  public let apexMask0 = RW(0x39)
  public let apexMask1 = RW(0x3A)
  public let apexStatus0 = RO(0x3B, effect: .clears)
  public let apexStatus1 = RO(0x3C, effect: .clears)
  public let auxAccel = RO.axisWords(0x44, .highFirst)
  public let auxGyro = RO.axisWords(0x4A, .highFirst)
  public let auxTemperature = RO.words(0x50, .highFirst)
  public let auxFsyncTime = RO.words(0x52, .highFirst)
  public let auxPower = RW(0x54)
  public let auxRanges = RW(0x55)
  public let int2Config0 = RW(0x56, reset: 0x80, IntSources())
  public let int2Config1 = RW(0x57)
  public let int2Config2 = RW(0x58, reset: 0x04, IntPin())
  public let int2Status0 = RO(0x59, effect: .clears, IntSources())
  public let int2Status1 = RO(0x5A, effect: .clears)
  public let whoAmI = RO(0x72, reset: 0xE9)
  public let hostMessage = RW(0x73)
  public let innerHigh = RW(0x7C, reset: 0xAF)
  public let innerLow = RW(0x7D, reset: 0x06)
  public let innerData = RW(0x7E, reset: nil)
  public let control = RW(0x7F, reset: 0x01, (softReset: Bit(1), innerReady: Bit(0)))
  // The inner registers of IPREG_TOP1.
  public let systemControl = RW.bank(
    2, 0x58, reset: 0x60,
    (
      reserved: Bits(5...6), lowPowerClock: Bit(4), temperatureOff: Bit(3), auxTime: Bit(2),
      fsyncTime: Bit(1), time: Bit(0)
    ))
  public let systemControl1 = RW.bank(2, 0x59, reset: 0x04)
  public let timingConfig = RW.bank(2, 0x63)
  public let sensorControl = RW.bank(2, 0x67, Bit(1))
  public let i3cTiming = RW.bank(2, 0x68, reset: 0x23)
  public let pulseOn = RW.bank(2, 0x69, reset: 0x01)
  public let auxPulseOn = RW.bank(2, 0x6A, reset: 0x01)
  public let pulseOff = RW.bank(2, 0x6B, reset: 0x01)
  public let auxPulseOff = RW.bank(2, 0x6C, reset: 0x01)
  public let motionThreshold = RW.axes(0x7E).inBank(2)
  public let selfTest = RW.bank(2, 0x90)
  public let processorState = RO.bank(2, 0x97, reset: 0x02)
  public let clockTrim = RO.bank(2, 0xA2, reset: nil)
  public let memorySleep = RW.bank(2, 0xA7)
  // The gyroscope's inner registers in IPREG_SYS1.
  public let gyroSource = RW.bank(
    4, 0xA6, reset: 0x1B, (source: Bits<Source>(5...6), reserved: Bits(0...4)))
  public let gyroAuxNotch = RW.bank(4, 0xA8, reset: 0x02)
  public let gyroAverage = RW.bank(4, 0xAA, reset: 0x0A)
  public let gyroAuxFilter = RW.bank(4, 0xAB, reset: 0x09)
  public let gyroFilter = RW.bank(
    4, 0xAC, reset: 0x80, (auxHighPassOff: Bit(7), bandwidth: Bits<Filter>(0...2)))
  // The accelerometer's inner registers in IPREG_SYS2.
  public let accelSource = RW.bank(
    5, 0x7B, reset: 0x14, (reserved: Bits(2...7), source: Bits<Source>(0...1)))
  public let accelAverage = RW.bank(
    5, 0x81, reset: 0x02, (auxHighPass: Bits(4...6), average: Bits<Average>(0...3)))
  public let accelAuxFilter = RW.bank(5, 0x82)
  public let accelFilter = RW.bank(5, 0x83, Bits<Filter>(0...2))
  public let accelAuxBypass = RW.bank(5, 0x84, reset: 0x03)
  public init() {}

  /// The interrupt sources. A pin's status register and the register that enables its status bits
  /// have this layout: a status bit is set only while it is enabled (section 16.21).
  public struct IntSources: Sendable {
    public let resetDone = Bit(7)
    public let auxAGCReady = Bit(6)
    public let agcReady = Bit(5)
    public let fsync = Bit(4)
    public let auxDataReady = Bit(3)
    public let dataReady = Bit(2)
    public let watermark = Bit(1)
    public let full = Bit(0)
  }

  /// The fields for the watermark and for emptying the FIFO.
  public struct Watermark: Sendable {
    public let flush = Bit(7)
    public let reserved = Bits(4...6)
    public let repeatsWatermark = Bit(3)
  }

  /// The fields that select the contents of packets and whether packets are written to the FIFO.
  public struct Packets: Sendable {
    public let external1 = Bit(5)
    public let external0 = Bit(4)
    public let highResolution = Bit(3)
    public let gyro = Bit(2)
    public let accel = Bit(1)
    public let isWritten = Bit(0)
  }

  /// The output of an interrupt pin. According to the data sheet and to TDK's and Zephyr's drivers,
  /// bit 2 selects open drain; Linux uses this bit for push-pull.
  public struct IntPin: Sendable {
    public let openDrain = Bit(2)
    public let latched = Bit(1)
    public let activeHigh = Bit(0)
  }
}
