// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

// Functions that restart the MPU-6050's FIFO and read samples from the registers.
extension RegisterDriver where Chip == MPU6050Chip, Bus: ~Copyable {
  /// Clears the FIFO and restarts it. FIFO_RST has an effect only while FIFO_EN is clear (register
  /// map 4.25).
  @inline(never)
  mutating func restartQueue() throws(ChipError) {
    let map = MPU6050Map()
    try bus.set(map.fifoEnable) { _ in .nothing }
    try bus.write(userControl(queue: false))
    try bus.write(userControl(queue: false, reset: true))
    try bus.write(userControl(queue: acquires(.fifo)))
    try bus.write(configuration.queueSources)
    // Interrupt edges before this time belong to discarded frames.
    if announcesSamples { lastPoll = now }
  }

  @usableFromInline
  mutating func readStatus(after event: Event = .due, into batch: inout RawBatch)
    throws(ChipError) -> Bool
  {
    let edge = event.edges > 0 ? event.edgeTime : nil
    return note(try bus.read(MPU6050Map().interruptStatus), at: edge, in: &batch)
  }

  /// Reads one sample in a burst (0x3A to 0x48) that begins with the status register, which the
  /// read clears. Returns true if the status reports a sample. With the magnetometer the result is
  /// always false, because the magnetometer's words need another burst.
  @usableFromInline
  mutating func readRegisters(into batch: inout RawBatch) throws(ChipError) -> Bool {
    let size = configuration.frameSize
    if configuration.magnetometerRate != nil {
      if hasEdge { _ = try bus.read(MPU6050Map().interruptStatus) }
      // The auxiliary master's data follows the gyroscope's registers.
      try readFrame(of: size, from: MPU6050Map().accel.first, into: &batch)
      return false
    }
    let register = MPU6050Map().interruptStatus
    try read(first: size &+ 1, from: register, into: &batch)
    let isReady = note(register.contents(batch.byte(0)), at: nil, in: &batch)
    // Always moves the longest possible frame, because a fixed count compiles to a few move
    // instructions.
    for index in 0..<MPU6050Chip.frameSize { batch.bytes[index] = batch.byte(index &+ 1) }
    batch.frames = 1
    batch.frameSize = size
    Chip.describe(&batch, of: self)
    return isReady
  }

  /// Appends the detections in a status register that was just read, which cleared the register.
  /// The chip does not report the axis. Returns true if the status reports a sample.
  private func note(
    _ status: Contents<MPU6050Map.Interrupts>, at edge: Timestamp?, in batch: inout RawBatch
  ) -> Bool {
    if configuration.motionThreshold > 0, status({ $0.motion }) == true {
      batch.append(Detection(.motion, at: edge ?? now))
    }
    return status({ $0.dataReady }) == true
  }

  @usableFromInline mutating func readTemperature(at time: Timestamp) throws(ChipError) {
    chip.temperature = try bus.bytes(from: MPU6050Map().temperature.first)
    chip.temperatureTime = time
  }
}

// The AK8963 magnetometer inside an MPU-9250.
extension MPU6050Chip: NineAxisChip {
  public static func magnetometer(of codes: MPU6050Configuration) -> AK8963Configuration? {
    codes.magnetometerRate.map { AK8963Configuration(.ak8963, $0) }
  }

  /// Returns the magnetic field in the chip's axes. The magnetometer's x is the chip's y, the
  /// magnetometer's y is the chip's x, and the two z axes point in opposite directions
  /// (PS-MPU-9250A-01, section 9.1).
  public static func turned(_ field: Vector3) -> Vector3 { Vector3(field.y, field.x, -field.z) }

  public static func begin(
    _ transfer: AuxiliaryTransfer, of driver: inout MPU6050<some ChipBus>
  ) throws(ChipError) {
    let map = MPU6050Map()
    try driver.bus.write(driver.userControl(queue: false))
    try driver.bus.set(map.slave4Address) {
      $0.isRead(transfer.value == nil) | $0.address(AK8963Configuration.auxiliaryAddress)
    }
    try driver.bus.set(map.slave4Register) { $0.value(transfer.register) }
    try driver.bus.set(map.slave4Out) { $0.value(transfer.value ?? 0) }
    try driver.bus.set(map.slave4Control) { $0.enable(true) }
  }

  public static func status(of driver: inout MPU6050<some ChipBus>) throws(ChipError) -> Contents<
    MPU6050Map.AuxiliaryStatus
  > { try driver.bus.read(MPU6050Map().auxiliaryStatus) }

  public static func answer(of driver: inout MPU6050<some ChipBus>) throws(ChipError) -> UInt8 {
    try driver.bus.read(MPU6050Map().slave4In).raw
  }
}

/// Decodes the family's frames to physical values.
public struct MPU6050Decoder: FrameDecoder {
  private let isAccelOnly: Bool
  private let isTemperatureSeparate: Bool
  private let thermometer: (countsPerDegree: Scalar, degreesAtZero: Scalar)
  private let units: InertialUnits<MPU6050Configuration>

  public init(_ batch: borrowing RawBatch) {
    let identity = batch.part
    // Most batches are from an MPU-6050, for which a search of the table of parts is not needed.
    let part = identity == 0x68 ? .mpu6050 : MPU6050Part(identity: identity) ?? .mpu6050
    self.init(batch, of: part, within: .all)
  }

  /// The layout of a frame follows from the batch's format, because the batch may be older than the
  /// driver's current state.
  @inlinable @inline(__always)
  public init(
    _ batch: borrowing RawBatch, of codes: MPU6050Configuration, with abilities: DriverAbilities
  ) {
    if abilities.contains(.relatives) {
      self.init(batch)
    } else {
      self.init(batch, of: codes.part, within: abilities)
    }
  }

  @inline(__always) @usableFromInline
  init(_ batch: borrowing RawBatch, of part: MPU6050Part, within abilities: DriverAbilities) {
    isAccelOnly = batch.frameSize <= MPU6050Chip.warmAccelFrameSize
    isTemperatureSeparate =
      abilities.isSuperset(of: [.fifo, .dataReady])
      && batch.frameSize == MPU6050Chip.motionFrameSize
    thermometer = part.thermometer
    units = InertialUnits(batch)
  }

  public func readings(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    for frame in 0..<batch.frames { body(reading(batch, frame)) }
  }

  @inline(__always)
  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: [.acceleration])
    reading.specificForce = batch.bigEndianVector(frame, 0) * units.gPerCount
    if isAccelOnly { return reading }
    reading.channels = MPU6050Chip.channels
    let counts = isTemperatureSeparate ? batch.separateTemperature : batch.bigEndian(frame, 6)
    reading.temperature =
      Scalar(Int(counts)) / thermometer.countsPerDegree + thermometer.degreesAtZero
    reading.rotationRate =
      batch.bigEndianVector(frame, isTemperatureSeparate ? 6 : 8) * units.radiansPerCount
    if let fault = batch.uniformity(frame, 0, sensorBytes) {
      reading.reject(reading.channels, fault)
    }
    InvenSenseThermometer.check(&reading)
    return reading
  }

  /// The number of bytes of the accelerometer, thermometer and gyroscope. These bytes read 0 after
  /// a reset, while the chip sleeps (RM-MPU-6000A, section 3; raspberrypi/pico-examples issue 352)
  /// and in a broken chip (jrowberg/i2cdevlib issue 303).
  @inline(__always)
  private var sensorBytes: Int { isTemperatureSeparate ? 12 : 14 }

  public static func limits(of channel: Channel, of part: MPU6050Part) -> ClosedRange<Scalar>? {
    channel == .temperature ? InvenSenseThermometer.limits : nil
  }
}
