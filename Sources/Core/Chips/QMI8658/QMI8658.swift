// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the QMI8658A and QMI8658C: three-axis accelerometer and gyroscope with a
/// data-ready pin.
///
/// The FIFO is not used, because the chip discards new samples while the host reads the FIFO
/// (section 8.7). The output registers are read with their lock instead, which keeps all bytes from
/// one sample.
public typealias QMI8658<Bus: ChipBus> = RegisterDriver<QMI8658Chip, Bus>

/// The chip-specific parts of the driver.
public struct QMI8658Chip: ReadyFlagChip {
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
    // A command is over when STATUSINT says so, and then waits for its acknowledgement (section
    // 5.10.1).
    case .handshake: .write(map.motionControl) { $0.handshakeByStatus(true) }
    // The lock needs the chip's clock without gating (section 13.2.1).
    case .gating: .write(map.parameters.first) { $0.value(1) }
    case .command: command(.clockGating)
    case .commandDone: .poll(map.interruptStatus, each: 1000, times: 50) { $0.commandDone(true) }
    case .acknowledgement: command(.acknowledge)
    case .acknowledged: .poll(map.interruptStatus, each: 1000, times: 50) { $0.commandDone(false) }
    case .configuration: .configure(wait: driver.codes.turnOn)
    }
  }

  private static func command(_ command: QMI8658Map.Command) -> StepAction {
    .write(QMI8658Map().command, wait: 1000) { $0.value(command.rawValue) }
  }

  /// A reset takes typically 15 ms (table 7).
  static var reset: StepAction {
    .write(QMI8658Map().reset, wait: 16_000) { $0.value(QMI8658Map.softReset) }
  }

  static var hasReset: StepAction {
    .poll(QMI8658Map().resetResult, each: 5000, times: 20) { $0.value(0x80) }
  }

  public static func heldLine(
    _ index: Int, of driver: borrowing QMI8658<some ChipBus>
  ) -> RegisterValue? {
    guard let line = driver.line(index / 2) else { return nil }
    return index & 1 == 0 ? driver.codes.running : line
  }

  /// Every second verified row is the row that starts the sensors, which a supply failure clears.
  public static var verification: Verification { Verification(every: .milliseconds(80)) }

  /// Reads STATUSINT, which locks an available sample until its last byte is read (section 13.2.3).
  public static func hasSample(_ driver: inout QMI8658<some ChipBus>) throws(ChipError) -> Bool {
    let status = QMI8658Map().interruptStatus
    guard try driver.bus.read(status)({ $0.available }) == true else { return false }
    // The lock takes up to 12 us, and up to 0.1 ms in low power (tables 40 and 41).
    if !driver.codes.hasGyro { _ = try driver.bus.read(status) }
    return true
  }

  public static func readOutputs(
    _ driver: inout QMI8658<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if driver.isTold { _ = try hasSample(&driver) }
    try driver.readFrame(
      of: driver.codes.hasGyro ? frameSize : accelFrameSize,
      from: QMI8658Map().temperature.first, into: &batch)
  }

  public static func describe(_ batch: inout RawBatch, of driver: borrowing QMI8658<some ChipBus>) {
    driver.codes.describe(&batch)
  }

  public static func sleep(_ driver: inout QMI8658<some ChipBus>) throws(ChipError) {
    try driver.bus.set(QMI8658Map().sensors) { $0.accelEnable(false) }
  }

  /// The sizes in bytes of a sample: temperature, accelerometer and gyroscope, low byte first.
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

  public func invalidFrames(_ batch: borrowing RawBatch) -> Int {
    hasGyro ? countUniform(batch, 2, 12) : 0
  }

  /// The thermometer's range of table 18.
  public static func limits(of channel: Channel, of part: QMI8658Part) -> ClosedRange<Scalar>? {
    channel == .temperature ? InertialThermometer.limits : nil
  }
}

extension QMI8658Chip {
  /// The maker's self-test (section 15; SensorLib has the same steps and limits). The chip applies
  /// the stimulus itself, and answers with the response.
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
        return .poll(map.interruptStatus, each: 5000, times: 100) { $0.available(true) }
      case .accelResult:
        try driver.bus.set(map.accelConfig) { $0.rate(.hz896_8) }
        return .wait(1000)
      case .gyroResult:
        try driver.bus.set(map.gyroConfig) { $0.selfTest(false) }
        return .wait(1000)
      case .accelOver, .gyroOver:
        return .poll(map.interruptStatus, each: 1000, times: 50) { $0.available(false) }
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

    /// Returns the responses, 2048 counts a g and 16 a degree per second. The chip is good from 200
    /// mg and 300 degrees per second on; the highest values are those that 16 bits can hold.
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
