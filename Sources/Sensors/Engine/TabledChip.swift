// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// A chip whose configuration has too many cases for a line by its number: it is worked out at the
/// start and kept as a table, whose last line starts the sensors. Its queue forgets by being
/// stopped.
public protocol TabledChip: RegisterChip where Codes: TabledCodes, Line == RegisterValue {
  var table: ConfigurationTable { get set }
  /// The newest temperature beside the queue, low byte first.
  var temperature: InlineArray<2, UInt8> { get set }
  /// The registers of the temperature.
  static var temperatureOutput: RO<WholeByte> { get }

  /// Returns true where the temperature is read beside the frames: by default beside a queue.
  static func hasTemperatureBeside(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> Bool

  /// Reads what the chip has detected by itself; by default nothing.
  static func lookForDetections(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch)
    throws(ChipError)
}

/// The codes of such a chip.
public protocol TabledCodes: ChipCodes {
  /// True where the gyroscope is off, and the thermometer with it.
  var isAccelAlone: Bool { get }
  /// The line without which there is not one sample: what a chip that browned out lacks first.
  var running: RegisterValue { get }
  /// The queue running, which it is not yet when the table is written, and stopped.
  var queueRunning: RegisterValue { get }
  var queueStopped: RegisterValue { get }
}

extension TabledChip {
  public static func line(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> RegisterValue? { driver.chip.table[index] }

  /// The table, and the queue in motion.
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
      // What is there was taken while the sensors settled; reading it also lowers a line that waits
      // for that.
      try readOutputs(&driver, into: &batch)
    }
    try lookForDetections(&driver, .due, into: &batch)
  }

  /// Compares the line that a chip which lost its supply lacks first, and another in turn; reads
  /// the temperature where frames have none, and what was detected where no line tells of it.
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
