// SPDX-License-Identifier: Apache-2.0
public import Boards
internal import MotionSources
public import ChipCatalog
public import LinuxBus
public import Quantities
public import Registers
public import Sensors

/// One chip of a board that is examined: its registers, and its driver as long as a check lets it
/// run.
public final class ExaminedChip {
  public let placement: ChipPlacement
  /// The row of the catalogue that the board file names.
  public let entry: CatalogEntry
  public let bus: BusDescription
  /// Its interrupt line; `nil` where none is wired, or it was to be left alone.
  public var hasInterrupt: Bool { edges != nil }
  /// The GPIO line that is listened to; `nil` in a simulation.
  public var line: GPIOLine? { edges?.line }
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

  /// The traffic over the wire since the chip was opened.
  public var traffic: BusTraffic { port.traffic }

  public var now: Timestamp { examination.now }

  /// Lets so much time pass.
  public func wait(_ span: TimeSpan) { examination.wait(span) }

  // MARK: Registers

  public func read(_ register: UInt8) throws(BusError) -> UInt8 {
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    try port.read(&span, from: register)
    return bytes[0]
  }

  public func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try port.write(value, to: register)
  }

  /// Reads its identity register.
  public func identity() throws(BusError) -> UInt8 {
    let register = entry.description.identity.register
    // Some chips choose SPI at the first rise of their chip select and answer from the second frame
    // on.
    if port.isSPI { _ = try? read(register) }
    // The program that had it before may have left it with another bank shown. Of that a trace has
    // no more than what was read.
    guard !bus.isTrace, let row = rows.first(where: { $0.place == FlatAddress(register) }),
      row.window != nil
    else { return try read(register) }
    return UInt8(truncatingIfNeeded: try read(row))
  }

  /// Reads a register, of whatever width and bank.
  public func read(_ row: RegisterRow) throws(BusError) -> UInt16 {
    try PortRegisters(port).read(row)
  }

  // MARK: Its configuration

  /// The condition in which a chip is found.
  public enum Condition: Sendable {
    /// As it was configured.
    case configured
    /// As after power-up.
    case reset
    /// Neither, or it cannot be told.
    case unclear
  }

  /// Registers that hold something else than after a reset since they were last written, with what
  /// was written and what a reset would leave there. Nothing that changes by being read is among
  /// them.
  public var configuration: [(row: RegisterRow, written: UInt16, reset: UInt16)] {
    rows.compactMap { row in
      guard row.isReadable, row.isWritable, row.effect == .none, let reset = row.reset,
        let written = port.written(to: row), written != reset
      else { return nil }
      return (row, written, reset)
    }
  }

  /// All registers of the part that the board file names, or that the chip last said it is.
  public var rows: [RegisterRow] {
    let wanted = placement.settings.assumedIdentity ?? lastIdentity
    let family = entry.description.family
    let part = ChipCatalog.entries.first { entry in
      entry.description.family == family
        && wanted.map { entry.description.identity.supported.contains($0) } ?? false
    }
    return (part ?? entry).registers()
  }

  /// Looks at four registers of the configuration. One that has lost a single one is not taken for
  /// reset.
  public func condition() throws(BusError) -> Condition {
    let watched = configuration.prefix(4)
    guard watched.count > 1 else { return .unclear }
    var kept = 0
    var lost = 0
    for (row, written, reset) in watched {
      let value = try read(row)
      if value == written { kept += 1 }
      if value == reset { lost += 1 }
    }
    // Some bits clear themselves, or are not kept by every part.
    if kept == 0, lost > 1 { return .reset }
    return kept > lost ? .configured : .unclear
  }

  /// Returns true where a register keeps what it holds when it is read.
  func isSteady(_ register: UInt8) -> Bool {
    rows.first { $0.place == FlatAddress(register) }.map { $0.effect == .none && $0.isWritable }
      ?? false
  }

  /// Puts the chip to sleep.
  public func sleep() throws(ChipError) {
    try entry.driver(HostConnection(port)).stop()
    rest()
  }

  /// Some chips sleep by a reset, after which they are deaf for a while: 1 ms is the longest
  /// (BMI160 data sheet, table 2).
  func rest() { examination.wait(.milliseconds(2)) }

  /// Returns true where the driver goes by such an identity.
  public func isKnown(_ identity: UInt8) -> Bool {
    entry.description.identity.supported.contains(
      placement.settings.assumedIdentity ?? identity)
  }

  // MARK: Its driver

  /// A task for a driver.
  public enum Job: Sendable {
    /// Take samples, as these settings say.
    case sampling(SensorSettings)
    /// The maker's self-test.
    case selfTest
  }

  /// Lets the chip's driver run for `span` from now on, or until a self-test is over, then puts the
  /// chip to sleep. `body` is given each step that read frames, with the driver that decodes them,
  /// and returns whether to go on. With `leavesRunning` the chip goes on sampling; `sleep` ends
  /// that. Throws where the chip cannot do such a job; what fails on the way is in the result.
  public func run(
    _ job: Job, for span: TimeSpan, leavesRunning: Bool = false,
    _ body: (borrowing RawBatch, any ChipDriver) -> Bool = { _, _ in true }
  ) throws(ChipError) -> ExaminedRun {
    let run = try ChipRun(self, job)
    examination.turn([run], until: now + span) { _, batch, driver in body(batch, driver) }
    return run.finish(leavesRunning: leavesRunning)
  }

  func makeDriver() -> any ChipDriver { entry.driver(HostConnection(port)) }

  /// The same of samples: what they say, in the chip's own axes and without calibration, and when
  /// they were taken.
  public func sample(
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
