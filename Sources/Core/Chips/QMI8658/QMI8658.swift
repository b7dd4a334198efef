// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the QMI8658A and QMI8658C, three-axis accelerometers and gyroscopes with a
/// data-ready pin.
///
/// The FIFO is not used, because the chip discards new samples while the host reads the FIFO
/// (section 8.7). Instead, the driver reads the output registers and locks them during the read, so
/// that all bytes come from one sample.
public typealias QMI8658<Bus: ChipBus> = RegisterDriver<QMI8658Chip, Bus>

/// The chip-specific parts of the driver.
public struct QMI8658Chip: SampledChip {
  public typealias Decoder = QMI8658Decoder

  /// The responses of the accelerometer and the gyroscope in a self-test, in counts.
  var responses = InlineArray<2, Vector3>(repeating: .zero)

  public init() {}

  public static func channels(of codes: QMI8658Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.hasGyro ? channels : [.acceleration, .temperature] }

  public enum StartStep: UInt8, ChipStep {
    case identity, reset, resetOver, handshake, gating, command, commandDone, acknowledgement
    case acknowledged, configuration
  }

  public static func start(
    _ driver: inout QMI8658<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = QMI8658Map()
    return switch step {
    case .identity: .identify(by: map.whoAmI)
    case .reset: reset
    case .resetOver: hasReset
    // A command has ended when STATUSINT reports its end. The chip then waits for an
    // acknowledgement of the command (section 5.10.1).
    case .handshake: .write(map.motionControl) { $0.handshakeByStatus(true) }
    // The lock of the output registers works only if the gating of the chip's clock is disabled
    // (section 13.2.1).
    case .gating: .write(map.parameters.first) { $0.value(1) }
    case .command: command(.clockGating)
    case .commandDone: try expect(&driver, each: 1000, times: 50) { $0.commandDone(true) }
    case .acknowledgement: command(.acknowledge)
    case .acknowledged: try expect(&driver, each: 1000, times: 50) { $0.commandDone(false) }
    case .configuration: .configure(wait: driver.codes.turnOn)
    }
  }

  /// Waits until bits of STATUSINT have the given values.
  private static func expect(
    _ driver: inout QMI8658<some ChipBus>, each interval: UInt32, times: UInt16,
    _ fields: (QMI8658Map.InterruptStatus) -> Change
  ) throws(ChipError) -> StepAction {
    let register = QMI8658Map().interruptStatus
    return try driver.expect(
      register.change(fields), in: register.address, each: interval, times: times)
  }

  private static func command(_ command: QMI8658Map.Command) -> StepAction {
    .write(QMI8658Map().command, wait: 1000) { $0.value(command.rawValue) }
  }

  /// The step that resets the chip. A reset typically takes 15 ms (table 7).
  static var reset: StepAction {
    .write(QMI8658Map().reset, wait: 16_000) { $0.value(QMI8658Map.softReset) }
  }

  static var hasReset: StepAction {
    .poll(QMI8658Map().resetResult, each: 5000, times: 20) { $0.value(0x80) }
  }

  public static func verifiedRow(
    _ index: Int, of driver: borrowing QMI8658<some ChipBus>
  ) -> RegisterValue? {
    guard let row = driver.row(index / 2) else { return nil }
    return index & 1 == 0 ? driver.codes.running : row
  }

  /// The interval between the verifications of two configuration registers. Every second verified
  /// register is the register that starts the sensors, which a supply failure clears.
  public static var verification: Verification { Verification(every: .milliseconds(80)) }

  /// Reads a sample if one is available. This is checked even at an interrupt edge, because another
  /// program may already have read the sample of that edge.
  public static func readSample(
    _ driver: inout QMI8658<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    guard try locksSample(&driver) else { return SampleStatus(isReady: false) }
    // The sample was available at the interrupt edge, or else at the poll.
    let seen = driver.hasEdge ? driver.lastStep : driver.now
    try driver.readFrame(
      of: driver.codes.hasGyro ? frameSize : accelFrameSize,
      from: QMI8658Map().temperature.first, into: &batch)
    return SampleStatus(
      isReady: true, isOverrun: driver.clock.samplesElapsed(at: seen) > 1, seen: seen)
  }

  /// Reads STATUSINT, which locks an available sample until its last byte is read (section 13.2.3),
  /// and waits for the lock. Returns true if a sample is available.
  ///
  /// The lock takes up to 12 us, and up to 0.1 ms in low power (tables 40 and 41; the ph-qmi8658
  /// crate waits for the same times). Over I2C the address of the next read takes longer than 12
  /// us. If the lock does not come, the sample is read without it.
  private static func locksSample(
    _ driver: inout QMI8658<some ChipBus>
  ) throws(ChipError) -> Bool {
    let register = QMI8658Map().interruptStatus
    var status = try driver.bus.read(register)
    guard status({ $0.available }) == true else { return false }
    guard driver.bus.isSPI || !driver.codes.hasGyro else { return true }
    var reads = 0
    while status({ $0.locked }) != true, reads < lockReads {
      status = try driver.bus.read(register)
      reads += 1
    }
    return true
  }

  /// The largest number of reads that wait for the lock.
  private static var lockReads: Int { 16 }

  public static func describe(_ batch: inout RawBatch, of driver: borrowing QMI8658<some ChipBus>) {
    driver.codes.describe(&batch)
  }

  public static func sleep(_ driver: inout QMI8658<some ChipBus>) throws(ChipError) {
    try driver.bus.set(QMI8658Map().sensors) { $0.accelEnable(false) }
  }

  /// The size in bytes of a sample with temperature, accelerometer and gyroscope, low byte first,
  /// and the size of a sample without the gyroscope.
  static var frameSize: Int { 14 }
  static var accelFrameSize: Int { 8 }
}

/// Decodes the frames to physical values.
public struct QMI8658Decoder: FrameDecoder {
  public typealias Codes = QMI8658Configuration

  private let units: InertialUnits<Codes>
  private let hasGyro: Bool

  public init(_ batch: borrowing RawBatch) {
    units = InertialUnits(batch)
    hasGyro = batch.frameSize == QMI8658Chip.frameSize
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(
      channels: hasGyro ? QMI8658Chip.channels : [.acceleration, .temperature])
    reading.temperature = Scalar(Int(batch.littleEndian(frame, 0))) / 256
    reading.specificForce = batch.littleEndianVector(frame, 2) * units.gPerCount
    InertialThermometer.check(&reading)
    guard hasGyro else { return reading }
    reading.rotationRate = batch.littleEndianVector(frame, 8) * units.radiansPerCount
    if let fault = batch.uniformity(frame, 2, 12) { reading.reject(reading.channels, fault) }
    return reading
  }

  /// The measuring range of the thermometer from table 18.
  public static func limits(of channel: Channel, of part: QMI8658Part) -> ClosedRange<Scalar>? {
    channel == .temperature ? InertialThermometer.limits : nil
  }
}

extension QMI8658Chip {
  /// The manufacturer's self-test (section 15; SensorLib has the same steps and limits). The chip
  /// applies the stimulus itself and returns the response.
  public enum SelfTest: ChipSelfTest {
    public enum Step: UInt8, ChipStep {
      case interface, disabled, accelStart, accelDone, accelResult, accelOver, gyroStart, gyroDone
      case gyroResult, gyroOver, reset, resetOver
    }

    public static func action(
      _ driver: inout QMI8658<some ChipBus>, at step: Step
    ) throws(ChipError) -> StepAction {
      let map = QMI8658Map()
      switch step {
      case .interface: return .write(map.interface) { $0.addressIncrement(true) }
      case .disabled: return .write(map.sensors, wait: 10_000) { $0.accelEnable(false) }
      case .accelStart:
        return .write(map.accelConfig, wait: 25_000) { $0.selfTest(true) | $0.rate(.hz896_8) }
      case .gyroStart:
        driver.chip.responses[0] = try response(&driver)
        return .write(map.gyroConfig, wait: 400_000) { $0.selfTest(true) }
      case .accelDone, .gyroDone:
        return try expect(&driver, each: 5000, times: 100) { $0.available(true) }
      case .accelResult:
        try driver.bus.set(map.accelConfig) { $0.rate(.hz896_8) }
        return .wait(1000)
      case .gyroResult:
        try driver.bus.set(map.gyroConfig) { $0.selfTest(false) }
        return .wait(1000)
      case .accelOver, .gyroOver:
        return try expect(&driver, each: 1000, times: 50) { $0.available(false) }
      case .reset:
        driver.chip.responses[1] = try response(&driver)
        return QMI8658Chip.reset
      case .resetOver: return hasReset
      }
    }

    private static func response(
      _ driver: inout QMI8658<some ChipBus>
    ) throws(ChipError) -> Vector3 {
      let bytes: InlineArray<6, UInt8> = try driver.bus.bytes(from: QMI8658Map().response.first)
      func count(_ axis: Int) -> Scalar {
        Scalar(Int(Int16(bitPattern: UInt16(bytes[2 * axis + 1]) << 8 | UInt16(bytes[2 * axis]))))
      }
      return Vector3(count(0), count(1), count(2))
    }

    public static func read(
      _ driver: inout QMI8658<some ChipBus>, at step: Step, into batch: inout RawBatch
    ) throws(ChipError) {}

    /// Returns the responses, which have 2048 counts per g and 16 counts per degree per second. The
    /// chip passes if the responses are at least 200 mg and 300 degrees per second. The upper
    /// limits are the largest values that fit into 16 bits.
    public static func report(of driver: borrowing QMI8658<some ChipBus>) -> SelfTestReport {
      var report = SelfTestReport()
      let responses = driver.chip.responses
      report.append(.acceleration, change: responses[0] / 2048, within: 0.2...16)
      report.append(
        .rotationRate, change: responses[1] * (radians(fromDegrees: 1) / 16),
        within: radians(fromDegrees: 300)...radians(fromDegrees: 2048))
      return report
    }
  }
}
