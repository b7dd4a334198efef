// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the VCNL4040, a sensor for ambient light and proximity.
///
/// The chip does not signal the end of a measurement, so the chip sleeps and the driver starts each
/// measurement: the driver triggers proximity, enables the light sensor, and reads both after their
/// longest duration. A sample's time is the end of the integration.
public typealias VCNL4040<Bus: ChipBus> = RegisterDriver<VCNL4040Chip, Bus>

/// The chip-specific parts of the driver.
public struct VCNL4040Chip: SingleShotChip {
  public typealias Decoder = VCNL4040Decoder

  public var shot = SingleShot()

  public init() {}

  public static var channels: ChannelSet { [.illuminance, .proximity] }

  public static func range(of channel: Channel, at index: Int, of codes: VCNL4040Configuration)
    -> Scalar?
  {
    channel == .illuminance ? VCNL4040Map.IntegrationTime.size(at: index) { $0.range } : nil
  }

  /// Returns the fastest rate of each integration time, then the slowest rate. All rates in between
  /// are supported.
  public static func rate(at index: Int, of codes: VCNL4040Configuration) -> Scalar? {
    index == 4 ? slowest : VCNL4040Map.IntegrationTime(rawValue: UInt8(index))?.hertz
  }

  static var slowest: Scalar { 1 / 60 }

  public enum StartStep: UInt8, ChipStep { case identity, configuration }

  public static func start(
    _ driver: inout VCNL4040<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    switch step {
    // The chip's identity is the low byte of the identity word.
    case .identity: .identify(by: RO(VCNL4040Map().identity.address, reset: 0x86))
    // The configuration is written next, because another program may have left the sensors enabled.
    case .configuration: .configure(wait: 5000)
    }
  }

  public static var verification: Verification { Verification(every: .milliseconds(50)) }

  /// Returns the durations of a measurement. The data sheet gives no limits: the longest duration
  /// is assumed to be a fifth above the typical duration, as in Linux.
  public static func duration(of codes: VCNL4040Configuration) -> (
    typical: TimeSpan, longest: TimeSpan
  ) {
    let time = codes.integrationTime.milliseconds
    return (.milliseconds(time), .microseconds(time * 1200))
  }

  public static func measure(_ driver: inout VCNL4040<some ChipBus>) throws(ChipError) {
    try driver.codes.proximityMode(triggered: true).write(to: &driver.bus)
    try driver.codes.ambient(isOff: false).write(to: &driver.bus)
  }

  /// Returns the longest time between two steps. This time is long, because the chip sleeps between
  /// measurements.
  public static func longestWait(_ driver: borrowing VCNL4040<some ChipBus>) -> TimeSpan {
    .seconds(60)
  }

  public static func readOutputs(
    _ driver: inout VCNL4040<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    // After a supply failure the chip returns 0, which looks like a valid value, so verify the
    // configuration first.
    try driver.verifyRunning()
    let light = try driver.bus.read(VCNL4040Map().ambient).raw
    let near = try driver.bus.read(VCNL4040Map().proximity).raw
    // If a transfer fails before this point, it is retried and the measurement is not lost.
    try sleep(&driver)
    for index in 0..<2 {
      batch.bytes[index] = ByteOrder.lowFirst.bytes(light)[index]
      batch.bytes[2 + index] = ByteOrder.lowFirst.bytes(near)[index]
    }
    (batch.frameSize, batch.format[0]) = (4, driver.codes.integrationTime.rawValue)
  }

  public static func sleep(_ driver: inout VCNL4040<some ChipBus>) throws(ChipError) {
    try driver.codes.ambient(isOff: true).write(to: &driver.bus)
  }
}

/// Decodes the VCNL4040's frames to physical values.
public struct VCNL4040Decoder: FrameDecoder {
  public typealias Codes = VCNL4040Configuration

  private let luxPerCount: Scalar

  public init(_ batch: borrowing RawBatch) {
    luxPerCount = (VCNL4040Map.IntegrationTime(rawValue: batch.format[0]) ?? .ms80).luxPerCount
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: VCNL4040Chip.channels)
    reading.scalars[.illuminance] =
      Scalar(UInt16(bitPattern: batch.littleEndian(frame, 0))) * luxPerCount
    reading.scalars[.proximity] = Scalar(UInt16(bitPattern: batch.littleEndian(frame, 2))) / 65_535
    // If both words are 0, it is dark and no object is near. If both words have all bits set, they
    // are not a measurement, because an object that near would cover the light sensor. (A bus that
    // no chip drives reads all ones.)
    if batch.uniformity(frame, 0, 4) == .ones { reading.reject(VCNL4040Chip.channels, .ones) }
    return reading
  }
}
