// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The driver for the LSM6DS3 and related parts (LSM6DS33, LSM6DS3TR-C, LSM6DSL), three-axis
/// accelerometers and gyroscopes with a FIFO of 16-bit words. The chip's identity selects the
/// register map.
///
/// The requested bandwidth applies to the accelerometer; the gyroscope uses the nearest filter that
/// it has at the same rate. The gyroscope is off in low power, and when only detections are
/// requested.
public typealias LSM6DS3<Bus: ChipBus> = RegisterDriver<LSM6DS3Chip, Bus>

/// The chip-specific parts of the driver.
public struct LSM6DS3Chip: LSM6Chip {
  public typealias Decoder = LSM6DS3Decoder

  public var table = ConfigurationTable()
  public var temperature: InlineArray<2, UInt8> = [0, 0]
  /// The value of the chip's step counter at the last read, and the number of steps since `start`.
  var stepCount: UInt16 = 0
  var steps: Int32 = 0
  var sources = LSM6DS3Sources()

  public init() {}

  public enum Queue: WatermarkQueue {
    public static func port(of driver: borrowing LSM6DS3<some ChipBus>) -> UInt8 {
      LSM6DS3Map().fifoDataOut.address
    }

    public static func frameSize(of driver: borrowing LSM6DS3<some ChipBus>) -> Int {
      driver.configuration.setWords * 2
    }

    /// Reads the FIFO's fill level. The flags are read first, because the count is 0 when the FIFO
    /// is exactly full. A margin of three sample sets covers samples that arrive between the read
    /// of the count and the read of the sets; otherwise the chip could drop the oldest sample
    /// undetected.
    public static func readFillLevel(
      _ driver: inout LSM6DS3<some ChipBus>
    ) throws(ChipError) -> FillLevel {
      let map = LSM6DS3Map()
      let status: InlineArray<4, UInt8> = try driver.bus.bytes(from: map.fifoStatus1)
      let seen = driver.now
      let flags = map.fifoStatus2.contents(status[1])
      let words = Int(status[1] & driver.family.countHighMask) << 8 | Int(status[0])
      let set = driver.configuration.setWords
      if flags({ $0.fifoOverRun }) == true || flags({ $0.fifoFull }) == true
        || words > driver.family.queueWords - 3 * set
      {
        return FillLevel(waiting: 0, isOverrun: true)
      }
      let pattern = Int(status[3] & 0x03) << 8 | Int(status[2])
      let broken = try driver.realign(pattern: pattern, words)
      return FillLevel(waiting: (words - broken) / set, seen: seen)
    }
  }

  public static func hasSeparateTemperature(_ driver: borrowing LSM6DS3<some ChipBus>) -> Bool {
    driver.announcesSamples
  }

  public static func nextStep(_ driver: borrowing LSM6DS3<some ChipBus>) -> NextStep {
    driver.nextStep(
      detecting: driver.configuration.isFullyRouted
        ? LSM6DS3Timing.silence : LSM6DS3Timing.pollInterval)
  }

  public static func describe(_ batch: inout RawBatch, of driver: borrowing LSM6DS3<some ChipBus>) {
    driver.codes.describe(&batch, part: driver.family.rawValue)
    // FIFO sets do not contain the temperature, so it is read separately.
    guard driver.announcesSamples else { return }
    batch.setTemperature(high: driver.chip.temperature[1], low: driver.chip.temperature[0])
  }

  /// Builds the configuration table. The step counter is held at 0 until the table is written.
  @inline(never)
  public static func prepareTable<Bus: ChipBus>(
    _ driver: inout LSM6DS3<Bus>
  ) throws(ChipError) {
    guard !driver.isTesting else { return }
    let codes = driver.configuration
    if Bus.abilities.contains(.detections) {
      if codes.functions.kinds.contains(.step) {
        try driver.bus.write(codes.functionsRunning(resettingSteps: true))
      }
      driver.chip.stepCount = 0
      driver.chip.sources.isStill = false
    }
    driver.chip.table = codes.rows(within: Bus.abilities)
    driver.chip.table.add(codes.running)
  }
}

extension RegisterDriver where Chip == LSM6DS3Chip, Bus: ~Copyable {
  /// The part's family, which follows from the identity that was last read.
  public var family: LSM6DS3Family { part }
}
