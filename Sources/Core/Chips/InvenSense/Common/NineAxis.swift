// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The steps for starting a chip with a built-in magnetometer. The last two are repeated for each
/// byte that is transferred to start the magnetometer.
public protocol NineAxisStep: ChipStep {
  static var magnetometerRequest: Self { get }
  static var magnetometerAnswer: Self { get }
}

/// A chip with a built-in magnetometer, which the chip's auxiliary master reads with each sample.
/// The magnetometer's bytes follow the chip's own bytes in the registers and in the FIFO.
public protocol NineAxisChip: RegisterChip where StartStep: NineAxisStep {
  /// Returns the configuration of the magnetometer; `nil` if the magnetometer is not sampled.
  static func magnetometer(of codes: Codes) -> AK8963Configuration?

  /// Converts a magnetic field measurement from the magnetometer's axes to the chip's axes.
  static func turned(_ field: Vector3) -> Vector3

  /// The factory's sensitivity adjustments of the magnetometer's x, y and z.
  var adjustment: InlineArray<3, UInt8> { get set }

  /// The number of completed byte transfers in the magnetometer's start.
  var auxiliaryTransfers: Int { get set }

  /// Starts a transfer of one byte. The auxiliary master performs the transfer with the chip's next
  /// sample.
  static func begin(
    _ transfer: AuxiliaryTransfer, of driver: inout RegisterDriver<Self, some ChipBus>)
    throws(ChipError)

  /// Reads the status of the auxiliary master's transfer of one byte.
  static func status(of driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)
    -> Contents<MPU6050Map.AuxiliaryStatus>

  /// Reads the byte that the auxiliary master's transfer returned.
  static func answer(of driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError) -> UInt8
}

extension RegisterDriver where Chip: NineAxisChip, Bus: ~Copyable {
  /// The next byte transfer in the magnetometer's start; `nil` after the last.
  private var nextTransfer: AuxiliaryTransfer? {
    Chip.magnetometer(of: codes)?.auxiliaryTransfer(chip.auxiliaryTransfers)
  }

  /// Starts the next byte transfer in the magnetometer's start. The auxiliary master performs the
  /// transfer.
  mutating func requestTransfer() throws(ChipError) -> StepAction {
    guard let transfer = nextTransfer else { return .next }
    try Chip.begin(transfer, of: &self)
    return .wait(AK8963Timing.transfer)
  }

  /// Ends the current byte transfer in the magnetometer's start and goes back to the step that
  /// starts the next transfer. Throws `unsupportedSetting` if the magnetometer does not answer or
  /// is of another kind.
  mutating func takeAnswer() throws(ChipError) -> StepAction {
    guard let transfer = nextTransfer else { return .next }
    let status = try Chip.status(of: &self)
    if status({ $0.slave4Refused }) == true { throw .unsupportedSetting }
    guard status({ $0.slave4Done }) == true else {
      return try again(after: AK8963Timing.pollInterval, times: AK8963Timing.transferPolls)
    }
    polls = 0
    if transfer.value == nil {
      let answer = try Chip.answer(of: &self)
      if let expected = transfer.expected {
        guard answer == expected else { throw .unsupportedSetting }
      } else {
        chip.adjustment[Int(transfer.register - AK8963Map().adjustX.address)] = answer
      }
    }
    chip.auxiliaryTransfers += 1
    return go(to: .magnetometerRequest, after: AK8963Timing.reset)
  }

  /// Writes the factors for the scale of the magnetometer's words into the format of a batch.
  func noteMagnetometer(in batch: inout RawBatch) {
    for axis in 0..<3 { batch.format[NineAxisFormat.adjustment + axis] = chip.adjustment[axis] }
    batch.format[NineAxisFormat.adjustment + AK8963Decoder.Format.isNarrow] = 0
  }
}

/// A driver for a chip with a built-in magnetometer. The driver returns the magnetometer's samples
/// in separate batches, with times from a separate clock. Each of these samples was taken between
/// the chip's sample that contains it and the chip's previous sample.
public struct NineAxis<Chip: NineAxisChip, Bus: RegisterBus & ~Copyable>: SensorDriver, ~Copyable {
  private var base: RegisterDriver<Chip, Bus>
  private var clock = SampleClock(rate: 100)
  /// The magnetometer's frames that have not been returned yet, and the number of samples lost
  /// before these frames.
  private var bytes = InlineArray<288, UInt8>(repeating: 0)
  private var waiting = 0
  private var missing = 0
  private var first = Timestamp.zero
  /// True if samples of the magnetometer may have been lost.
  private var hasGap = false
  private var lost: UInt64 = 0
  /// The number of magnetometer frames in which the magnetic field exceeded the range.
  private var overflows: UInt64 = 0
  /// The time of the next step that the chip's driver requested, stored while the magnetometer's
  /// frames are returned.
  private var wake: NextStep?

  public init(_ base: consuming RegisterDriver<Chip, Bus>) { self.base = base }

  public var channels: ChannelSet { base.channels }
  public var now: Timestamp { base.now }
  public var identity: UInt8? { base.identity }
  public var detections: DetectionSet { base.detections }
  public var selfTest: SelfTestReport? { base.selfTest }

  public var health: Health {
    var health = base.health
    health.missing &+= lost
    health.invalid &+= overflows
    return health
  }

  public func range(of channel: Channel, at index: Int) -> Scalar? {
    base.range(of: channel, at: index)
  }

  public func rate(at index: Int) -> Scalar? { base.rate(at: index) }

  public mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    try base.configure(settings)
  }

  public mutating func start() {
    base.start()
    forget()
    if let codes = Chip.magnetometer(of: base.codes) { clock = codes.makeClock() }
  }

  public mutating func startSelfTest() throws(ChipError) {
    forget()
    try base.startSelfTest()
  }

  public mutating func stop() throws(ChipError) {
    forget()
    try base.stop()
  }

  private mutating func forget() {
    waiting = 0
    missing = 0
    hasGap = false
    wake = nil
  }

  public mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError)
    -> NextStep
  {
    if let wake, event.edges == 0 {
      handOn(into: &batch)
      self.wake = nil
      return wake
    }
    batch.format[NineAxisFormat.isField] = 0
    let next: NextStep
    do { next = try base.step(event, into: &batch) } catch {
      hasGap = true
      throw error
    }
    if batch.frames > 0, let codes = Chip.magnetometer(of: base.codes) { collect(batch, codes) }
    guard waiting > 0 else { return next }
    wake = next
    return .after(.zero)
  }

  /// Collects the new magnetometer samples in the chip's frames.
  private mutating func collect(_ batch: borrowing RawBatch, _ codes: AK8963Configuration) {
    // A frame with magnetometer data ends with ST1, three words with the low byte first, and ST2.
    let place = batch.frameSize - codes.part.auxiliaryBytes
    if batch.missing > 0 { hasGap = true }
    for frame in 0..<batch.frames {
      let start = frame * batch.frameSize + place
      let status = AK8963Map().status1.contents(batch.bytes[start])
      guard status({ $0.dataReady }) == true, waiting < 48 else { continue }
      // The times of frames are accurate to a twentieth of their period, so bounds derived from
      // these times get a margin of a sixteenth.
      let margin = batch.period / 16
      let time = batch.timestamp(ofFrame: frame)
      let (earliest, latest) = (time - batch.period - margin, time + margin)
      var count: Int64 = 1
      if hasGap || status({ $0.overrun }) == true {
        count = clock.samplesElapsed(at: earliest.middle(to: latest))
      }
      hasGap = false
      let newest = clock.observe(count, after: earliest, notAfter: latest).newest
      missing += Int(count - 1)
      lost &+= UInt64(count - 1)
      if waiting == 0 { first = newest }
      for index in 0..<6 { bytes[waiting * 6 + index] = batch.bytes[start + 1 + index] }
      let status2 = batch.bytes[start + codes.part.auxiliaryBytes - 1]
      if AK8963Decoder.isOverflow(status2) {
        (bytes[waiting * 6], bytes[waiting * 6 + 1]) = AK8963Decoder.overflowBytes
        overflows &+= 1
      }
      waiting += 1
    }
  }

  private mutating func handOn(into batch: inout RawBatch) {
    batch.frames = waiting
    batch.frameSize = AK8963Chip.frameSize
    batch.newest = clock.newest ?? first
    batch.period = waiting > 1 ? (batch.newest - first) / Int64(waiting - 1) : clock.measuredPeriod
    batch.missing = UInt32(clamping: missing)
    for index in 0..<waiting * 6 { batch.bytes[index] = bytes[index] }
    batch.format[NineAxisFormat.isField] = 1
    (waiting, missing) = (0, 0)
  }

  public func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    guard batch.format[NineAxisFormat.isField] != 0 else { return base.decode(batch, frame: frame) }
    return Self.field(batch, frame)
  }

  public func decode(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    guard batch.format[NineAxisFormat.isField] != 0 else { return base.decode(batch, body) }
    for frame in 0..<batch.frames { body(Self.field(batch, frame)) }
  }

  private static func field(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = AK8963Decoder(batch, from: NineAxisFormat.adjustment).reading(batch, frame)
    reading.magneticField = Chip.turned(reading.magneticField)
    return reading
  }
}

/// Positions of the magnetometer's values in a batch's format, after the values for the chip's
/// frames.
enum NineAxisFormat {
  /// The position, in a batch's format, at which the magnetometer's values start
  /// (`AK8963Decoder.Format`).
  static var adjustment: Int { 30 }
  /// The position of a byte of the format that is not 0 if the frames are the magnetometer's
  /// frames.
  static var isField: Int { 34 }
}
