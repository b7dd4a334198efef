// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the HMC5883L, a three-axis magnetometer. The driver uses single-measurement mode,
/// as PX4 and ArduPilot do. In continuous mode the ready flag stays set after a read, so without
/// the data-ready pin a new sample cannot be distinguished from the old one.
public typealias HMC5883L<Bus: ChipBus> = RegisterDriver<HMC5883LChip, Bus>

/// The chip-specific parts of the driver.
public struct HMC5883LChip: SingleShotChip {
  public typealias Decoder = HMC5883LDecoder

  public var shot = SingleShot()

  public init() {}

  public static var channels: ChannelSet { .magneticField }

  /// Returns the durations of a measurement from the specification; PX4 allows 6.7 ms.
  public static func duration(of codes: HMC5883LConfiguration) -> (
    typical: TimeSpan, longest: TimeSpan
  ) { (.milliseconds(6), .microseconds(Int64(longest))) }

  private static var longest: UInt32 { 8000 }

  public static func range(of channel: Channel, at index: Int, of codes: HMC5883LConfiguration)
    -> Scalar?
  {
    channel == .magneticField ? HMC5883LMap.Gain.size(at: index) { $0.microtesla } : nil
  }

  public static func rate(at index: Int, of codes: HMC5883LConfiguration) -> Scalar? {
    (0...6).contains(index) ? HMC5883LMap.Rate(rawValue: UInt8(6 - index))?.hertz : nil
  }

  public enum StartStep: UInt8, ChipStep {
    case identityA, identityB, configuration, firstMeasurement, measured
  }

  /// The chip has no reset command. The first measurement still uses the previous gain (data sheet,
  /// "operational examples") and is discarded; the end of this measurement shows that the chip
  /// works.
  public static func start(
    _ driver: inout HMC5883L<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = HMC5883LMap()
    switch step {
    case .identityA: return .identify(by: map.identificationA)
    case .identityB:
      let second = try driver.bus.read(map.identificationB).raw
      guard second == 0x34 || driver.codes.readout.assumedIdentity != nil else {
        throw .identity(found: second, register: map.identificationB.address)
      }
      return .next
    case .configuration: return .configure()
    case .firstMeasurement: return .write(map.mode, wait: longest) { $0.mode(.single) }
    case .measured:
      return try driver.expect(
        map.status.change { $0.ready(true) }, in: map.status.address, each: 1000, times: 40)
    }
  }

  /// The interval between verifications of a configuration register: both registers are verified
  /// within 200 ms.
  public static var verification: Verification { Verification(every: .milliseconds(90)) }

  public static func discardOldSamples(
    _ driver: inout HMC5883L<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) { try readOutputs(&driver, into: &batch) }

  public static func measure(_ driver: inout HMC5883L<some ChipBus>) throws(ChipError) {
    try driver.bus.set(HMC5883LMap().mode) { $0.mode(.single) }
  }

  /// Reads all six output bytes in one burst. The chip does not update these bytes until all have
  /// been read.
  public static func readOutputs(
    _ driver: inout HMC5883L<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    try driver.read(first: 6, from: HMC5883LMap().x.first, into: &batch)
    batch.frameSize = 6
    batch.format[0] = driver.codes.gain.rawValue
  }

  public static func sleep(_ driver: inout HMC5883L<some ChipBus>) throws(ChipError) {
    try driver.bus.set(HMC5883LMap().mode) { $0.mode(.idle) }
  }
}

/// Decodes the HMC5883L's frames: X, Z, Y, high byte first.
public struct HMC5883LDecoder: FrameDecoder {
  public typealias Codes = HMC5883LConfiguration

  private let gain: HMC5883LMap.Gain

  public init(_ batch: borrowing RawBatch) {
    gain = HMC5883LMap.Gain(rawValue: batch.format[0]) ?? .mG1300
  }

  /// Returns one reading. If an axis overflowed, its word is -4096 (data sheet, "data output X
  /// registers"; Linux and PX4 check for this value too) and the magnetic field is absent.
  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    let counts = batch.bigEndianVector(frame, 0)
    var reading = ChipReading(channels: .magneticField)
    reading.magneticField = Vector3(counts.x, counts.z, counts.y) / gain.countsPerMicrotesla
    if let fault = batch.uniformity(frame, 0, 6) {
      reading.reject(.magneticField, fault)
    } else if counts.x <= -4096 || counts.y <= -4096 || counts.z <= -4096 {
      reading.reject(.magneticField, .overflow)
    }
    return reading
  }
}

extension HMC5883LChip {
  /// The manufacturer's self-test (data sheet, "self test operation"): a built-in field of about
  /// 1.1 gauss on each axis, from which the chip subtracts the ambient field. The self-test uses
  /// gain 5; the first of five measurements still has the old gain.
  public enum SelfTest: ChipSelfTest {
    public enum Step: UInt8, ChipStep { case field, gain, samples, noField }

    public static func action(
      _ driver: inout HMC5883L<some ChipBus>, at step: Step
    ) throws(ChipError) -> StepAction {
      let map = HMC5883LMap()
      switch step {
      case .field:
        return .write(map.configurationA) {
          $0.averaging(.samples8) | $0.rate(.hz15) | $0.bias(.positive)
        }
      case .gain: return .write(map.configurationB) { $0(.mG4700) }
      case .samples:
        try measure(&driver)
        return .collect(5, wait: longest, each: longest)
      case .noField: return .write(map.configurationA) { $0.averaging(.samples1) | $0.rate(.hz15) }
      }
    }

    public static func read(
      _ driver: inout HMC5883L<some ChipBus>, at step: Step, into batch: inout RawBatch
    ) throws(ChipError) {
      try readOutputs(&driver, into: &batch)
      if driver.testProgress.take() { driver.testProgress.sums[0] += batch.bigEndianVector(0, 0) }
      try measure(&driver)
    }

    /// Returns the results of the self-test. The limits are 243 to 575 counts at gain 5 on each
    /// axis (specifications); an axis that overflowed is far below these limits.
    public static func report(of driver: borrowing HMC5883L<some ChipBus>) -> SelfTestReport {
      let scale = HMC5883LMap.Gain.mG4700.countsPerMicrotesla
      let mean = driver.testProgress.sums[0] / (4 * scale)
      let limits = 243 / scale...575 / scale
      var report = SelfTestReport()
      report.append(
        .magneticField, Vector3(mean.x, mean.z, mean.y), x: limits, y: limits, z: limits)
      return report
    }
  }
}
