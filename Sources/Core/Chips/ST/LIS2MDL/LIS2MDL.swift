// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the LIS2MDL, a three-axis magnetometer with a data-ready pin and only one range.
public typealias LIS2MDL<Bus: ChipBus> = RegisterDriver<LIS2MDLChip, Bus>

/// The chip-specific parts of the driver.
public struct LIS2MDLChip: SampledChip {
  public typealias Decoder = LIS2MDLDecoder

  public init() {}

  public static var channels: ChannelSet { .magneticField }

  /// The full scale in microtesla: the largest count, which is 49.15 gauss.
  public static var range: Scalar { 32767 / countsPerMicrotesla }

  /// The sensitivity in counts per microtesla: 1.5 mgauss per count (table 2).
  public static var countsPerMicrotesla: Scalar { 1 / 0.15 }

  public static func range(of channel: Channel, at index: Int, of codes: LIS2MDLConfiguration)
    -> Scalar?
  {
    channel == .magneticField && index == 0 ? range : nil
  }

  public static func rate(at index: Int, of codes: LIS2MDLConfiguration) -> Scalar? {
    (0...3).contains(index) ? LIS2MDLMap.Rate(rawValue: UInt8(3 - index))?.hertz : nil
  }

  public enum StartStep: UInt8, ChipStep { case identity, reset, resetOver, configuration }

  public static func start(
    _ driver: inout LIS2MDL<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    switch step {
    case .identity: .identify(by: LIS2MDLMap().whoAmI)
    case .reset: reset
    case .resetOver: hasReset
    case .configuration: .configure()
    }
  }

  /// The step that resets the chip. The wait after SOFT_RST is ten times as long as ST's driver
  /// polls; the data sheet gives 5 microseconds.
  static var reset: StepAction { .write(LIS2MDLMap().configA, wait: 1000) { $0.softReset(true) } }

  static var hasReset: StepAction {
    .poll(LIS2MDLMap().configA, each: 1000, times: 20) { $0.softReset(false) }
  }

  public static var verification: Verification {
    Verification(every: .milliseconds(50), runningRow: 2)
  }

  /// Reads the status and the following six bytes, registers 0x67 to 0x6D, in one burst. The
  /// address increments with or without bit 7: ST's examples set this bit, Linux's driver does not.
  public static func readSample(
    _ driver: inout LIS2MDL<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let status = try driver.readFrame(of: 6, after: LIS2MDLMap().status, into: &batch)
    return SampleStatus(
      isReady: status({ $0.dataReady }) == true, isOverrun: status({ $0.overrun }) == true)
  }

  public static func sleep(_ driver: inout LIS2MDL<some ChipBus>) throws(ChipError) {
    try driver.bus.set(LIS2MDLMap().configA) { $0.mode(.idle) }
  }
}

/// Decodes the LIS2MDL's frames to physical values.
public struct LIS2MDLDecoder: FrameDecoder {
  public typealias Codes = LIS2MDLConfiguration

  public init(_ batch: borrowing RawBatch) {}

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .magneticField)
    reading.magneticField = batch.littleEndianVector(frame, 0) / LIS2MDLChip.countsPerMicrotesla
    if let fault = batch.uniformity(frame, 0, 6) { reading.reject(.magneticField, fault) }
    return reading
  }
}

extension LIS2MDLChip {
  /// The manufacturer's self-test (AN5069, and ST's public example for this part). Waits are in
  /// microseconds.
  public enum SelfTest: ChipSelfTest {
    public enum Step: UInt8, ChipStep { case resting, stimulated, reset, resetOver }

    /// The waits until the first valid sample: after the start of conversions, and after the
    /// stimulus is switched on.
    static var settling: UInt32 { 20_000 }
    static var stimulus: UInt32 { 60_000 }
    /// The number of samples that are read. The first sample is dropped.
    static var samples: UInt16 { 51 }
    /// The interval between polls, which is a fifth of a period at 100 Hz, and the number of polls,
    /// which covers eight periods.
    static var pollInterval: UInt32 { 2000 }
    static var polls: Int { 40 }

    /// Returns the configuration for the self-test: 100 Hz in high resolution.
    static func configuration(stimulated: Bool = false) -> LIS2MDLConfiguration {
      LIS2MDLConfiguration(ReadoutMode(.polling)) { $0.isStimulated = stimulated }
    }

    public static func action(
      _ driver: inout LIS2MDL<some ChipBus>, at step: Step
    ) throws(ChipError) -> StepAction {
      switch step {
      case .resting:
        try driver.bus.configure { configuration().row($0) }
        return .collect(samples, wait: settling, each: pollInterval)
      case .stimulated:
        try driver.bus.configure { $0 < 2 ? configuration(stimulated: true).row($0) : nil }
        return .collect(samples, wait: stimulus, each: pollInterval)
      case .reset: return reset
      case .resetOver: return hasReset
      }
    }

    public static func read(
      _ driver: inout LIS2MDL<some ChipBus>, at step: Step, into batch: inout RawBatch
    ) throws(ChipError) {
      if try readSample(&driver, into: &batch).isReady {
        guard driver.testProgress.take() else { return }
        driver.testProgress.sums[step == .resting ? 0 : 1] += batch.littleEndianVector(0, 0)
      } else if driver.testProgress.isHopeless(after: polls) {
        throw .unexpected(register: LIS2MDLMap().status.address, wanted: 0x08, found: 0)
      }
    }

    /// Returns the response to the stimulus. The manufacturer's limits for the magnitude on each
    /// axis are 15 to 500 mgauss.
    public static func report(of driver: borrowing LIS2MDL<some ChipBus>) -> SelfTestReport {
      let change =
        (driver.testProgress.sums[1] - driver.testProgress.sums[0])
        / (Scalar(samples - 1) * countsPerMicrotesla)
      var report = SelfTestReport()
      report.append(.magneticField, change.magnitudes, x: 1.5...50, y: 1.5...50, z: 1.5...50)
      return report
    }
  }
}
