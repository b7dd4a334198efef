// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the ICM-20948, a three-axis accelerometer and gyroscope with a FIFO and registers
/// in four banks.
///
/// The FIFO has no watermark. It is read at intervals, or frame by frame as the interrupt pin
/// signals samples.
public typealias ICM20948<Bus: ChipBus> = RegisterDriver<ICM20948Chip, BankedBus<Bus>>

/// The chip-specific parts of the driver.
public struct ICM20948Chip: SampledChip {
  public typealias Decoder = ICM20948Decoder
  public typealias Row = BankedValue

  /// The factory's self-test codes for the accelerometer's x, y and z, then those for the
  /// gyroscope.
  var trimCodes = InlineArray<6, UInt8>(repeating: 0)

  public var adjustment: InlineArray<3, UInt8> = [128, 128, 128]
  public var auxiliaryTransfers = 0

  public init() {}

  /// Returns the sampled channels. In low power only the accelerometer runs.
  public static func channels(of codes: ICM20948Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  {
    if codes.isAccelOnly { return [.acceleration] }
    return codes.narrowed(to: abilities).magnetometerRate == nil
      ? channels : channels.union(.magneticField)
  }

  public enum StartStep: UInt8, NineAxisStep {
    case identity, reset, resetOver, wake, configuration, magnetometerRequest, magnetometerAnswer
  }

  public static func start(
    _ driver: inout RegisterDriver<Self, some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = ICM20948Map()
    switch step {
    case .identity: return .identify(by: map.whoAmI)
    case .reset:
      return .write(map.power1, wait: ICM20948Timing.reset) {
        $0.deviceReset(true) | $0.sleep(true)
      }
    case .resetOver:
      return .poll(
        map.power1, each: ICM20948Timing.resetPoll, times: ICM20948Timing.resetPolls
      ) { $0.deviceReset(false) }
    case .wake: return .write(map.power1, wait: ICM20948Timing.wake) { $0.clockSource(.best) }
    case .configuration:
      driver.chip.auxiliaryTransfers = 0
      return .configure(wait: ICM20948Timing.gyroStart)
    case .magnetometerRequest where driver.configuration.magnetometerRate != nil:
      return try driver.requestTransfer()
    case .magnetometerAnswer where driver.configuration.magnetometerRate != nil:
      return try driver.takeAnswer()
    case .magnetometerRequest, .magnetometerAnswer: return .next
    }
  }

  public static func row(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> BankedValue? { driver.configuration.row(index, isSPI: driver.bus.isSPI) }

  /// Returns the register contents that are verified while the chip runs. Every second verified
  /// register is the power register, so that two consecutive verifications detect a supply failure.
  public static func verifiedRow(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> BankedValue? {
    if index & 1 == 0 { return driver.configuration.awake }
    guard driver.acquires(.fifo) else { return driver.row(index / 2 + 1) }
    return index == 1 ? driver.configuration.queueSources : driver.row(index / 2)
  }

  public static var verification: Verification {
    Verification(every: ICM20948Timing.verification)
  }

  public enum Queue: CountedQueue {
    public static func port(
      of driver: borrowing RegisterDriver<ICM20948Chip, some ChipBus>
    ) -> UInt8 { ICM20948Map().fifoData.address }

    public static func frameSize(
      of driver: borrowing RegisterDriver<ICM20948Chip, some ChipBus>
    ) -> Int { driver.configuration.frameSize }

    public static var count: UInt8 { ICM20948Map().fifoCount.address }

    public static func size(of driver: borrowing RegisterDriver<ICM20948Chip, some ChipBus>) -> Int
    {
      fifoSize
    }

    public static var losesAlignment: Bool { true }
  }

  public static func describe(
    _ batch: inout RawBatch, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) {
    driver.codes.describe(&batch)
    if driver.configuration.magnetometerRate != nil { driver.noteMagnetometer(in: &batch) }
  }

  public static func discardOldSamples(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if driver.acquires(.fifo) { try driver.restartQueue() }
    // A sample that becomes ready during this read of the interrupt status is found by the next
    // poll.
    driver.lastPoll = driver.now
    _ = try driver.bus.read(ICM20948Map().interruptStatus1)
  }

  /// Reads the status register, and the data only if there is a new sample. The sample must have
  /// been taken before the read of the status, which is earlier than the read of the data, so the
  /// sample's time is known more precisely.
  public static func readSample(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let status = try driver.bus.read(ICM20948Map().interruptStatus1)
    let seen = driver.now
    guard status({ $0 }) == true else { return SampleStatus(isReady: false) }
    try driver.readFrame(
      of: driver.configuration.frameSize, from: ICM20948Map().accel.first, into: &batch)
    return SampleStatus(
      isReady: true, isOverrun: driver.clock.samplesElapsed(at: seen) > 1, seen: seen)
  }

  public static func sleep(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError) {
    try driver.bus.set(ICM20948Map().power1) { $0.sleep(true) | $0.clockSource(.best) }
  }
}

extension RegisterDriver where Chip == ICM20948Chip, Bus: ~Copyable {
  /// Creates a driver for a chip on `base`, a connection without register banks.
  public init<Base: RegisterBus & ~Copyable>(_ base: consuming Base) where Bus == BankedBus<Base> {
    self.init(BankedBus(base, ICM20948Map.window))
  }

  /// Creates a driver on `base` with fixed settings, given as register codes. Throws
  /// `unsupportedSetting` if the chip or the connection does not support these settings.
  @inline(__always)
  public init<Base: RegisterBus & ~Copyable>(
    _ base: consuming Base, configuration: ICM20948Configuration
  ) throws(ChipError) where Bus == BankedBus<Base> {
    try self.init(BankedBus(base, ICM20948Map.window), configuration: configuration)
  }

  mutating func restartQueue() throws(ChipError) {
    let map = ICM20948Map()
    try bus.set(map.fifoEnable2) { _ in .nothing }
    try bus.set(map.fifoReset) { $0(0b1_1111) }
    try bus.set(map.fifoReset) { _ in .nothing }
    try configuration.queueSources.write(to: &bus)
    // Interrupt edges before this time belong to discarded frames.
    if announcesSamples { lastPoll = now }
  }

}

/// Decodes the ICM-20948's frames to physical values.
public struct ICM20948Decoder: FrameDecoder {
  public typealias Codes = ICM20948Configuration

  private let isAccelOnly: Bool
  private let units: InertialUnits<Codes>

  public init(_ batch: borrowing RawBatch) {
    isAccelOnly = batch.frameSize == ICM20948Chip.accelFrameSize
    units = InertialUnits(batch)
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: [.acceleration])
    reading.specificForce = batch.bigEndianVector(frame, 0) * units.gPerCount
    if isAccelOnly { return reading }
    reading.channels = ICM20948Chip.channels
    reading.rotationRate = batch.bigEndianVector(frame, 6) * units.radiansPerCount
    // The temperature has 333.87 counts per degree Celsius and reads 0 at 21 degrees (section 3.5
    // and PX4's driver).
    reading.temperature = 21 + Scalar(Int(batch.bigEndian(frame, 12))) / 333.87
    if let fault = batch.uniformity(frame, 0, 14) { reading.reject(reading.channels, fault) }
    InvenSenseThermometer.check(&reading)
    return reading
  }

  public static func limits(of channel: Channel, of part: ICM20948Part) -> ClosedRange<Scalar>? {
    channel == .temperature ? InvenSenseThermometer.limits : nil
  }
}

// The built-in AK09916 magnetometer.
extension ICM20948Chip: NineAxisChip {
  public static func magnetometer(of codes: ICM20948Configuration) -> AK8963Configuration? {
    codes.magnetometerRate.map { AK8963Configuration(.ak09916, $0) }
  }

  /// Returns the magnetic field in the chip's axes. The magnetometer's y and z axes point in the
  /// opposite direction of the chip's y and z axes (DS-000189, section 5.1, figures 12 and 13;
  /// TDK's driver).
  public static func turned(_ field: Vector3) -> Vector3 { Vector3(field.x, -field.y, -field.z) }

  public static func begin(
    _ transfer: AuxiliaryTransfer, of driver: inout RegisterDriver<Self, some ChipBus>
  ) throws(ChipError) {
    let map = ICM20948Map()
    try driver.bus.set(map.slave4Address) {
      $0.isRead(transfer.value == nil) | $0.address(AK8963Configuration.auxiliaryAddress)
    }
    try driver.bus.set(map.slave4Register) { $0.value(transfer.register) }
    try driver.bus.set(map.slave4Out) { $0.value(transfer.value ?? 0) }
    try driver.bus.set(map.slave4Control) { $0.enable(true) }
  }

  public static func status(of driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)
    -> Contents<MPU6050Map.AuxiliaryStatus>
  { try driver.bus.read(ICM20948Map().auxiliaryStatus) }

  public static func answer(
    of driver: inout RegisterDriver<Self, some ChipBus>
  ) throws(ChipError) -> UInt8 { try driver.bus.read(ICM20948Map().slave4In).raw }
}

extension ICM20948Chip {
  /// The manufacturer's self-test. The ranges, register codes and limits are the same as in the
  /// MPU-9250 (TDK's driver, Icm20948SelfTest). The test runs at 1125 Hz and with the narrower of
  /// the low-pass filters.
  public enum SelfTest: ChipSelfTest {
    /// The steps of the self-test. The last two reset the chip and put it to sleep.
    public enum Step: UInt8, ChipStep { case resting, stimulated, factoryCodes, reset, sleep }

    public static func action(
      _ driver: inout RegisterDriver<ICM20948Chip, some ChipBus>, at step: Step
    ) throws(ChipError) -> StepAction {
      let map = ICM20948Map()
      switch step {
      case .resting:
        try driver.bus.set(map.power2) { _ in .nothing }
        try driver.bus.set(map.gyroConfig1) { $0.usesFilter(true) }
        try driver.bus.set(map.accelConfig) { $0.usesFilter(true) }
        return collect
      case .stimulated:
        try driver.bus.set(map.gyroConfig2) {
          $0.selfTestX(true) | $0.selfTestY(true) | $0.selfTestZ(true)
        }
        try driver.bus.set(map.accelConfig2) {
          $0.selfTestX(true) | $0.selfTestY(true) | $0.selfTestZ(true)
        }
        return collect
      case .factoryCodes:
        try driver.readTrimCodes()
        return .next
      case .reset:
        return .write(map.power1, wait: ICM20948Timing.reset) { $0.deviceReset(true) }
      case .sleep: return .write(map.power1) { $0.sleep(true) | $0.clockSource(.best) }
      }
    }

    private static var collect: StepAction {
      .collect(
        InvenSenseSelfTest.samples, wait: ICM20948Timing.selfTestSettling,
        each: ICM20948Timing.selfTestSample)
    }

    public static func read(
      _ driver: inout RegisterDriver<ICM20948Chip, some ChipBus>, at step: Step,
      into batch: inout RawBatch
    ) throws(ChipError) {
      batch.frameSize = frameSize
      try driver.read(first: frameSize, from: ICM20948Map().accel.first, into: &batch)
      driver.testProgress.add(batch, gyro: 6, isStimulated: step == .stimulated)
    }

    public static func report(
      of driver: borrowing RegisterDriver<ICM20948Chip, some ChipBus>
    ) -> SelfTestReport {
      InvenSenseSelfTest.report(driver.testProgress.sums, driver.chip.trimCodes, of: .mpu9250)
    }
  }
}

extension RegisterDriver where Chip == ICM20948Chip, Bus: ~Copyable {
  mutating func readTrimCodes() throws(ChipError) {
    let accel: InlineArray<3, UInt8> = try bus.bytes(from: ICM20948Map().selfTestAccel.first)
    let gyro: InlineArray<3, UInt8> = try bus.bytes(from: ICM20948Map().selfTestGyro.first)
    chip.trimCodes = [accel[0], accel[1], accel[2], gyro[0], gyro[1], gyro[2]]
  }
}
