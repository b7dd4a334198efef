// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import MotionSources
package import ChipCatalog
package import LinuxBus
package import Quantities
package import Registers
package import Sensors

/// One chip of an examined board: its registers, and its driver while a check runs it.
package final class ExaminedChip {
  package let placement: ChipPlacement
  /// The catalogue entry of the kind named in the board file.
  package let entry: CatalogEntry
  package let bus: BusDescription
  /// True if the chip's interrupt line is open; false if no line is wired or the line was not
  /// opened.
  package var hasInterrupt: Bool { edges != nil }
  /// The GPIO line used for the chip's interrupt; `nil` in a simulation.
  package var line: GPIOLine? { edges?.line }
  private let examination: Examination
  let port: CountingPort
  let edges: TappedEdges?
  private let claim: Claim?
  var lastIdentity: UInt8?

  init(_ reached: ReachedChip, _ bus: BusDescription, _ examination: Examination) {
    placement = reached.placement
    entry = reached.entry
    self.bus = bus
    self.examination = examination
    port = CountingPort(reached.port, reached.entry.places)
    edges = reached.edges.map { TappedEdges($0) }
    claim = reached.claim
  }

  /// The bus traffic since the chip was opened.
  package var traffic: BusTraffic { port.traffic }

  package var now: Timestamp { examination.now }

  var isNoisy: Bool { examination.board.isNoisy }

  /// Waits for `span`.
  package func wait(_ span: TimeSpan) { examination.wait(span) }

  // MARK: Registers

  package func read(_ register: UInt8) throws(BusError) -> UInt8 {
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    try port.read(&span, from: register)
    return bytes[0]
  }

  package func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try port.write(value, to: register)
  }

  /// Reads the identity register.
  package func identity() throws(BusError) -> UInt8 {
    let register = entry.description.identity.register
    // Read the identity register once in advance: some chips select SPI at the first rising edge of
    // chip select, and respond only from the second frame on.
    if port.isSPI { _ = try? read(register) }
    // Select the register's bank first, because a previous program may have selected another bank.
    // Select nothing on a trace, because a trace contains only the recorded reads.
    guard !bus.isTrace, let row = rows.first(where: { $0.place == FlatAddress(register) }),
      row.window != nil
    else { return try read(register) }
    return UInt8(truncatingIfNeeded: try read(row))
  }

  /// The register bank that a previous program has selected; `nil` if the chip has one bank, or the
  /// selecting register cannot be read.
  var selectedBank: UInt8? {
    let register = FlatAddress(entry.description.identity.register)
    guard let window = rows.first(where: { $0.place == register })?.window else { return nil }
    return (try? read(window.selector)).map { window.bank(selectedBy: $0) }
  }

  /// Reads the register of `row`, which may have any width and bank.
  package func read(_ row: RegisterRow) throws(BusError) -> UInt16 {
    try PortRegisters(port).read(row)
  }

  // MARK: Its configuration

  /// The condition of a chip's configuration registers.
  package enum Condition: Sendable {
    /// The registers hold the configuration that the driver wrote.
    case configured
    /// The registers hold their reset values.
    case reset
    /// The registers hold other values, or could not be read.
    case unclear
  }

  /// The registers whose last written value differs from the reset value, with both values.
  /// Registers that have a side effect when they are read are excluded.
  package var configuration: [(row: RegisterRow, written: UInt16, reset: UInt16)] {
    rows.compactMap { row in
      guard row.isReadable, row.isWritable, row.effect == .none, let reset = row.reset,
        let written = port.written(to: row), written != reset
      else { return nil }
      return (row, written, reset)
    }
  }

  /// All registers of the part with the identity that was read last; before the first read, the
  /// registers of the part in the board file.
  package var rows: [RegisterRow] {
    let wanted = placement.settings.assumedIdentity ?? lastIdentity
    let family = entry.description.family
    let part = ChipCatalog.entries.first { entry in
      entry.description.family == family
        && wanted.map { entry.description.identity.supported.contains($0) } ?? false
    }
    return (part ?? entry).registers()
  }

  /// Compares four configuration registers with their written and their reset values. If only one
  /// of the registers has lost its value, this does not count as a reset.
  package func condition() throws(BusError) -> Condition {
    let watched = configuration.prefix(4)
    guard watched.count > 1 else { return .unclear }
    var kept = 0
    var lost = 0
    for (row, written, reset) in watched {
      let value = try read(row)
      if value == written { kept += 1 }
      if value == reset { lost += 1 }
    }
    // Require two lost values, because some bits clear themselves or do not exist in every part.
    if kept == 0, lost > 1 { return .reset }
    return kept > lost ? .configured : .unclear
  }

  /// Returns true if the register is writable and reading it has no side effect.
  func isSteady(_ register: UInt8) -> Bool {
    rows.first { $0.place == FlatAddress(register) }.map { $0.effect == .none && $0.isWritable }
      ?? false
  }

  /// Stops the chip, so that it sleeps.
  package func sleep() throws(ChipError) {
    try entry.driver(HostConnection(port)).stop()
    rest()
  }

  /// Waits 2 ms. Some chips are put to sleep by a reset, and do not respond for up to 1 ms after
  /// the reset (BMI160 data sheet, table 2).
  func rest() { examination.wait(.milliseconds(2)) }

  /// Returns true if the chip's driver accepts `identity`.
  package func isKnown(_ identity: UInt8) -> Bool {
    entry.description.identity.supported.contains(
      placement.settings.assumedIdentity ?? identity)
  }

  // MARK: Its driver

  /// The work that a driver does during a run.
  package enum Job: Sendable {
    /// The driver samples with these settings.
    case sampling(SensorSettings)
    /// The driver runs the self-test that the manufacturer built into the chip.
    case selfTest
  }

  /// Runs the chip's driver for `span` or until a self-test has ended, then stops the chip unless
  /// `leavesRunning` is set. `body` is called after each driver step in which frames were read. It
  /// receives the frames and the driver that decodes them, and returns false to stop the run.
  /// Throws if the chip does not support the job; later errors are in the result.
  package func run(
    _ job: Job, for span: TimeSpan, leavesRunning: Bool = false,
    _ body: (borrowing RawBatch, any ChipDriver) -> Bool = { _, _ in true }
  ) throws(ChipError) -> ExaminedRun {
    let run = try ChipRun(self, job)
    examination.turn([run], until: now + span) { _, batch, driver in body(batch, driver) }
    return run.finish(leavesRunning: leavesRunning)
  }

  func makeDriver() -> any ChipDriver { entry.driver(HostConnection(port)) }

  /// Runs the chip, and passes each reading and its time to `body`. Readings are in chip axes,
  /// without calibration.
  package func sample(
    _ settings: SensorSettings, for span: TimeSpan,
    _ body: (ChipReading, Timestamp) -> Bool
  ) throws(ChipError) -> ExaminedRun {
    try run(.sampling(settings), for: span) { batch, driver in
      for frame in 0..<batch.frames
      where !body(driver.decode(batch, frame: frame), batch.timestamp(ofFrame: frame)) {
        return false
      }
      return true
    }
  }
}
