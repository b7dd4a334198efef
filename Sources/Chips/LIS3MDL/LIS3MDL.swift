// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the LIS3MDL: a three-axis magnetometer without a queue, with a data-ready pin of
/// its own.
public typealias LIS3MDL<Bus: RegisterBus & ~Copyable> = RegisterDriver<LIS3MDLChip, Bus>

/// Describes to the engine what is peculiar to the LIS3MDL.
public struct LIS3MDLChip: RegisterChip {
  public typealias Decoder = LIS3MDLDecoder

  /// Samples until the temperature is read again. Never before the first: there is none in the chip
  /// yet.
  private var samplesToTemperature = 1
  /// The temperature that goes with the next sample.
  private var temperature: InlineArray<2, UInt8>?

  public init() {}

  public static func channels(of codes: LIS3MDLConfiguration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.measuresTemperature(with: abilities) ? LIS3MDLChip.channels : .magneticField }

  public static func start<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LIS3MDL<Bus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    switch index {
    case 0: .identify(by: LIS3MDLMap().whoAmI)
    case 1: reset
    case 2: hasReset
    case 3: .configure()
    default: .done
    }
  }

  static var reset: ChipTask {
    .write(LIS3MDLMap().control2, wait: LIS3MDLTiming.reset) { $0.softReset(true) }
  }

  static var hasReset: ChipTask {
    .poll(
      LIS3MDLMap().control2, each: LIS3MDLTiming.reset, times: LIS3MDLTiming.resetPolls
    ) { $0.softReset(false) }
  }

  public static func line<Bus: RegisterBus & ~Copyable>(
    _ index: Int, of driver: borrowing LIS3MDL<Bus>
  ) -> RegisterValue? { driver.codes.line(index) }

  public static var runningLine: Int { 4 }

  public static var verification: TimeSpan { LIS3MDLTiming.verification }

  public static func longestWait<Bus: RegisterBus & ~Copyable>(
    _ driver: borrowing LIS3MDL<Bus>
  ) -> TimeSpan {
    driver.codes.isLow(with: Bus.abilities)
      ? driver.clock.measuredPeriod * 2 : LIS3MDLTiming.longestWait
  }

  /// Reads what was taken with other settings, which also lowers the data-ready pin.
  public static func flush<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LIS3MDL<Bus>, into batch: inout RawBatch
  ) throws(ChipError) {
    _ = try readSample(&driver, into: &batch)
    driver.chip = LIS3MDLChip()
  }

  public static func run<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LIS3MDL<Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    try driver.verifyInTurn(at: driver.now)
    if driver.chip.samplesToTemperature == 0,
      driver.codes.measuresTemperature(with: Bus.abilities)
    {
      // Its registers do not follow those of the field in a burst.
      var bytes: InlineArray<2, UInt8> = [0, 0]
      var span = bytes.mutableSpan
      try driver.bus.read(&span, from: LIS3MDLMap().temperatureLow)
      driver.chip.temperature = bytes
      driver.chip.samplesToTemperature = driver.codes.temperatureInterval
    }
    try driver.readRegisters(event, into: &batch)
    guard batch.frames > 0 else { return }
    driver.chip.samplesToTemperature = max(0, driver.chip.samplesToTemperature &- 1)
    guard let temperature = driver.chip.temperature else { return }
    batch.bytes[6] = temperature[0]
    batch.bytes[7] = temperature[1]
    batch.frameSize = LIS3MDLChip.frameSizeWithTemperature
    driver.chip.temperature = nil
  }

  /// Status and the six bytes behind it in one burst. (0x27 to 0x2D are consecutive.)
  public static func readSample<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LIS3MDL<Bus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    var bytes: InlineArray<7, UInt8> = [0, 0, 0, 0, 0, 0, 0]
    var span = bytes.mutableSpan
    try driver.bus.read(&span, from: LIS3MDLMap().status)
    for index in 0..<6 { batch.bytes[index] = bytes[index + 1] }
    batch.frameSize = LIS3MDLChip.frameSize
    batch.format[0] = driver.codes.fullScale.rawValue
    if Bus.abilities.contains(.relatives) { batch.format[1] = driver.codes.part.rawValue }
    let status = LIS3MDLMap().status.contents(bytes[0])
    return SampleStatus(
      isReady: status({ $0.dataReady }) == true, isOverrun: status({ $0.overrun }) == true)
  }

  public static func sleep<Bus: RegisterBus & ~Copyable>(_ driver: inout LIS3MDL<Bus>)
    throws(ChipError)
  { try driver.bus.set(LIS3MDLMap().control3) { $0.mode(.powerDownAlternate) } }
}

/// Physical values of the LIS3MDL's frames.
public struct LIS3MDLDecoder: FrameDecoder {
  public typealias Codes = LIS3MDLConfiguration

  private let countsPerMicrotesla: Scalar

  public init(_ batch: borrowing RawBatch) {
    let scale = LIS3MDLMap.FullScale(rawValue: batch.format[0]) ?? .gauss4
    countsPerMicrotesla =
      scale.countsPerMicrotesla(of: LIS3MDLPart(rawValue: batch.format[1]) ?? .lis3mdl)
  }

  @inline(__always)
  public init(
    _ batch: borrowing RawBatch, of codes: LIS3MDLConfiguration, with abilities: DriverAbilities
  ) {
    let scale = LIS3MDLMap.FullScale(rawValue: batch.format[0]) ?? .gauss4
    let part = abilities.contains(.relatives) ? LIS3MDLPart(rawValue: batch.format[1]) : nil
    countsPerMicrotesla = scale.countsPerMicrotesla(of: part ?? .lis3mdl)
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .magneticField)
    reading.magneticField = batch.littleEndianVector(frame, 0) / countsPerMicrotesla
    if batch.frameSize > LIS3MDLChip.frameSize {
      // 8 counts a degree, 0 at 25 degC (section 2.2, and ST's own driver).
      reading.temperature = 25 + Scalar(batch.littleEndian(frame, 6)) / 8
      reading.channels.insert(.temperature)
    }
    return reading
  }
}
