// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the LSM6DS3 and its relatives LSM6DS33, LSM6DS3TR-C and LSM6DSL: three-axis
/// accelerometer and gyroscope with a queue of words. The chip's identity says which register map
/// it has.
///
/// The bandwidth is the accelerometer's; the gyroscope's filter is the nearest that it has at that
/// rate. Without samples, or in low power, the gyroscope is off.
public typealias LSM6DS3<Bus: ChipBus> = RegisterDriver<LSM6DS3Chip, Bus>

/// Describes to the engine what is peculiar to the family.
public struct LSM6DS3Chip: TabledChip {
  public typealias Decoder = LSM6DS3Decoder

  public var table = ConfigurationTable()
  public var temperature: InlineArray<2, UInt8> = [0, 0]
  /// The chip's step counter as last read, and the number of steps since `start`.
  var stepCount: UInt16 = 0
  var steps: Int32 = 0
  var sources = LSM6DS3Sources()

  public init() {}

  /// Low power means the accelerometer alone; no samples leave a chip that only detects.
  public static func channels(of codes: LSM6DS3Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.channels }

  public static func start(
    _ driver: inout LSM6DS3<some ChipBus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = LSM6DS3Map()
    switch index {
    // Behind an open page of embedded functions, 0x0F is a pedometer's threshold.
    case 0: return .write(map.funcCfgAccess) { _ in .nothing }
    case 1: return .identify(by: map.whoAmI)
    case 2: return reset
    case 3: return hasReset
    case 4:
      try driver.prepareTable()
      return .configure(wait: max(LSM6DS3Timing.turnOn, driver.configuration.settling))
    default: return .done
    }
  }

  /// Never together with BOOT.
  static var reset: ChipTask {
    .write(LSM6DS3Map().ctrl3C, wait: LSM6DS3Timing.reset) { $0.swReset(true) | $0.ifInc(true) }
  }

  static var hasReset: ChipTask {
    .poll(
      LSM6DS3Map().ctrl3C, each: LSM6DS3Timing.reset, times: LSM6DS3Timing.resetPolls
    ) { $0.swReset(false) }
  }

  public static var queuePort: UInt8 { LSM6DS3Map().fifoDataOut.address }

  public static var temperatureOutput: RO<WholeByte> { LSM6DS3Map().outTemp.first }

  public static func hasTemperatureBeside(_ driver: borrowing LSM6DS3<some ChipBus>) -> Bool {
    driver.announcesSamples
  }

  public static func rest(_ driver: borrowing LSM6DS3<some ChipBus>) -> Wake {
    driver.nextWake(
      detecting: driver.configuration.isFullyRouted ? LSM6DS3Timing.silence : LSM6DS3Timing.look)
  }

  /// The flags come first: a queue that is exactly full counts 0. Three sets of room keep a sample
  /// that arrives between this look and the read from pushing out the oldest one unseen.
  public static func lookAtQueue(
    _ driver: inout LSM6DS3<some ChipBus>
  ) throws(ChipError) -> QueueLook {
    let map = LSM6DS3Map()
    let status: InlineArray<4, UInt8> = try driver.bus.bytes(from: map.fifoStatus1)
    let seen = driver.now
    let flags = map.fifoStatus2.contents(status[1])
    let words = Int(status[1] & driver.family.countHighMask) << 8 | Int(status[0])
    let set = driver.configuration.setWords
    if flags({ $0.fifoOverRun }) == true || flags({ $0.fifoFull }) == true
      || words > driver.family.queueWords - 3 * set
    {
      return QueueLook(waiting: 0, isOverrun: true)
    }
    let pattern = Int(status[3] & 0x03) << 8 | Int(status[2])
    let broken = try driver.realign(pattern: pattern, words)
    return QueueLook(waiting: (words - broken) / set, seen: seen)
  }

  public static func queueFrameSize(of driver: borrowing LSM6DS3<some ChipBus>) -> Int {
    driver.configuration.setWords * 2
  }

  public static func describe(_ batch: inout RawBatch, of driver: borrowing LSM6DS3<some ChipBus>) {
    driver.codes.describe(&batch, part: driver.family.rawValue)
    // Sets lack the temperature, which is read beside them.
    guard driver.announcesSamples else { return }
    batch.setTemperature(high: driver.chip.temperature[1], low: driver.chip.temperature[0])
  }

  public static func hasSample(_ driver: inout LSM6DS3<some ChipBus>) throws(ChipError) -> Bool {
    try driver.hasInertialSample(isAccelAlone: driver.configuration.isAccelAlone)
  }

  public static func readOutputs(
    _ driver: inout LSM6DS3<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    try driver.readInertialOutputs(isAccelAlone: driver.configuration.isAccelAlone, into: &batch)
  }

  /// Powers both sensors down; the second also where the first did not answer.
  public static func sleep(_ driver: inout LSM6DS3<some ChipBus>) throws(ChipError) {
    let map = LSM6DS3Map()
    var failure: ChipError?
    do { try driver.bus.set(map.ctrl1Xl) { _ in .nothing } } catch { failure = error }
    try driver.bus.set(map.ctrl2G) { _ in .nothing }
    if let failure { throw failure }
  }
}

extension RegisterDriver where Chip == LSM6DS3Chip, Bus: ~Copyable {
  /// As the chip said it last.
  public var family: LSM6DS3Family { part }

  /// Makes the table, and holds the step counter at 0 until it is written.
  @inline(never)
  mutating func prepareTable() throws(ChipError) {
    guard !isTesting else { return }
    let codes = configuration
    if Bus.abilities.contains(.detections) {
      if codes.functions.kinds.contains(.step) {
        try bus.write(codes.functionsRunning(resettingSteps: true))
      }
      chip.stepCount = 0
      chip.sources.isStill = false
    }
    chip.table = codes.lines(within: Bus.abilities)
    chip.table.add(codes.running)
  }
}
