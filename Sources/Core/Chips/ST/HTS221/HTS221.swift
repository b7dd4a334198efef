// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the HTS221, a hygrometer and thermometer with a data-ready pin.
public typealias HTS221<Bus: ChipBus> = RegisterDriver<HTS221Chip, Bus>

/// The chip-specific parts of the driver.
public struct HTS221Chip: SampledChip {
  public typealias Decoder = HTS221Decoder

  /// The calibration registers, 0x30 to 0x3F, in the order of a batch's format.
  private var points = InlineArray<40, UInt8>(repeating: 0)

  public init() {}

  public static var channels: ChannelSet { [.humidity, .temperature] }

  /// The transfer format. Bit 7 of the sub-address enables the address increment in an I2C burst
  /// (section 5.1). The chip's SPI has three wires, which spidev does not support.
  public static var wireFormat: WireFormat { WireFormat(i2cIncrement: 0x80) }

  /// The size of a frame in bytes: humidity and temperature, low byte first.
  public static var frameSize: Int { 4 }

  public static func rate(at index: Int, of codes: HTS221Configuration) -> Scalar? {
    (0...2).contains(index) ? HTS221Map.Rate(rawValue: UInt8(3 - index))?.hertz : nil
  }

  public enum StartStep: UInt8, ChipStep {
    case identity, powerDown, reboot, rebooted, calibration, configuration
  }

  /// Returns what the engine does in a step of the chip's start. The chip has no soft reset;
  /// instead, it is powered down and made to reload its trimming values.
  public static func start(
    _ driver: inout HTS221<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    switch step {
    case .identity: return .identify(by: HTS221Map().whoAmI)
    case .powerDown: return .write(HTS221Map().control1) { _ in .nothing }
    case .reboot: return .write(HTS221Map().control2, wait: reboot) { $0.reboot(true) }
    case .rebooted: return .poll(HTS221Map().control2, each: reboot, times: 10) { $0.reboot(false) }
    case .calibration:
      try readPoints(&driver)
      return .next
    case .configuration: return .configure()
    }
  }

  /// The wait after BOOT, in microseconds: 20 ms as in ST's public drivers, because the data sheet
  /// gives no time.
  private static var reboot: UInt32 { 20_000 }

  private static func readPoints(_ driver: inout HTS221<some ChipBus>) throws(ChipError) {
    let bytes: InlineArray<16, UInt8> = try driver.bus.bytes(from: HTS221Map().feltHumidity.first)
    for index in 0..<16 { driver.chip.points[index] = bytes[index] }
    // The chip's data cannot be decoded without the calibration points.
    let points = HTS221Points(driver.chip.points)
    guard points.humidity.isUsable, points.temperature.isUsable else {
      throw .identity(found: bytes[0], register: HTS221Map().feltHumidity.address)
    }
  }

  /// The interval between the verifications of two configuration registers. Only the last of the
  /// three registers differs from its reset value, and with this interval the driver verifies all
  /// three within 100 ms.
  public static var verification: Verification {
    Verification(every: .milliseconds(33), runningRow: 2, catchesUp: true)
  }

  /// Reads the status and the following four bytes in one burst. The chip has no overrun flag: lost
  /// samples are counted from the elapsed time.
  public static func readSample(
    _ driver: inout HTS221<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let status = try driver.readFrame(
      of: frameSize, after: HTS221Map().status, into: &batch)
    batch.format = driver.chip.points
    return SampleStatus(
      isReady: status({ $0.humidityReady }) == true && status({ $0.temperatureReady }) == true,
      isOverrun: true)
  }

  public static func sleep(_ driver: inout HTS221<some ChipBus>) throws(ChipError) {
    try driver.bus.set(HTS221Map().control1) { _ in .nothing }
  }
}

/// Decodes the HTS221's frames to physical values, with the calibration points in the batch.
public struct HTS221Decoder: FrameDecoder {
  public typealias Codes = HTS221Configuration

  private let humidity: HTS221Line
  private let temperature: HTS221Line

  public init(_ batch: borrowing RawBatch) {
    let points = HTS221Points(batch.format)
    humidity = points.humidity
    temperature = points.temperature
  }

  /// The chip's operating range from DocID026333, tables 3 and 4; Arduino's library has the same
  /// range.
  @inlinable
  public static func limits(of channel: Channel, of part: HTS221Part) -> ClosedRange<Scalar>? {
    switch channel {
    case .temperature: -40...120
    case .humidity: 0...100
    default: nil
    }
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading()
    if let fault = batch.uniformity(frame, 0, HTS221Chip.frameSize) {
      reading.reject([.humidity, .temperature], fault)
      return reading
    }
    // Outside the two calibration points, the line through them can give a humidity below 0 or
    // above 100 percent.
    reading.humidity = min(max(humidity.value(of: batch.littleEndian(frame, 0)), 0), 100)
    reading.channels = .humidity
    let counts = batch.littleEndian(frame, 2)
    reading.add(
      .temperature, temperature.value(of: counts),
      within: Self.limits(of: .temperature, of: .expected), code: Int(counts), ones: -1)
    return reading
  }
}

/// A line through two calibration points (section 8). Each point consists of an output in counts
/// and its physical value.
struct HTS221Line {
  let counts: (Int16, Int16)
  let values: (Scalar, Scalar)

  /// True if the two calibration points differ in both counts and value.
  var isUsable: Bool { counts.0 != counts.1 && values.0 != values.1 }

  func value(of count: Int16) -> Scalar {
    let span = Scalar(Int(counts.1) - Int(counts.0))
    return values.0 + (Scalar(Int(count) - Int(counts.0)) / span) * (values.1 - values.0)
  }
}

/// The factory's calibration points, from registers 0x30 to 0x3F at the start of a batch's format.
struct HTS221Points {
  let humidity: HTS221Line
  let temperature: HTS221Line

  init(_ bytes: InlineArray<40, UInt8>) {
    func word(_ index: Int) -> Int16 {
      Int16(bitPattern: UInt16(bytes[index + 1]) << 8 | UInt16(bytes[index]))
    }
    // Register 0x35 holds bits 8 and 9 of the temperatures of both calibration points.
    func degrees(_ low: UInt8, _ high: UInt8) -> Scalar {
      Scalar(Int(high & 3) << 8 | Int(low)) / 8
    }
    humidity = HTS221Line(
      counts: (word(6), word(10)), values: (Scalar(bytes[0]) / 2, Scalar(bytes[1]) / 2))
    temperature = HTS221Line(
      counts: (word(12), word(14)),
      values: (degrees(bytes[2], bytes[5]), degrees(bytes[3], bytes[5] >> 2)))
  }
}
