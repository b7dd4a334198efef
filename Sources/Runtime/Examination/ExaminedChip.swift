// SPDX-License-Identifier: Apache-2.0
public import Boards
public import Buses
public import ChipCatalog
public import LinuxBus
public import Quantities
public import Registers
public import RegisterTools
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
  /// The GPIO line that is listened to; `nil` in a simulation.
  public var line: GPIOLine? { edges?.line }
  private let examination: Examination
  private let port: CountingPort
  private let edges: TappedEdges?
  private let claim: Claim?
  private var lastIdentity: UInt8?

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

  /// What its identity register holds.
  public func identity() throws(BusError) -> UInt8 {
    let register = entry.description.identity.register
    // Some chips choose SPI at the first rise of their chip select and answer from the second frame on.
    if port.isSPI { _ = try? read(register) }
    return try read(register)
  }

  // MARK: Its configuration

  /// How a chip is found.
  public enum Condition: Sendable {
    /// As it was configured.
    case configured
    /// As after power-up.
    case reset
    /// Neither, or nobody can tell.
    case unclear
  }

  /// Registers that hold something else than after a reset since they were last written, with what was written and what a
  /// reset would leave there. Nothing that changes by being read is among them.
  public var configuration: [(row: RegisterRow, written: UInt8, reset: UInt8)] {
    rows.compactMap { row in
      guard row.isReadable, row.isWritable, row.effect == .none, let reset = row.reset,
        let written = port.written[row.address], written != reset
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

  /// Looks at four registers of the configuration. One that has lost a single one is not taken for reset.
  public func condition() throws(BusError) -> Condition {
    let watched = configuration.prefix(4)
    guard watched.count > 1 else { return .unclear }
    var kept = 0
    var lost = 0
    for (row, written, reset) in watched {
      let value = try read(row.address)
      if value == written { kept += 1 }
      if value == reset { lost += 1 }
    }
    // Some bits clear themselves, or are not kept by every part.
    if kept == 0, lost > 1 { return .reset }
    return kept > lost ? .configured : .unclear
  }

  /// Whether a register keeps what it holds when it is read.
  private func isSteady(_ register: UInt8) -> Bool {
    rows.first { $0.address == register }.map { $0.effect == .none && $0.isWritable } ?? false
  }

  /// Puts the chip to sleep.
  public func sleep() throws(ChipError) {
    try entry.driver(HostConnection(port)).stop()
    examination.wait(Self.rest)
  }

  /// Some chips sleep by a reset, after which they are deaf for a while: 1 ms is the longest (BMI160 data sheet, table 2).
  private static var rest: TimeSpan { .milliseconds(2) }

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
  /// With `leavesRunning` the chip goes on sampling; `sleep` ends that. Throws where the chip cannot do such a job; what
  /// fails on the way is in the result.
  public func run(
    _ job: Job, for span: TimeSpan, leavesRunning: Bool = false,
    _ body: (borrowing RawBatch, any ChipDriver) -> Bool = { _, _ in true }
  ) throws(ChipError) -> ExaminedRun {
    let driver = entry.driver(HostConnection(port))
    var run = ExaminedRun(settings: placement.settings, begin: now)
    switch job {
    case .sampling(let settings):
      run.settings = try driver.configure(settings)
      driver.start()
    case .selfTest:
      _ = try driver.configure(placement.settings)
      try driver.startSelfTest()
    }
    let before = port.traffic
    _ = edges?.takeEdges()
    edges?.times = []
    let end = now + span
    var waiter = Waiter()
    if let descriptor = edges?.fileDescriptor { waiter.add(descriptor) }
    var batch = RawBatch()
    var due = now
    var waitsForEdge = false
    var failures = 0
    var isWanted = true
    var isSuspect = false
    var isReset = false
    var timeouts = 0
    var restarts = driver.health.restarts
    port.forgetWrites()
    port.startRows()
    while isWanted, now < end {
      let event = edges?.takeEdges() ?? .due
      if due <= now || event.edges > 0 && waitsForEdge {
        batch.removeAll()
        waitsForEdge = false
        // Before the driver begins again with a reset, which would hide it.
        if isSuspect, let condition = try? condition() {
          if condition == .reset { run.brownOuts += 1 }
          isSuspect = condition == .unclear && !isReset
          if isReset { port.forgetWrites() }
          isReset = false
        }
        do throws(ChipError) {
          switch try driver.step(event, into: &batch) {
          case .after(let span): due = now + span
          case .at(let time): due = time
          case .onInterrupt(let timeout):
            due = now + timeout
            waitsForEdge = true
          case .never:
            due = .distantFuture
            isWanted = false
          }
          timeouts = 0
          if batch.frames > 0 {
            failures = 0
            isSuspect = false
            run.batches += 1
            run.frames += UInt64(batch.frames)
            run.largestBatch = max(run.largestBatch, batch.frames)
            isWanted = body(batch, driver) && isWanted
          }
        } catch {
          run.add(error, at: now)
          failures += 1
          timeouts = error.busError == .timeout ? timeouts + 1 : 0
          run.timeoutsInARow = max(run.timeoutsInARow, timeouts)
          isSuspect = true
          if case .rejected(let register, let wrote, let readBack) = error, wrote != readBack,
            isSteady(register), (try? read(register)) == wrote
          {
            run.misreadings += 1
          }
          if case .identity(let found, let register) = error, let again = try? read(register),
            again != found
          {
            run.misreadings += 1
          }
          if driver.health.restarts != restarts {
            // With a reset, after which nothing is as it was written.
            restarts = driver.health.restarts
            isReset = true
          }
          due = now + .milliseconds(1) * Int64(1 << (2 * min(failures - 1, 4)))
        }
      }
      var next = min(due, end)
      // Also while nobody waits for it, so that each edge is noted at its own time.
      if let edge = edges?.nextEdge { next = min(next, edge) }
      guard isWanted, next > now else { continue }
      if examination.isVirtual {
        examination.wait(until: next)
      } else {
        _ = try? waiter.wait(until: next)
      }
    }
    port.endRow()
    run.failuresInARow = port.longestRow
    run.lonelyFailures = port.lonelyFailures
    // The last edges were there before the chip is put to sleep.
    _ = edges?.takeEdges()
    run.end = now
    run.health = driver.health
    run.selfTest = driver.selfTest
    run.identity = driver.identity
    lastIdentity = driver.identity ?? lastIdentity
    run.edges = edges?.times ?? []
    if !leavesRunning {
      do throws(ChipError) { try driver.stop() } catch { run.add(error, at: now) }
      examination.wait(Self.rest)
    }
    run.traffic = port.traffic - before
    return run
  }

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
