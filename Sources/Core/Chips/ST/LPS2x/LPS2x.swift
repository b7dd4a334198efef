// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the LPS25H and LPS22HB, barometers and thermometers with a data-ready signal on
/// the interrupt pin.
public typealias LPS2x<Bus: ChipBus> = RegisterDriver<LPS2xChip, Bus>

/// The chip-specific parts of the driver.
public struct LPS2xChip: SampledChip {
  public typealias Decoder = LPS2xDecoder

  public init() {}

  public static var channels: ChannelSet { [.pressure, .temperature] }

  public static func rate(at index: Int, of codes: LPS2xConfiguration) -> Scalar? {
    rate(at: index, of: codes.part)
  }

  public enum StartStep: UInt8, ChipStep { case identity, reset, resetOver, configuration }

  public static func start(
    _ driver: inout LPS2x<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let isOlder = driver.codes.part == .lps25h
    switch (step, isOlder) {
    // Both parts of the family have the identity register at the same address.
    case (.identity, _): return .identify(by: LPS22HBMap().whoAmI)
    case (.reset, true): return .write(LPS25HMap().control2, wait: reset) { $0.softReset(true) }
    case (.reset, false): return .write(LPS22HBMap().control2, wait: reset) { $0.softReset(true) }
    case (.resetOver, true):
      return .poll(LPS25HMap().control2, each: reset, times: 10) { $0.softReset(false) }
    case (.resetOver, false):
      return .poll(LPS22HBMap().control2, each: reset, times: 10) { $0.softReset(false) }
    case (.configuration, _): return .configure()
    }
  }

  /// The wait after SWRESET, in microseconds. The data sheet gives no time; a boot takes 2.2 ms
  /// (DocID027083 section 9.6).
  private static var reset: UInt32 { 5000 }

  /// The interval between the verifications of two configuration registers. Only the last of the
  /// four registers differs from its reset value, and with this interval the driver verifies all
  /// four within 100 ms.
  public static var verification: Verification {
    Verification(every: .milliseconds(25), runningRow: 3, catchesUp: true)
  }

  /// Reads the status and the following five bytes in one burst. Both parts have the same
  /// addresses, but the flags of pressure and temperature are swapped, so both flags are checked.
  public static func readSample(
    _ driver: inout LPS2x<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let status = try driver.readFrame(
      of: frameSize, after: LPS22HBMap().status, into: &batch)
    batch.format[0] = driver.codes.part.rawValue
    return SampleStatus(
      isReady: status({ $0.pressureReady }) == true && status({ $0.temperatureReady }) == true,
      isOverrun: status({ $0.pressureOverrun }) == true)
  }

  public static func sleep(_ driver: inout LPS2x<some ChipBus>) throws(ChipError) {
    if driver.codes.part == .lps25h {
      try driver.bus.set(LPS25HMap().control1) { _ in .nothing }
    } else {
      try driver.bus.set(LPS22HBMap().control1) { $0.rate(.oneShot) }
    }
  }
}

/// Decodes the family's frames to physical values.
public struct LPS2xDecoder: FrameDecoder {
  public typealias Codes = LPS2xConfiguration

  private let part: LPS2xPart

  public init(_ batch: borrowing RawBatch) {
    part = LPS2xPart(rawValue: batch.format[0]) ?? .expected
  }

  /// The operating ranges from DocID023722, tables 3 and 4, and DocID027083, tables 3 and 4. The
  /// pressure range is also in Arduino's and mbed's libraries for these parts.
  @inlinable
  public static func limits(of channel: Channel, of part: LPS2xPart) -> ClosedRange<Scalar>? {
    switch (channel, part) {
    case (.pressure, _): 26...126
    case (.temperature, .lps25h): -30...105
    case (.temperature, .lps22hb): -40...85
    default: nil
    }
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    let start = frame * batch.frameSize
    var reading = ChipReading()
    if let fault = batch.uniformity(frame, 0, LPS2xChip.frameSize) {
      reading.reject(LPS2xChip.channels, fault)
      return reading
    }
    let high = Int32(Int8(bitPattern: batch.byte(start + 2)))
    let counts = high << 16 | Int32(batch.byte(start + 1)) << 8 | Int32(batch.byte(start))
    reading.add(
      .pressure, Scalar(counts) / LPS2xChip.countsPerKilopascal,
      within: Self.limits(of: .pressure, of: part), code: Int(counts), ones: -1)
    let degrees = batch.littleEndian(frame, 3)
    reading.add(
      .temperature, part.zeroCountsDegrees + Scalar(degrees) / part.countsPerDegree,
      within: Self.limits(of: .temperature, of: part), code: Int(degrees), ones: -1)
    return reading
  }
}
