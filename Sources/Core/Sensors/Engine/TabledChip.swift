// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// A chip whose configuration is too complex for a function from index to row: it is computed at
/// start and stored as a table, whose last row starts the sensors. Stopping its FIFO empties it.
public protocol TabledChip: RegisterChip where Codes: TabledCodes, Line == RegisterValue {
  var table: ConfigurationTable { get set }
  /// The newest temperature read in addition to the FIFO, low byte first.
  var temperature: InlineArray<2, UInt8> { get set }
  /// The registers of the temperature.
  static var temperatureOutput: RO<WholeByte> { get }

  /// Returns true if the temperature is read separately from the frames: by default with a FIFO.
  static func hasTemperatureBeside(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> Bool

  /// Reads the chip's detections; by default does nothing.
  static func lookForDetections(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch)
    throws(ChipError)
}

/// The codes for a chip with a configuration table.
public protocol TabledCodes: ChipConfiguration {
  /// True if the gyroscope is off, and with it the thermometer.
  var isAccelAlone: Bool { get }
  /// The row that enables sampling, which a brown-out clears.
  var running: RegisterValue { get }
  /// The rows that start and stop the FIFO. It is stopped when the table is written.
  var queueRunning: RegisterValue { get }
  var queueStopped: RegisterValue { get }
}

extension TabledChip {
  public static func line(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> RegisterValue? { driver.chip.table[index] }

  /// The table, followed by the row of the running FIFO.
  public static func heldLine(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> RegisterValue? {
    if index > 0 { return driver.chip.table[index - 1] }
    return driver.acquires(.fifo) ? driver.codes.queueRunning : driver.codes.running
  }

  public static var verification: TimeSpan { .milliseconds(100) }

  public static func hasTemperatureBeside(
    _ driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> Bool { driver.acquires(.fifo) && !driver.codes.isAccelAlone }

  public static func lookForDetections(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {}

  public static func flush(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if driver.acquires(.fifo) {
      if hasTemperatureBeside(driver) { try driver.readTemperature() }
      try driver.bus.write(driver.codes.queueStopped)
      try driver.bus.write(driver.codes.queueRunning)
    } else if !driver.acquires(.detections) {
      // This sample was taken while the sensors settled; reading it also clears a line that stays
      // high until it is read.
      try readOutputs(&driver, into: &batch)
    }
    try lookForDetections(&driver, .due, into: &batch)
  }

  /// Verifies the row that a supply failure clears, and another in turn; reads the temperature
  /// where frames have none, and polls detections where no line signals them.
  public static func attend<Bus: ChipBus>(
    _ driver: inout RegisterDriver<Self, Bus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) -> Bool {
    let isDue = driver.isVerificationDue(at: now)
    if isDue, Bus.abilities.contains(.verification) {
      try driver.bus.verify(driver.codes.running)
      try driver.verifyNextLine()
    }
    if isDue, hasTemperatureBeside(driver) { try driver.readTemperature() }
    if isDue || driver.acquires(.detections) { try lookForDetections(&driver, event, into: &batch) }
    return isDue
  }
}

extension RegisterDriver where Chip: TabledChip, Bus: ~Copyable {
  @usableFromInline
  mutating func readTemperature() throws(ChipError) {
    chip.temperature = try bus.bytes(from: Chip.temperatureOutput)
  }
}
