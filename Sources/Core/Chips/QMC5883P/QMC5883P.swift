// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the QMC5883P, the three-axis magnetometer on current GY-271 and GY-87 modules.
/// The chip has no data-ready pin.
public typealias QMC5883P<Bus: ChipBus> = RegisterDriver<QMC5883PChip, Bus>

/// The chip-specific parts of the driver.
public struct QMC5883PChip: SampledChip {
  public typealias Decoder = QMC5883PDecoder

  public init() {}

  public static var channels: ChannelSet { .magneticField }

  public static func range(of channel: Channel, at index: Int, of codes: QMC5883PConfiguration)
    -> Scalar?
  {
    channel == .magneticField ? QMC5883PMap.FullScale.size(at: index) { $0.microtesla } : nil
  }

  public static func rate(at index: Int, of codes: QMC5883PConfiguration) -> Scalar? {
    (0...3).contains(index) ? QMC5883PMap.Rate(rawValue: UInt8(3 - index))?.hertz : nil
  }

  public enum StartStep: UInt8, ChipStep {
    case identity, reset, resetCleared, resetOver, axisSigns, configuration
  }

  /// Returns what the engine does in a step of the start. No document says that the reset bit
  /// clears itself, so the driver clears the bit after a wait. The wait is the same as in INAV's
  /// driver.
  public static func start(
    _ driver: inout QMC5883P<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = QMC5883PMap()
    switch step {
    case .identity: return .identify(by: map.chipID)
    case .reset: return .write(map.control2, wait: 30_000) { $0.softReset(true) }
    case .resetCleared: return .write(map.control2) { _ in .nothing }
    case .resetOver: return .poll(map.control2, each: 10_000, times: 20) { $0.softReset(false) }
    // This value selects the axes of the drawing in the data sheet (section 7; INAV writes the same
    // value, ArduPilot has exchanged address and value). The value is not verified, because no
    // document says that this register can be read.
    case .axisSigns: return .write(map.axisSigns) { $0.value(0x06) }
    case .configuration: return .configure()
    }
  }

  /// The interval between verifications. The register that a supply failure clears is verified
  /// within 100 ms.
  public static var verification: Verification {
    Verification(every: .milliseconds(50), runningRow: 1)
  }

  /// Reads the status, then the outputs. The status comes first, because a read of the status
  /// clears the flag. If the status were read after the outputs, the flag could belong to a newer
  /// sample, which would then be lost. The chip has no overrun flag: lost samples are counted from
  /// the elapsed time.
  public static func readSample(
    _ driver: inout QMC5883P<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let map = QMC5883PMap()
    let status = try driver.bus.read(map.status)
    guard status({ $0.dataReady }) == true else { return SampleStatus(isReady: false) }
    let seen = driver.now
    try driver.read(first: 6, from: map.out.first, into: &batch)
    batch.frameSize = 6
    batch.format[0] = driver.codes.fullScale.rawValue
    batch.format[1] = status.raw
    return SampleStatus(isReady: true, isOverrun: true, seen: seen)
  }

  public static func sleep(_ driver: inout QMC5883P<some ChipBus>) throws(ChipError) {
    try driver.bus.set(QMC5883PMap().control1) { $0.mode(.suspend) }
  }
}

/// Decodes the QMC5883P's frames to physical values.
public struct QMC5883PDecoder: FrameDecoder {
  public typealias Codes = QMC5883PConfiguration

  private let countsPerMicrotesla: Scalar
  private let hasField: Bool

  public init(_ batch: borrowing RawBatch) {
    countsPerMicrotesla =
      (QMC5883PMap.FullScale(rawValue: batch.format[0]) ?? .gauss30).countsPerMicrotesla
    hasField = QMC5883PMap().status.contents(batch.format[1])({ $0.overflow }) != true
  }

  /// Returns one reading. If an axis overflowed, the magnetic field is absent from the reading.
  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .magneticField)
    reading.magneticField = batch.littleEndianVector(frame, 0) / countsPerMicrotesla
    if let fault = batch.uniformity(frame, 0, 6) {
      reading.reject(.magneticField, fault)
    } else if !hasField {
      reading.reject(.magneticField, .overflow)
    }
    return reading
  }
}
