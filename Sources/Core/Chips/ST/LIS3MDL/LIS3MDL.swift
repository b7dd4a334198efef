// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the LIS3MDL, a three-axis magnetometer with a data-ready pin and without a FIFO.
public typealias LIS3MDL<Bus: ChipBus> = RegisterDriver<LIS3MDLChip, Bus>

/// The chip-specific parts of the driver.
public struct LIS3MDLChip: SampledChip {
  public typealias Decoder = LIS3MDLDecoder

  /// The number of samples until the next read of the temperature. It is at least 1, because the
  /// chip has no temperature before its first sample.
  private var samplesToTemperature = 1
  /// The chip's temperature to store with the next sample.
  private var temperature: InlineArray<2, UInt8>?

  public init() {}

  public static func channels(of codes: LIS3MDLConfiguration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.measuresTemperature(with: abilities) ? LIS3MDLChip.channels : .magneticField }

  public enum StartStep: UInt8, ChipStep { case identity, reset, resetOver, configuration }

  public static func start(
    _ driver: inout LIS3MDL<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    switch step {
    case .identity: .identify(by: LIS3MDLMap().whoAmI)
    case .reset: reset
    case .resetOver: hasReset
    case .configuration: .configure()
    }
  }

  static var reset: StepAction {
    .write(LIS3MDLMap().control2, wait: LIS3MDLTiming.reset) { $0.softReset(true) }
  }

  static var hasReset: StepAction {
    .poll(
      LIS3MDLMap().control2, each: LIS3MDLTiming.reset, times: LIS3MDLTiming.resetPolls
    ) { $0.softReset(false) }
  }

  public static var verification: Verification {
    Verification(every: LIS3MDLTiming.verification, runningRow: 4)
  }

  /// Discards a sample that was taken with earlier settings. The read of the sample also clears the
  /// data-ready pin.
  public static func discardOldSamples(
    _ driver: inout LIS3MDL<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    _ = try readSample(&driver, into: &batch)
    driver.chip = LIS3MDLChip()
  }

  public static func run<Bus: ChipBus>(
    _ driver: inout LIS3MDL<Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    try driver.verifyInTurn(at: driver.now)
    if driver.chip.samplesToTemperature == 0, driver.codes.measuresTemperature(with: Bus.abilities)
    {
      // In a burst the temperature registers do not follow the magnetic field's registers, so the
      // temperature is read separately.
      driver.chip.temperature = try driver.bus.bytes(from: LIS3MDLMap().temperature.first)
      driver.chip.samplesToTemperature = driver.codes.temperatureInterval
    }
    try driver.readRegisters(event, at: driver.now, into: &batch)
    guard batch.frames > 0 else { return }
    driver.chip.samplesToTemperature = max(0, driver.chip.samplesToTemperature &- 1)
    guard let temperature = driver.chip.temperature else { return }
    batch.bytes[6] = temperature[0]
    batch.bytes[7] = temperature[1]
    batch.frameSize = LIS3MDLChip.frameSizeWithTemperature
    driver.chip.temperature = nil
  }

  /// Reads the status and the following six bytes, registers 0x27 to 0x2D, in one burst.
  public static func readSample<Bus: ChipBus>(
    _ driver: inout LIS3MDL<Bus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let status = try driver.readFrame(
      of: LIS3MDLChip.frameSize, after: LIS3MDLMap().status, into: &batch)
    batch.format[0] = driver.codes.fullScale.rawValue
    if Bus.abilities.contains(.relatives) { batch.format[1] = driver.codes.part.rawValue }
    return SampleStatus(
      isReady: status({ $0.dataReady }) == true, isOverrun: status({ $0.overrun }) == true)
  }

  public static func sleep(_ driver: inout LIS3MDL<some ChipBus>) throws(ChipError) {
    try driver.bus.set(LIS3MDLMap().control3) { $0.mode(.powerDownAlternate) }
  }
}

/// Decodes the LIS3MDL's frames to physical values.
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
    if let fault = batch.uniformity(frame, 0, 6) { reading.reject(.magneticField, fault) }
    if batch.frameSize > LIS3MDLChip.frameSize {
      // The temperature has 8 counts per degree Celsius and reads 0 at 25 degrees (section 2.2, and
      // ST's driver).
      reading.temperature = 25 + Scalar(batch.littleEndian(frame, 6)) / 8
      reading.channels.insert(.temperature)
    }
    return reading
  }
}

extension LIS3MDLChip {
  /// The manufacturer's self-test (AN4602, and ST's public example for this part). Waits are in
  /// microseconds.
  public enum SelfTest: ChipSelfTest {
    public enum Step: UInt8, ChipStep { case configuration, resting, stimulated, reset, resetOver }

    /// The wait before conversions start, which is also the wait from the start of conversions to
    /// the first valid sample.
    static var settling: UInt32 { 20_000 }
    /// The wait from the self-test's stimulus to the first valid sample.
    static var stimulus: UInt32 { 60_000 }
    /// The number of samples that the self-test reads. The first sample is dropped.
    static var samples: UInt16 { 6 }
    /// The interval between polls of the self-test, which is a fifth of a period at 80 Hz, and the
    /// number of polls, which covers eight periods.
    static var pollInterval: UInt32 { 2500 }
    static var polls: Int { 40 }

    /// Returns the configuration for the self-test: 12 gauss and 80 Hz at low performance, with
    /// block update and without temperature.
    static func configuration(stimulated: Bool = false) -> LIS3MDLConfiguration {
      LIS3MDLConfiguration(ReadoutMode(.polling, power: .low)) {
        $0.rate = .hz80
        $0.fullScale = .gauss12
        $0.isStimulated = stimulated
      }
    }

    public static func action(
      _ driver: inout LIS3MDL<some ChipBus>, at step: Step
    ) throws(ChipError) -> StepAction {
      switch step {
      case .configuration:
        // Sends all register writes of the configuration except the last, which starts conversions.
        try driver.bus.configure { $0 < 4 ? configuration().row($0) : nil }
        return .wait(settling)
      case .resting:
        try driver.bus.set(LIS3MDLMap().control3) { $0.mode(.continuous) }
        return .collect(samples, wait: settling, each: pollInterval)
      case .stimulated:
        try driver.bus.write(configuration(stimulated: true).control1)
        return .collect(samples, wait: stimulus, each: pollInterval)
      case .reset: return reset
      case .resetOver: return hasReset
      }
    }

    public static func read(
      _ driver: inout LIS3MDL<some ChipBus>, at step: Step, into batch: inout RawBatch
    ) throws(ChipError) {
      if try readSample(&driver, into: &batch).isReady {
        guard driver.testProgress.take() else { return }
        driver.testProgress.sums[step == .resting ? 0 : 1] += batch.littleEndianVector(0, 0)
      } else if driver.testProgress.isHopeless(after: polls) {
        throw .unexpected(register: LIS3MDLMap().status.address, wanted: 0x08, found: 0)
      }
    }

    /// Returns the response to the stimulus. The manufacturer's limits for the magnitude are 1.0 to
    /// 3.0 gauss for X and Y, and 0.1 to 1.0 gauss for Z.
    public static func report(of driver: borrowing LIS3MDL<some ChipBus>) -> SelfTestReport {
      let scale = configuration().fullScale.countsPerMicrotesla(of: driver.part)
      let change =
        (driver.testProgress.sums[1] - driver.testProgress.sums[0]) / (Scalar(samples - 1) * scale)
      var report = SelfTestReport()
      report.append(.magneticField, change.magnitudes, x: 100...300, y: 100...300, z: 10...100)
      return report
    }
  }
}
