// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the QMC5883L, the three-axis magnetometer on most modules sold as HMC5883L.
public typealias QMC5883L<Bus: ChipBus> = RegisterDriver<QMC5883LChip, Bus>

/// The chip-specific parts of the driver.
public struct QMC5883LChip: SampledChip {
  public typealias Decoder = QMC5883LDecoder

  public init() {}

  public static var channels: ChannelSet { .magneticField }

  public static func range(of channel: Channel, at index: Int, of codes: QMC5883LConfiguration)
    -> Scalar?
  {
    channel == .magneticField ? QMC5883LMap.FullScale.size(at: index) { $0.microtesla } : nil
  }

  public static func rate(at index: Int, of codes: QMC5883LConfiguration) -> Scalar? {
    (0...3).contains(index) ? QMC5883LMap.Rate(rawValue: UInt8(3 - index))?.hertz : nil
  }

  public enum StartStep: UInt8, ChipStep { case identity, reset, resetOver, configuration }

  /// Returns what the engine does in a step of the chip's start. The identity can be read only
  /// after a read of register 0, as PX4 and ArduPilot found.
  public static func start(
    _ driver: inout QMC5883L<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = QMC5883LMap()
    switch step {
    case .identity:
      _ = try driver.bus.read(map.out.first)
      return .identify(by: map.chipID)
    case .reset: return .write(map.control2, wait: 10_000) { $0.softReset(true) }
    case .resetOver: return .poll(map.control2, each: 10_000, times: 20) { $0.softReset(false) }
    case .configuration: return .configure()
    }
  }

  /// The interval between verifications. The register that a supply failure clears is verified
  /// within 200 ms.
  public static var verification: Verification {
    Verification(every: .milliseconds(50), runningRow: 2)
  }

  /// Reads the data registers and the status register, which follows them, in one burst. Reading
  /// the data clears the status.
  public static func readSample(
    _ driver: inout QMC5883L<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let map = QMC5883LMap()
    let status = try driver.bus.read(map.status)
    guard status({ $0.dataReady }) == true else { return SampleStatus(isReady: false) }
    let seen = driver.now
    try driver.read(first: 6, from: map.out.first, into: &batch)
    batch.frameSize = 6
    batch.format[0] = driver.codes.fullScale.rawValue
    batch.format[1] = status.raw
    return SampleStatus(isReady: true, isOverrun: status({ $0.skipped }) == true, seen: seen)
  }

  public static func sleep(_ driver: inout QMC5883L<some ChipBus>) throws(ChipError) {
    try driver.bus.set(QMC5883LMap().control1) { $0.mode(.standby) }
  }
}

/// Decodes the QMC5883L's frames to physical values.
public struct QMC5883LDecoder: FrameDecoder {
  public typealias Codes = QMC5883LConfiguration

  private let countsPerMicrotesla: Scalar
  private let hasField: Bool

  public init(_ batch: borrowing RawBatch) {
    countsPerMicrotesla =
      (QMC5883LMap.FullScale(rawValue: batch.format[0]) ?? .gauss2).countsPerMicrotesla
    hasField = QMC5883LMap().status.contents(batch.format[1])({ $0.overflow }) != true
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
