// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the ICM-42688-P, a three-axis accelerometer and gyroscope with a 2 kB FIFO, over
/// a `BankedBus`.
///
/// In low power only the accelerometer runs. With the widest ranges the FIFO has 20 bits per axis.
/// Sample times are from the host's clock.
public typealias ICM42688P<Bus: ChipBus> = RegisterDriver<ICM42688PChip, Bus>

/// The chip-specific parts of the driver.
public struct ICM42688PChip: ReadyFlagChip {
  public typealias Decoder = ICM42688PDecoder

  /// The factory's self-test codes of the gyroscope and the accelerometer; 0 means that there is no
  /// code.
  var selfTestCodes = InlineArray<6, UInt8>(repeating: 0)

  public init() {}

  public static func channels(of codes: ICM42688PConfiguration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.hasGyro ? channels : [.acceleration, .temperature] }

  public enum StartStep: UInt8, ChipStep { case identity, reset, resetOver, configuration }

  public static func start(
    _ driver: inout ICM42688P<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    switch step {
    case .identity: .identify(by: ICM42688PMap().whoAmI)
    case .reset: reset
    case .resetOver: hasReset
    case .configuration: .configure(wait: ICM42688PTiming.start)
    }
  }

  static var reset: StepAction {
    .write(ICM42688PMap().deviceConfig, wait: ICM42688PTiming.reset) { $0.softReset(true) }
  }

  static var hasReset: StepAction {
    .poll(ICM42688PMap().intStatus, each: ICM42688PTiming.reset, times: ICM42688PTiming.resetPolls)
    { $0.resetDone(true) }
  }

  public static func row(
    _ index: Int, of driver: borrowing ICM42688P<some ChipBus>
  ) -> RegisterValue? { driver.codes.row(index, isSPI: driver.bus.isSPI) }

  public static func verifiedRow(
    _ index: Int, of driver: borrowing ICM42688P<some ChipBus>
  ) -> RegisterValue? {
    guard let row = driver.row(index / 2) else { return nil }
    return index & 1 == 0 ? driver.codes.running : row
  }

  public static var verification: Verification {
    Verification(every: ICM42688PTiming.verification)
  }

  /// The FIFO is read at its watermark. If the interrupt line signals each sample, the FIFO is read
  /// by its packet count instead.
  public enum Queue: WatermarkQueue, CountedQueue {
    public static func port(of driver: borrowing ICM42688P<some ChipBus>) -> UInt8 {
      ICM42688PMap().fifoData.address
    }

    public static func frameSize(of driver: borrowing ICM42688P<some ChipBus>) -> Int {
      driver.codes.frame.size
    }

    public static var count: UInt8 { ICM42688PMap().fifoCount.address }

    public static func size(of driver: borrowing ICM42688P<some ChipBus>) -> Int { fifoSize }

    public static var checksFrames: Bool { true }

    public static func drain(
      _ driver: inout ICM42688P<some ChipBus>, _ event: Event, at now: Timestamp,
      into batch: inout RawBatch
    ) throws(ChipError) {
      if driver.announcesSamples {
        try driver.drainCounted(event, at: now, into: &batch)
      } else {
        try driver.drainWatermarked(event, at: now, into: &batch)
      }
    }

    public static func nextStep(_ driver: borrowing ICM42688P<some ChipBus>) -> NextStep {
      driver.announcesSamples ? driver.nextCountPoll : driver.nextWatermarkPoll
    }

    /// Reads the status and then the FIFO's count. A margin of three packets covers samples that
    /// arrive between the read of the count and the read of the packets; otherwise the chip could
    /// drop the oldest sample undetected.
    public static func readFillLevel(
      _ driver: inout ICM42688P<some ChipBus>
    ) throws(ChipError) -> FillLevel {
      let map = ICM42688PMap()
      let head: InlineArray<3, UInt8> = try driver.bus.bytes(from: map.intStatus)
      let (bytes, size) = (Int(head[1]) << 8 | Int(head[2]), driver.codes.frame.size)
      return FillLevel(
        waiting: bytes / size,
        isOverrun: map.intStatus.contents(head[0])({ $0.full }) == true
          || bytes > fifoSize - 3 * size)
    }
  }

  /// Clears the FIFO, or discards a sample taken while the sensors settled.
  public static func discardOldSamples(
    _ driver: inout ICM42688P<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if driver.acquires(.fifo) {
      try driver.bus.set(ICM42688PMap().signalPathReset) { $0.fifoFlush(true) }
    }
    _ = try readSample(&driver, into: &batch)
  }

  public static func hasSample(_ driver: inout ICM42688P<some ChipBus>) throws(ChipError) -> Bool {
    try driver.bus.read(ICM42688PMap().intStatus)({ $0.dataReady }) == true
  }

  public static func readOutputs(
    _ driver: inout ICM42688P<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    // The interrupt flag is cleared only by a read of the status register.
    if driver.hasEdge { _ = try driver.bus.read(ICM42688PMap().intStatus) }
    try driver.readFrame(
      of: driver.codes.frame.size, from: ICM42688PMap().temperature.first, into: &batch)
  }

  /// Writes the format of a batch. If a packet has an unexpected header, all frames of the read are
  /// dropped.
  public static func describe(
    _ batch: inout RawBatch, of driver: borrowing ICM42688P<some ChipBus>
  ) {
    let frame = driver.codes.frame
    driver.codes.describe(&batch, part: frame.rawValue)
    if driver.acquires(.fifo) { frame.check(&batch) }
  }

  public static func sleep(_ driver: inout ICM42688P<some ChipBus>) throws(ChipError) {
    try driver.bus.set(ICM42688PMap().power) { $0.gyro(.off) | $0.accel(.off) }
  }
}

/// Decodes the ICM-42688-P's frames to physical values.
public struct ICM42688PDecoder: FrameDecoder {
  public typealias Codes = ICM42688PConfiguration

  private let packets: InvenSensePackets

  public init(_ batch: borrowing RawBatch) {
    let units = InertialUnits<Codes>(batch)
    // FIFO packets have 19 significant bits of rotation rate with 131 counts per degree per second
    // (table 1), transferred as 20 bits. The temperature has 132.48 counts per degree Celsius; the
    // eight-bit temperature in a packet has 2.07 (sections 4.13 and 6.1).
    packets = InvenSensePackets(
      batch, gPerCount: units.gPerCount, radiansPerCount: units.radiansPerCount,
      fineRadiansPerCount: radians(fromDegrees: 1) / (131.0 / 8), countsPerKelvin: 132.48,
      packetCountsPerKelvin: 2.07)
  }

  /// Returns the physical values of a frame. A sensor for which the frame has no data is left out.
  /// The code for "no data" is unambiguous, because measurements are never below -32766 (section
  /// 14.34, FIFO_HOLD_LAST_DATA_EN; PX4's driver, and Zephyr's for 20 bits, discard these samples
  /// too).
  public func reading(_ batch: borrowing RawBatch, _ index: Int) -> ChipReading {
    var reading = packets.reading(batch, index)
    InertialThermometer.check(&reading)
    return reading
  }

  public static func limits(of channel: Channel, of part: ICM42688PPart) -> ClosedRange<Scalar>? {
    channel == .temperature ? InertialThermometer.limits : nil
  }
}
