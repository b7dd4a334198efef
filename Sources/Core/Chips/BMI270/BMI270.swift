// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the BMI270, a three-axis accelerometer and gyroscope with a 2 kB FIFO.
///
/// After each reset the chip needs 8192 bytes of firmware by Bosch, which the connection supplies
/// (`RegisterBus.firmwareSize`). In low power only the accelerometer runs. The firmware's
/// detections are not used.
public typealias BMI270<Bus: ChipBus> = RegisterDriver<BMI270Chip, Bus>

/// The chip-specific parts of the driver.
public struct BMI270Chip: TabledChip {
  public typealias Decoder = BMI270Decoder

  public var table = ConfigurationTable()
  /// The latest temperature reading, low byte first; 0x8000 means no value.
  public var temperature: InlineArray<2, UInt8> = [0x00, 0x80]
  /// The number of firmware bytes that have been loaded.
  var loaded = 0
  /// The contents of GYR_CAS: the fraction of the rotation about z that the gyroscope's x axis
  /// senses too.
  var crossSensitivity: UInt8 = 0
  /// The contents of GYR_SELF_TEST_AXES at the end of the gyroscope's self-test.
  var gyroResult: UInt8 = 0
  /// True if the firmware ended the gyroscope's self-test because the chip was moved.
  var wasMoved = false

  public init() {}

  public static func channels(of codes: BMI270Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.isAccelAlone ? [.acceleration, .temperature] : channels }

  public enum StartStep: UInt8, ChipStep {
    case interface, identity, reset, interfaceAfterReset, resetOver, awake, loading, firmware
    case loaded, firmwareRuns, crossSensitivity, configuration
  }

  public static func start(
    _ driver: inout BMI270<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = BMI270Map()
    switch step {
    case .interface:
      // The rise of chip select at the end of this read selects SPI; on I2C the read is harmless.
      // The wait also covers the reset by a preceding `stop`.
      _ = try driver.bus.read(map.chipID)
      return .wait(BMI270Timing.reset)
    case .identity: return .identify(by: map.chipID)
    case .reset: return command(.softReset, wait: BMI270Timing.reset)
    case .interfaceAfterReset:
      return try driver.reconnect()
        ? .wait(BMI270Timing.idleWrite) : try driver.keepResetting()
    case .resetOver:
      guard try driver.hasReset() else { return try driver.keepResetting() }
      driver.polls = 0
      return .next
    case .awake: return .write(map.pwrConf, wait: BMI270Timing.idleWrite) { _ in .nothing }
    case .loading:
      guard driver.bus.firmwareSize == firmwareSize else { throw .firmware }
      driver.chip.loaded = 0
      return .write(map.initCtrl) { $0.value(0) }
    case .firmware:
      do throws(ChipError) { try driver.loadBurst() } catch {
        // Each burst contains its address, so it can be repeated. On an unreliable bus, a new start
        // after each failed burst would rarely succeed.
        guard error.busError != nil, driver.polls < BMI270Timing.burstRetries else { throw error }
        driver.polls &+= 1
        driver.counters.busErrors &+= 1
        return driver.go(to: .firmware, after: BMI270Timing.burstRetry)
      }
      driver.polls = 0
      return driver.chip.loaded < firmwareSize
        ? driver.go(to: .firmware, after: BMI270Timing.burst) : .next
    case .loaded: return .write(map.initCtrl, wait: BMI270Timing.firmwareStart) { $0.value(1) }
    case .firmwareRuns: return try driver.expectFirmware()
    case .crossSensitivity:
      // After a reset, the page that contains GYR_CAS is selected.
      driver.chip.crossSensitivity = try driver.bus.read(map.gyrCas)({ $0 }) ?? 0
      return .next
    case .configuration:
      driver.chip.table = driver.codes.rows
      return .configure(wait: driver.codes.settling)
    }
  }

  static func command(_ command: BMI270Map.Command, wait: UInt32 = 0) -> StepAction {
    .write(BMI270Map().cmd, wait: wait) { $0(command) }
  }

  public static var temperatureOutput: RO<WholeByte> { BMI270Map().temperature.first }

  public static func hasSeparateTemperature(_ driver: borrowing BMI270<some ChipBus>) -> Bool {
    driver.acquires(.fifo)
  }

  /// Starts or restarts sampling: clears the FIFO, or reads all outputs so that the flags clear.
  public static func discardOldSamples(
    _ driver: inout BMI270<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    guard driver.acquires(.fifo) else { return try readOutputs(&driver, into: &batch) }
    try driver.readTemperature()
    try driver.bus.set(BMI270Map().cmd) { $0(.fifoFlush) }
  }

  public enum Queue: WatermarkQueue {
    public static func port(of driver: borrowing BMI270<some ChipBus>) -> UInt8 {
      BMI270Map().fifoData.address
    }

    public static func frameSize(of driver: borrowing BMI270<some ChipBus>) -> Int {
      driver.codes.frameSize
    }

    public static var losesAlignment: Bool { true }

    public static var checksFrames: Bool { true }

    /// Reads the FIFO's length. A margin of three frames covers samples that arrive between the
    /// read of the length and the read of the frames. If the length is not a multiple of the frame
    /// size, the FIFO contains a skip or configuration frame.
    public static func readFillLevel(_ driver: inout BMI270<some ChipBus>) throws(ChipError)
      -> FillLevel
    {
      let map = BMI270Map()
      let count: InlineArray<2, UInt8> = try driver.bus.bytes(from: map.fifoLength0)
      let bytes = Int(count[1] & map.fifoLength1.layout.mask) << 8 | Int(count[0])
      guard bytes <= fifoSize else {
        // No chip drives the data line: after a supply failure the chip is no longer in SPI mode.
        throw .unexpected(register: map.fifoLength1.address, wanted: 0x08, found: count[1])
      }
      let size = driver.codes.frameSize
      return FillLevel(
        waiting: bytes / size, isOverrun: bytes > fifoSize - 3 * size || bytes % size != 0)
    }
  }

  public static func hasSample(_ driver: inout BMI270<some ChipBus>) throws(ChipError) -> Bool {
    let status = try driver.bus.read(BMI270Map().status)
    return status { $0.drdyAcc } == true
      && (driver.codes.isAccelAlone || status { $0.drdyGyr } == true)
  }

  /// Reads accelerometer, gyroscope and temperature in one burst.
  public static func readOutputs(
    _ driver: inout BMI270<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    try driver.readFrame(of: registerFrameSize, from: BMI270Map().acc.first, into: &batch)
    // The burst contains the state of the firmware. If this state has changed, the chip was reset,
    // or no chip drives the data line.
    let map = BMI270Map()
    let state = map.internalStatus.contents(batch.byte(21))
    guard state({ $0.message }) == .initialised else {
      throw .unexpected(register: map.internalStatus.address, wanted: 1, found: state.raw)
    }
  }

  /// Writes the format of a batch. FIFO frames after an unexpected header are dropped, because
  /// their position is unknown.
  public static func describe(_ batch: inout RawBatch, of driver: borrowing BMI270<some ChipBus>) {
    let codes = driver.codes
    codes.describe(&batch, part: codes.isAccelAlone ? 0 : 1)
    batch.format[6] = driver.chip.crossSensitivity
    guard batch.frameSize != registerFrameSize else { return }
    batch.setTemperature(high: driver.chip.temperature[1], low: driver.chip.temperature[0])
    for frame in 0..<batch.frames
    where batch.byte(frame * batch.frameSize) & ~BMI160Header.tags != codes.header {
      batch.frames = frame
      return
    }
  }

  public static func noteRestart(_ driver: inout BMI270<some ChipBus>, _ error: ChipError) {
    driver.chip.temperature = [0x00, 0x80]
  }

  /// Suspends both sensors by a soft reset, which works in any state.
  public static func sleep(_ driver: inout BMI270<some ChipBus>) throws(ChipError) {
    try driver.bus.set(BMI270Map().cmd) { $0(.softReset) }
  }
}

extension RegisterDriver where Chip == BMI270Chip, Bus: ~Copyable {
  /// Selects the interface again after a reset. Returns false if the chip does not acknowledge
  /// because the reset is still in progress.
  mutating func reconnect() throws(ChipError) -> Bool {
    do throws(ChipError) { _ = try bus.read(BMI270Map().chipID) } catch {
      guard error.busError == .noAcknowledge else { throw error }
      return false
    }
    return true
  }

  /// Returns true if the identity register is correct and the firmware is not loaded, which is the
  /// state after a reset.
  mutating func hasReset() throws(ChipError) -> Bool {
    let map = BMI270Map()
    let id = try bus.read(map.chipID).raw
    let state = try bus.read(map.internalStatus)
    return id == identity && state({ $0.message }) == .notInitialised
  }

  mutating func keepResetting() throws(ChipError) -> StepAction {
    try again(from: .interfaceAfterReset, after: BMI270Timing.poll, times: BMI270Timing.polls)
  }

  /// Loads the next bytes of the firmware: writes the word address of the burst, then an even
  /// number of bytes, as many as the bus can write at once.
  mutating func loadBurst() throws(ChipError) {
    let map = BMI270Map()
    let word = chip.loaded / 2
    let address: InlineArray<2, UInt8> = [
      UInt8(truncatingIfNeeded: word & 0x0F), UInt8(truncatingIfNeeded: word >> 4),
    ]
    try load(address.span, to: map.initAddr0.address)
    let count = min(min(32, bus.longestWrite & ~1), BMI270Chip.firmwareSize - chip.loaded)
    guard count > 0 else { throw .bus(.unsupported, register: map.initData.address) }
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    var part = span._mutatingExtracting(first: count)
    bus.readFirmware(&part, from: chip.loaded)
    try load(bytes.span.extracting(first: count), to: map.initData.address)
    chip.loaded += count
  }

  /// Writes a burst to the chip.
  mutating func load(_ bytes: Span<UInt8>, to register: UInt8) throws(ChipError) {
    do { try bus.write(bytes, to: register) } catch { throw .bus(error, register: register) }
  }

  /// Waits until the firmware runs. Throws `firmware` if the chip refused the firmware.
  mutating func expectFirmware() throws(ChipError) -> StepAction {
    let register = BMI270Map().internalStatus
    let state = try bus.read(register)
    switch state({ $0.message }) {
    case .initialised:
      polls = 0
      return .next
    case .initialisationError: throw .firmware
    default:
      guard polls < BMI270Timing.firmwarePolls else {
        throw .unexpected(register: register.address, wanted: 1, found: state.raw)
      }
      return try again(after: BMI270Timing.firmwarePoll, times: BMI270Timing.firmwarePolls)
    }
  }
}

/// Decodes the BMI270's frames to physical values.
public struct BMI270Decoder: FrameDecoder {
  public typealias Codes = BMI270Configuration

  private let units: InertialUnits<Codes>
  private let isQueued: Bool
  private let hasGyro: Bool
  /// The fraction of the rotation about z that the gyroscope's x axis senses too. The decoder
  /// subtracts this fraction from x.
  private let crossSensitivity: Scalar

  public init(_ batch: borrowing RawBatch) {
    units = InertialUnits(batch)
    isQueued = batch.isTemperatureSeparate
    hasGyro = batch.part == 1
    // GYR_CAS is a signed number of seven bits, in 1/512 (data sheet, GYR_CAS; Bosch's driver).
    let code = Int8(bitPattern: batch.format[6] << 1) >> 1
    crossSensitivity = Scalar(Int(code)) / 512
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    // A FIFO frame consists of a header, the gyroscope and the accelerometer. In the registers the
    // accelerometer comes first.
    let accel = isQueued ? (hasGyro ? 7 : 1) : 0
    var reading = ChipReading(channels: .acceleration)
    reading.specificForce = batch.littleEndianVector(frame, accel) * units.gPerCount
    if hasGyro {
      var turn = batch.littleEndianVector(frame, isQueued ? 1 : 6)
      turn.x -= crossSensitivity * turn.z
      reading.rotationRate = turn * units.radiansPerCount
      reading.channels.insert(.rotationRate)
    }
    let counts = isQueued ? batch.separateTemperature : batch.littleEndian(frame, 22)
    if let temperature = BMI270Chip.temperature(counts) {
      reading.temperature = temperature
      reading.channels.insert(.temperature)
    }
    if hasGyro, let fault = batch.uniformity(frame, isQueued ? 1 : 0, 12) {
      reading.reject(reading.channels, fault)
    }
    InertialThermometer.check(&reading)
    return reading
  }

  public static func limits(of channel: Channel, of part: SinglePart<0x24>) -> ClosedRange<Scalar>?
  {
    channel == .temperature ? InertialThermometer.limits : nil
  }
}
