// SPDX-License-Identifier: Apache-2.0
public import Boards
public import Buses
public import ChipCatalog
public import Quantities
public import Registers
internal import Sampling
public import Sensors

/// One chip of a board that is examined: its registers, and its driver as long as a check lets it run.
public final class ExaminedChip {
  public let placement: ChipPlacement
  /// The row of the catalogue that the board file names.
  public let entry: CatalogEntry
  public let bus: BusDescription
  /// Its interrupt line; `nil` where none is wired, or it was to be left alone.
  public var hasInterrupt: Bool { edges != nil }
  private let examination: Examination
  private let port: CountingPort
  let edges: TappedEdges?
  private let claim: Claim?

  init(_ reached: ReachedChip, _ bus: BusDescription, _ examination: Examination) {
    placement = reached.placement
    entry = reached.entry
    self.bus = bus
    self.examination = examination
    port = CountingPort(reached.port)
    edges = reached.edges.map { TappedEdges($0) }
    claim = reached.claim
  }

  /// What went over the wire since the chip was opened.
  public var traffic: BusTraffic { port.traffic }

  public var now: Timestamp { examination.now }

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

  /// What its identity register holds.
  public func identity() throws(BusError) -> UInt8 {
    let register = entry.description.identity.register
    // Some chips choose SPI at the first rise of their chip select and answer from the second frame on.
    if port.isSPI { _ = try? read(register) }
    return try read(register)
  }

  /// Whether the driver goes by such an identity.
  public func isKnown(_ identity: UInt8) -> Bool {
    entry.description.identity.supported.contains(
      placement.settings.assumedIdentity ?? identity)
  }

  // MARK: Its driver

  /// What a driver is to do.
  public enum Job: Sendable {
    /// Take samples, as these settings say.
    case sampling(SensorSettings)
    /// The maker's self-test.
    case selfTest
  }

  /// Lets the chip's driver run for `span` from now on, or until a self-test is over, then puts the chip to sleep.
  /// `body` is given each step that read frames, with the driver that decodes them, and returns whether to go on.
  /// Throws where the chip cannot do such a job; what fails on the way is in the result.
  public func run(
    _ job: Job, for span: TimeSpan,
    _ body: (borrowing RawBatch, any ChipDriver) -> Bool = { _, _ in true }
  ) throws(ChipError) -> ExaminedRun {
    let run = try ChipRun(self, job)
    examination.turn([run], until: now + span) { _, batch, driver in body(batch, driver) }
    return run.finish()
  }

  func makeDriver() -> any ChipDriver { entry.driver(HostConnection(port)) }

  /// The same of samples: what they say, in the chip's own axes and without calibration, and when they were taken.
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
