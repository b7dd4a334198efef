// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The driver for the AK8963 and the AK09916, which are the magnetometers inside the MPU-9250 and
/// the ICM-20948.
public typealias AK8963<Bus: ChipBus> = RegisterDriver<AK8963Chip, Bus>

/// The chip-specific parts of the driver.
public struct AK8963Chip: SampledChip {
  public typealias Decoder = AK8963Decoder

  /// The factory's sensitivity adjustments of x, y and z; 128 means a factor of 1.
  var adjustment: InlineArray<3, UInt8> = [128, 128, 128]

  public init() {}

  /// The steps of the magnetometer's start. The AK8963's factory adjustments can be read only in
  /// its fuse ROM mode.
  public enum StartStep: UInt8, ChipStep {
    case identity, reset, resetOver, fuseROM, adjustments, configuration
  }

  public static func start(
    _ driver: inout AK8963<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = AK8963Map()
    let isFirst = driver.codes.part == .ak8963
    let reset = isFirst ? map.control2 : AK09916Map().control3
    switch step {
    case .identity: return .identify(by: isFirst ? map.whoAmI : AK09916Map().whoAmI)
    case .reset: return .write(reset, wait: AK8963Timing.reset) { $0.softReset(true) }
    case .resetOver:
      return .poll(reset, each: AK8963Timing.reset, times: AK8963Timing.resetPolls) {
        $0.softReset(false)
      }
    case .fuseROM where isFirst:
      return .write(map.control1, wait: AK8963Timing.mode) { $0.mode(.fuseROM) }
    case .adjustments where isFirst:
      driver.chip.adjustment = try driver.bus.bytes(from: map.adjustX)
      return .write(map.control1, wait: AK8963Timing.mode) { $0.mode(.powerDown) }
    case .fuseROM, .adjustments: return .next
    case .configuration: return .configure()
    }
  }

  public static func row(_ index: Int, of driver: borrowing AK8963<some ChipBus>) -> RegisterValue?
  { index == 0 ? driver.codes.mode : nil }

  public static var verification: Verification {
    Verification(every: AK8963Timing.verification)
  }

  /// Reads the status register first, and the data only if there is a new sample. The chip does not
  /// update its data during a read, so an early poll that also read data would lose the sample. The
  /// read ends with ST2, which releases the next sample.
  public static func readSample(
    _ driver: inout AK8963<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let isFirst = driver.codes.part == .ak8963
    let status = try driver.bus.read(isFirst ? AK8963Map().status1 : AK09916Map().status1)
    guard status({ $0.dataReady }) == true else { return SampleStatus(isReady: false) }
    // The AK09916 has a dummy register between the data and ST2, which the burst includes.
    let register = isFirst ? AK8963Map().out.first : AK09916Map().out.first
    try driver.read(first: isFirst ? 7 : 8, from: register, into: &batch)
    if AK8963Decoder.isOverflow(batch.byte(isFirst ? 6 : 7)) {
      (batch.bytes[0], batch.bytes[1]) = AK8963Decoder.overflowBytes
    }
    batch.frameSize = frameSize
    for axis in 0..<3 {
      batch.format[AK8963Decoder.Format.adjustment + axis] = driver.chip.adjustment[axis]
    }
    batch.format[AK8963Decoder.Format.isNarrow] = driver.codes.isWide ? 0 : 1
    return SampleStatus(isReady: true, isOverrun: status({ $0.overrun }) == true)
  }

  public static func sleep(_ driver: inout AK8963<some ChipBus>) throws(ChipError) {
    try driver.powerDown()
  }
}

extension RegisterDriver where Chip == AK8963Chip, Bus: ~Copyable {
  mutating func powerDown() throws(ChipError) {
    switch part {
    case .ak8963: try bus.set(AK8963Map().control1) { $0.mode(.powerDown) }
    case .ak09916: try bus.set(AK09916Map().control2) { $0(.powerDown) }
    }
  }
}

/// Decodes the family's frames to physical values.
public struct AK8963Decoder: FrameDecoder {
  public typealias Codes = AK8963Configuration

  /// The positions, in a batch's format, of the factory adjustments of x, y and z, and of the flag
  /// for 14-bit words.
  enum Format {
    static var adjustment: Int { 0 }
    static var isNarrow: Int { 3 }
  }

  /// The microtesla per count, for each axis.
  private let scale: Vector3

  public init(_ batch: borrowing RawBatch) { self.init(batch, from: 0) }

  /// Creates the decoder for a batch; the four bytes described by `Format` start at position
  /// `first` of the batch's format.
  init(_ batch: borrowing RawBatch, from first: Int) {
    let count = AK8963Chip.microteslaPerCount * (batch.format[first + Format.isNarrow] == 0 ? 1 : 4)
    scale =
      Vector3(
        AK8963Chip.factor(of: batch.format[first]), AK8963Chip.factor(of: batch.format[first + 1]),
        AK8963Chip.factor(of: batch.format[first + 2])) * count
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .magneticField)
    let counts = batch.littleEndianVector(frame, 0)
    reading.magneticField = Vector3(counts.x * scale.x, counts.y * scale.y, counts.z * scale.z)
    if counts.x == Scalar(Self.overflow) {
      reading.reject(.magneticField, .overflow)
    } else if let fault = batch.uniformity(frame, 0, 6) {
      reading.reject(.magneticField, fault)
    }
    return reading
  }

  /// The value to which the driver sets x if the chip's second status says that the magnetic field
  /// exceeded the range (HOFL: MS1356-E-02 section 6.4.3.6, 015007392-E-02 section 9.4.3.5; Linux's
  /// ak8975 driver rejects such a sample). No measurement has this value, because measurements end
  /// at -32760.
  private static var overflow: Int16 { .min }

  /// Returns true if the second status reports that the magnetic field exceeded the range.
  static func isOverflow(_ status2: UInt8) -> Bool {
    // A status of 0xFF comes from a line that no chip drives.
    status2 != 0xFF && AK8963Map().status2.contents(status2)({ $0.overflow }) == true
  }

  /// The two bytes of x that mark a frame in which the magnetic field exceeded the range.
  static var overflowBytes: (UInt8, UInt8) { (0x00, 0x80) }
}

extension AK8963Chip {
  /// The manufacturer's self-test: one measurement of the field of a built-in coil (MS1356-E-02,
  /// section 6.4.5; 015007392-E-02, section 9.4.4).
  public enum SelfTest: ChipSelfTest {
    /// The steps of the self-test. Only the AK8963 has a register that enables the built-in coil.
    public enum Step: UInt8, ChipStep { case field, measurement, sample, noField, powerDown }

    public static func action(
      _ driver: inout AK8963<some ChipBus>, at step: Step
    ) throws(ChipError) -> StepAction {
      let map = AK8963Map()
      let isFirst = driver.part == .ak8963
      switch step {
      case .field where isFirst: return .write(map.selfTestControl) { $0(true) }
      case .measurement where isFirst:
        return .write(map.control1) { $0.isWide(true) | $0.mode(.selfTest) }
      case .measurement: return .write(AK09916Map().control2) { $0(.selfTest) }
      case .sample:
        return .collect(1, wait: AK8963Timing.measurement, each: AK8963Timing.pollInterval)
      case .noField where isFirst: return .write(map.selfTestControl) { $0(false) }
      case .field, .noField: return .next
      case .powerDown:
        try driver.powerDown()
        return .wait(AK8963Timing.mode)
      }
    }

    public static func read(
      _ driver: inout AK8963<some ChipBus>, at step: Step, into batch: inout RawBatch
    ) throws(ChipError) {
      if try readSample(&driver, into: &batch).isReady {
        batch.format[AK8963Decoder.Format.isNarrow] = 0
        if driver.testProgress.take(afterFirst: false) {
          driver.testProgress.sums[0] = AK8963Decoder.decode(batch, frame: 0).magneticField
        }
      } else if driver.testProgress.isHopeless(after: AK8963Timing.polls) {
        let isFirst = driver.part == .ak8963
        throw .unexpected(
          register: isFirst ? AK8963Map().status1.address : AK09916Map().status1.address,
          wanted: 0x01, found: 0)
      }
    }

    /// Returns the results of the self-test. The data sheets give the limits in adjusted counts.
    /// For x and y the limits are -200 to 200; for z -3200 to -800 (MS1356-E-02, section 8.4) or
    /// -1000 to -200 (015007392-E-02, section 9.4.4).
    public static func report(of driver: borrowing AK8963<some ChipBus>) -> SelfTestReport {
      var report = SelfTestReport()
      report.append(
        .magneticField, driver.testProgress.sums[0], x: -30...30, y: -30...30,
        z: driver.part == .ak8963 ? -480...(-120) : -150...(-30))
      return report
    }
  }
}
