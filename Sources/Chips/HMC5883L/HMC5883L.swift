// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the HMC5883L: a three-axis magnetometer that measures when it is told, as PX4 and
/// ArduPilot have it. By itself it measures too, but its ready flag stays set when a sample was
/// read: without the pin a new one looks as the old.
public typealias HMC5883L<Bus: ChipBus> = RegisterDriver<HMC5883LChip, Bus>

/// Describes to the engine what is peculiar to the HMC5883L.
public struct HMC5883LChip: RegisterChip {
  public typealias Decoder = HMC5883LDecoder

  /// The moment at which the next measurement is to begin; `nil` before the first.
  var due: Timestamp?
  /// The begin of the one that runs.
  var begun: Timestamp?
  /// Measurements that should have been since the last that was read.
  var missing: UInt32 = 0

  public init() {}

  public static var channels: ChannelSet { .magneticField }

  /// The pointer advances by itself.
  public static var wireFormat: WireFormat { WireFormat() }

  /// A measurement takes 6 ms (specifications; PX4 allows 6.7), and is over for certain after 8.
  static var typical: TimeSpan { .milliseconds(6) }
  static var longest: UInt32 { 8000 }

  public static func range(of channel: Channel, at index: Int) -> Scalar? {
    channel == .magneticField ? HMC5883LMap.Gain.size(at: index) { $0.microtesla } : nil
  }

  public static func rate(at index: Int) -> Scalar? {
    (0...6).contains(index) ? HMC5883LMap.Rate(rawValue: UInt8(6 - index))?.hertz : nil
  }

  /// There is no reset. A first measurement has the gain of before (data sheet, "operational
  /// examples"), and ends where the chip is alive.
  public static func start(
    _ driver: inout HMC5883L<some ChipBus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = HMC5883LMap()
    switch index {
    case 0: return .identify(by: map.identificationA)
    case 1:
      let second = try driver.bus.read(map.identificationB).raw
      guard second == 0x34 || driver.codes.readout.assumedIdentity != nil else {
        throw .identity(found: second, register: map.identificationB.address)
      }
      return .configure()
    case 2: return .write(map.mode, wait: longest) { $0.mode(.single) }
    case 3: return .poll(map.status, each: 1000, times: 40) { $0.ready(true) }
    default: return .done
    }
  }

  /// Both lines within 200 ms.
  public static var verification: TimeSpan { .milliseconds(90) }

  public static func flush(
    _ driver: inout HMC5883L<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) { try driver.readField(into: &batch) }

  public static func run(
    _ driver: inout HMC5883L<some ChipBus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    try driver.verifyInTurn(at: driver.now)
    guard let begun = driver.chip.begun else { return try driver.measure() }
    let hasEdge = event.edges > 0 && event.edgeTime > begun
    guard hasEdge || driver.now >= driver.look(for: begun) else { return }
    try driver.readField(into: &batch)
    if hasEdge { driver.silence = 0 } else if driver.acquires(.dataReady) { driver.noteSilence() }
    driver.handOver(&batch, takenAt: hasEdge ? event.edgeTime : begun + typical)
  }

  public static func rest(_ driver: borrowing HMC5883L<some ChipBus>) -> Wake {
    guard let begun = driver.chip.begun else {
      let now = driver.now
      return .at(min(driver.chip.due ?? now, now + verification))
    }
    let look = driver.look(for: begun)
    return driver.acquires(.dataReady) && !driver.isSilent
      ? .onInterrupt(until: look) : .at(look)
  }

  /// Counts the measurement that is lost with the chip's restart.
  public static func lose(_ driver: inout HMC5883L<some ChipBus>, _ error: ChipError) {
    if driver.chip.begun != nil { driver.chip.missing &+= 1 }
    driver.chip.begun = nil
  }

  public static func sleep(_ driver: inout HMC5883L<some ChipBus>) throws(ChipError) {
    try driver.bus.set(HMC5883LMap().mode) { $0.mode(.idle) }
  }
}

extension RegisterDriver where Chip == HMC5883LChip, Bus: ~Copyable {
  /// Returns the moment at which a measurement that was `begun` is over for certain.
  func look(for begun: Timestamp) -> Timestamp { begun + .microseconds(Int64(Chip.longest)) }

  /// Begins a measurement that is due. Those that should have begun meanwhile are missing, and the
  /// next keeps their step.
  mutating func measure() throws(ChipError) {
    let before = now
    let due = chip.due ?? before
    guard before >= due else { return }
    try bus.set(HMC5883LMap().mode) { $0.mode(.single) }
    let period = clock.measuredPeriod
    let late = before.elapsed(since: due).nanoseconds / period.nanoseconds
    chip.missing &+= UInt32(clamping: late)
    chip.due = due + period * (late + 1)
    chip.begun = before
  }

  /// All six in one burst: until then the chip puts nothing new there.
  mutating func readField(into batch: inout RawBatch) throws(ChipError) {
    try read(first: 6, from: HMC5883LMap().x.first, into: &batch)
    batch.frameSize = 6
    batch.format[0] = codes.gain.rawValue
  }

  mutating func handOver(_ batch: inout RawBatch, takenAt time: Timestamp) {
    batch.frames = 1
    batch.newest = time
    batch.period = clock.measuredPeriod
    batch.missing = chip.missing
    counters.received &+= 1
    counters.missing &+= UInt64(chip.missing)
    chip.missing = 0
    chip.begun = nil
  }
}

/// Physical values of the HMC5883L's frames: X, Z, Y, high bytes first.
public struct HMC5883LDecoder: FrameDecoder {
  public typealias Codes = HMC5883LConfiguration

  private let gain: HMC5883LMap.Gain

  public init(_ batch: borrowing RawBatch) {
    gain = HMC5883LMap.Gain(rawValue: batch.format[0]) ?? .mG1300
  }

  /// An axis that the converter could not hold says -4096 ("data output X registers"): then there
  /// is no field.
  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    let counts = batch.bigEndianVector(frame, 0)
    var reading = ChipReading(channels: [])
    guard counts.x > -4096, counts.y > -4096, counts.z > -4096 else { return reading }
    reading.channels = .magneticField
    reading.magneticField = Vector3(counts.x, counts.z, counts.y) / gain.countsPerMicrotesla
    return reading
  }
}

/// The maker's self-test (data sheet, "self test operation"): a field of the chip's own, about 1.1
/// gauss on each axis, from which the chip takes away what there is without it. Gain 5; of five
/// measurements the first has the old gain.
extension HMC5883LChip {
  public static var hasSelfTest: Bool { true }

  public static func trial(
    _ driver: inout HMC5883L<some ChipBus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = HMC5883LMap()
    switch index {
    case 0:
      return .write(map.configurationA) {
        $0.averaging(.samples8) | $0.rate(.hz15) | $0.bias(.positive)
      }
    case 1: return .write(map.configurationB) { $0(.mG4700) }
    case 2:
      try driver.bus.set(map.mode) { $0.mode(.single) }
      let wait = longest
      return .collect(5, wait: wait, each: wait)
    case 3: return .write(map.configurationA) { $0.averaging(.samples1) | $0.rate(.hz15) }
    default: return .end
    }
  }

  public static func readTrial(
    _ driver: inout HMC5883L<some ChipBus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {
    try driver.readField(into: &batch)
    if driver.trial.take() { driver.trial.sums[0] += batch.bigEndianVector(0, 0) }
    try driver.bus.set(HMC5883LMap().mode) { $0.mode(.single) }
  }

  /// 243 to 575 counts at gain 5, of each axis (specifications); an axis that ran over is far
  /// below.
  public static func report(of driver: borrowing HMC5883L<some ChipBus>) -> SelfTestReport {
    let scale = HMC5883LMap.Gain.mG4700.countsPerMicrotesla
    let mean = driver.trial.sums[0] / (4 * scale)
    let limits = 243 / scale...575 / scale
    var report = SelfTestReport()
    report.append(
      .magneticField, Vector3(mean.x, mean.z, mean.y), x: limits, y: limits, z: limits)
    return report
  }
}
