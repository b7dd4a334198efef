// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// A chip whose configuration is too complex for a function that returns the register write at an
/// index. The configuration is computed at start and stored as a table, whose last write starts the
/// sensors. Stopping the chip's FIFO empties it.
public protocol TabledChip: ReadyFlagChip where Codes: TabledCodes, Row == RegisterValue {
  var table: ConfigurationTable { get set }
  /// The latest temperature that was read separately from the FIFO, low byte first.
  var temperature: InlineArray<2, UInt8> { get set }
  /// The registers of the temperature.
  static var temperatureOutput: RO<WholeByte> { get }

  /// Returns true if the temperature is read separately from the frames, by default in FIFO mode.
  static func hasSeparateTemperature(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> Bool

  /// Reads the chip's detections. By default it does nothing.
  static func readDetections(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch)
    throws(ChipError)
}

/// The register codes for a chip with a configuration table.
public protocol TabledCodes: ChipConfiguration {
  /// True if only the accelerometer runs. The thermometer is off together with the gyroscope.
  var isAccelAlone: Bool { get }
  /// The register write that enables sampling. A brown-out clears this register.
  var running: RegisterValue { get }
  /// The register writes that start and stop the FIFO. The FIFO is stopped while the table is
  /// written.
  var queueRunning: RegisterValue { get }
  var queueStopped: RegisterValue { get }
}

extension TabledChip {
  public static func row(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> RegisterValue? { driver.chip.table[index] }

  /// Returns the register writes of the table, followed by the write that starts the FIFO.
  public static func verifiedRow(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> RegisterValue? {
    if index > 0 { return driver.chip.table[index - 1] }
    return driver.acquires(.fifo) ? driver.codes.queueRunning : driver.codes.running
  }

  public static var verification: Verification { Verification(every: .milliseconds(100)) }

  public static func hasSeparateTemperature(
    _ driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> Bool { driver.acquires(.fifo) && !driver.codes.isAccelAlone }

  public static func readDetections(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {}

  public static func discardOldSamples(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if driver.acquires(.fifo) {
      if hasSeparateTemperature(driver) { try driver.readTemperature() }
      try driver.bus.write(driver.codes.queueStopped)
      try driver.bus.write(driver.codes.queueRunning)
    } else if !driver.acquires(.detections) {
      // The sample was taken while the sensors settled, so it is discarded. The read of the sample
      // also clears an interrupt line that stays high until it is read.
      try readOutputs(&driver, into: &batch)
    }
    try readDetections(&driver, .due, into: &batch)
  }

  /// Verifies the register that a supply failure clears, and one other configuration register in
  /// turn. Reads the temperature if frames do not contain it, and polls detections that no
  /// interrupt line signals.
  public static func doPeriodicWork<Bus: ChipBus>(
    _ driver: inout RegisterDriver<Self, Bus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) -> Bool {
    let isDue = driver.isVerificationDue(at: now)
    if isDue, Bus.abilities.contains(.verification) {
      try driver.bus.verify(driver.codes.running)
      try driver.verifyNextRow()
    }
    if isDue, hasSeparateTemperature(driver) { try driver.readTemperature() }
    if isDue || driver.acquires(.detections) { try readDetections(&driver, event, into: &batch) }
    return isDue
  }
}

extension RegisterDriver where Chip: TabledChip, Bus: ~Copyable {
  @usableFromInline
  package mutating func readTemperature() throws(ChipError) {
    chip.temperature = try bus.bytes(from: Chip.temperatureOutput)
  }
}
