// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the ICM-42688-P: three-axis accelerometer and gyroscope with a 2 kB FIFO, over a
/// `BankedBus`.
///
/// In low power only the accelerometer runs. With the widest ranges the FIFO has 20 bits per axis.
/// Sample times are from the host's clock.
public typealias ICM42688P<Bus: ChipBus> = RegisterDriver<ICM42688PChip, Bus>

/// The chip-specific parts of the driver.
public struct ICM42688PChip: ReadyFlagChip {
  public typealias Decoder = ICM42688PDecoder

  /// The factory's self-test codes of the gyroscope and the accelerometer; 0 means that there is no
  /// code.
  var trialCodes = InlineArray<6, UInt8>(repeating: 0)

  public init() {}

  public static func channels(of codes: ICM42688PConfiguration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.hasGyro ? channels : [.acceleration, .temperature] }

  public enum StartStep: UInt8, ChipStep { case identity, reset, resetOver, configuration }

  public static func start(
    _ driver: inout ICM42688P<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> ChipTask {
    switch step {
    case .identity: .identify(by: ICM42688PMap().whoAmI)
    case .reset: reset
    case .resetOver: hasReset
    case .configuration: .configure(wait: ICM42688PTiming.start)
    }
  }

  static var reset: ChipTask {
    .write(ICM42688PMap().deviceConfig, wait: ICM42688PTiming.reset) { $0.softReset(true) }
  }

  static var hasReset: ChipTask {
    .poll(ICM42688PMap().intStatus, each: ICM42688PTiming.reset, times: ICM42688PTiming.resetPolls)
    { $0.resetDone(true) }
  }

  public static func line(
    _ index: Int, of driver: borrowing ICM42688P<some ChipBus>
  ) -> RegisterValue? { driver.codes.line(index, isSPI: driver.bus.isSPI) }

  public static func heldLine(
    _ index: Int, of driver: borrowing ICM42688P<some ChipBus>
  ) -> RegisterValue? {
    guard let line = driver.line(index / 2) else { return nil }
    return index & 1 == 0 ? driver.codes.running : line
  }

  public static var verification: Verification {
    Verification(every: ICM42688PTiming.verification)
  }

  /// The FIFO is read at its watermark, or by its count of packets where the interrupt line signals
  /// each sample.
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

    public static func wake(_ driver: borrowing ICM42688P<some ChipBus>) -> NextStep {
      driver.announcesSamples ? driver.countWake : driver.watermarkWake
    }

    /// Reads the status and then the FIFO's count. A margin of three packets covers samples that
    /// arrive between the read of the count and the read of the packets; otherwise the chip could
    /// drop the oldest sample undetected.
    public static func look(
      _ driver: inout ICM42688P<some ChipBus>
    ) throws(ChipError) -> QueueLook {
      let map = ICM42688PMap()
      let head: InlineArray<3, UInt8> = try driver.bus.bytes(from: map.intStatus)
      let (bytes, size) = (Int(head[1]) << 8 | Int(head[2]), driver.codes.frame.size)
      return QueueLook(
        waiting: bytes / size,
        isOverrun: map.intStatus.contents(head[0])({ $0.full }) == true
          || bytes > fifoSize - 3 * size)
    }
  }

  /// Clears the FIFO, or discards a sample taken while the sensors settled.
  public static func flush(
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
    if driver.isTold { _ = try driver.bus.read(ICM42688PMap().intStatus) }
    try driver.readFrame(
      of: driver.codes.frame.size, from: ICM42688PMap().temperature.first, into: &batch)
  }

  /// Describes a batch. If a packet has an unexpected header, all frames of the read are dropped.
  public static func describe(
    _ batch: inout RawBatch, of driver: borrowing ICM42688P<some ChipBus>
  ) {
    let frame = driver.codes.frame
    driver.codes.describe(&batch, part: frame.rawValue)
    guard driver.acquires(.fifo), frame.isPacket else { return }
    for index in 0..<batch.frames where batch.byte(index * frame.size) & 0xFC != frame.header {
      batch.frames = 0
      return
    }
  }

  public static func sleep(_ driver: inout ICM42688P<some ChipBus>) throws(ChipError) {
    try driver.bus.set(ICM42688PMap().power) { $0.gyro(.off) | $0.accel(.off) }
  }
}

/// Decodes the ICM-42688-P's frames to physical values.
public struct ICM42688PDecoder: FrameDecoder {
  public typealias Codes = ICM42688PConfiguration

  private let gPerCount: Scalar
  private let radiansPerCount: Scalar
  private let frame: ICM42688PFrame

  public init(_ batch: borrowing RawBatch) {
    let units = InertialUnits<Codes>(batch)
    frame = ICM42688PFrame(rawValue: batch.part) ?? .registers
    gPerCount = units.gPerCount
    // FIFO packets have 19 significant bits of rotation rate with 131 counts per degree per second
    // (table 1), transferred as 20 bits.
    radiansPerCount =
      frame == .packet4 ? radians(fromDegrees: 1) / (131.0 / 8) : units.radiansPerCount
  }

  /// Returns the physical values of a frame. A sensor for which the frame has no data is left out.
  public func reading(_ batch: borrowing RawBatch, _ index: Int) -> ChipReading {
    var reading = ChipReading(channels: [])
    // In a register frame the temperature precedes the sensors; in a packet the header does.
    let place = frame.isPacket ? 1 : 2
    let start = index * frame.size
    var force = batch.bigEndianVector(index, place)
    if frame == .packet4 { force += rest(batch, start, shift: 4) }
    if force.isData {
      reading.specificForce = force * gPerCount
      reading.channels = .acceleration
    } else {
      reading.reject(.acceleration, .noData)
    }
    if frame.hasGyro {
      var turn = batch.bigEndianVector(index, place + 6)
      if frame == .packet4 { turn += rest(batch, start, shift: 0) }
      if turn.isData {
        reading.rotationRate = turn * radiansPerCount
        reading.channels.insert(.rotationRate)
      } else {
        reading.reject(.rotationRate, .noData)
      }
    }
    guard !reading.channels.isEmpty else { return reading }
    if frame.hasGyro, let fault = batch.uniformity(index, place, 12) {
      reading.reject(reading.channels, fault)
      return reading
    }
    reading.channels.insert(.temperature)
    switch frame {
    case .packet1, .packet3:
      // The eight-bit temperature in a packet has 2.07 counts per degree Celsius (section 6.1).
      let counts = Int8(bitPattern: batch.byte(start + (frame == .packet1 ? 7 : 13)))
      reading.temperature = 25 + Scalar(Int(counts)) / 2.07
    default:
      // The temperature has 132.48 counts per degree Celsius and is 0 at 25 degrees (section 4.13).
      let counts = batch.bigEndian(index, frame == .packet4 ? 13 : 0)
      reading.temperature = 25 + Scalar(Int(counts)) / 132.48
    }
    InertialThermometer.check(&reading)
    return reading
  }

  public func invalidFrames(_ batch: borrowing RawBatch) -> Int {
    let place = frame.isPacket ? 1 : 2
    let words = frame.hasGyro ? 6 : 3
    var count = 0
    for index in 0..<batch.frames where hasInvalid(batch, index, place, words) { count += 1 }
    return count
  }

  private func hasInvalid(
    _ batch: borrowing RawBatch, _ index: Int, _ place: Int, _ words: Int
  ) -> Bool {
    for word in 0..<words where batch.bigEndian(index, place + 2 * word) == .min { return true }
    return words == 6 && batch.uniformity(index, place, 12) != nil
  }

  /// Returns the four lowest bits of each axis, in sixteenths of a count.
  private func rest(_ batch: borrowing RawBatch, _ start: Int, shift: UInt8) -> Vector3 {
    func part(_ axis: Int) -> Scalar {
      Scalar(Int(batch.byte(start + 17 + axis) >> shift & 0x0F)) / 16
    }
    return Vector3(part(0), part(1), part(2))
  }

  public static func limits(of channel: Channel, of part: ICM42688PPart) -> ClosedRange<Scalar>? {
    channel == .temperature ? InertialThermometer.limits : nil
  }
}

extension Vector3 {
  /// True unless an axis has the code that means "no data": -32768, or -524288 with 20 bits, whose
  /// first 16 bits are the same. The chip writes this code before a sensor's first sample, and into
  /// the FIFO for a sensor that is off or slower. Measurements are never below -32766 (section
  /// 14.34, FIFO_HOLD_LAST_DATA_EN; PX4's driver, and Zephyr's for 20 bits, drop these samples
  /// too).
  fileprivate var isData: Bool { min(x, min(y, z)) > -32768 }
}
