// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the EX1, a magnetometer that is polled.
public typealias EX1<Bus: ChipBus> = RegisterDriver<EX1Chip, Bus>

/// Describes to the engine what is peculiar to the EX1.
public struct EX1Chip: SampledChip {
  public typealias Decoder = EX1Decoder

  public init() {}

  public static var channels: ChannelSet { .magneticField }

  public static func range(of channel: Channel, at index: Int, of codes: Codes) -> Scalar? {
    channel == .magneticField && index == 0 ? range : nil
  }

  public enum StartStep: UInt8, ChipStep { case identity, reset, resetOver, configuration }

  /// A reset takes 1 ms.
  public static func start(
    _ driver: inout EX1<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    switch step {
    case .identity: .identify(by: EX1Map().whoAmI)
    case .reset: .write(EX1Map().control, wait: 1000) { $0.reset(true) }
    case .resetOver: .poll(EX1Map().control, each: 1000, times: 10) { $0.reset(false) }
    case .configuration: .configure()
    }
  }

  /// A chip that lost its supply is to be found within 200 ms.
  public static var verification: Verification { Verification(every: .milliseconds(100)) }

  /// Reads status and field in one burst.
  public static func readSample(
    _ driver: inout EX1<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let status = try driver.readFrame(of: 6, after: EX1Map().status, into: &batch)
    return SampleStatus(
      isReady: status({ $0.dataReady }) == true, isOverrun: status({ $0.overrun }) == true)
  }

  public static func sleep(_ driver: inout EX1<some ChipBus>) throws(ChipError) {
    try driver.bus.set(EX1Map().control) { $0.isRunning(false) }
  }
}

/// Converts the EX1's frames to physical values.
public struct EX1Decoder: FrameDecoder {
  public typealias Codes = EX1Configuration

  public init(_ batch: borrowing RawBatch) {}

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .magneticField)
    reading.magneticField = batch.littleEndianVector(frame, 0) / EX1Chip.countsPerMicrotesla
    return reading
  }
}
