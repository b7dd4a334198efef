// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import Runtime
internal import ChipCatalog
internal import Quantities
internal import Registers
internal import Sensors

/// The run of one driver for a check. It works like a reader thread, but step by step, and records
/// everything.
final class ChipRun {
  let chip: ExaminedChip
  let driver: any ChipDriver
  private(set) var result: ExaminedRun
  private let before: BusTraffic
  private var batch = RawBatch()
  private var loop: DriverLoop
  private var failures = 0
  private var timeouts = 0
  /// True after a failure until the chip's configuration is verified. `isReset` is true while the
  /// driver will restart with a reset.
  private var isSuspect = false
  private var isReset = false
  private var restarts: UInt64 = 0
  /// True until the driver has finished, or until the receiver of its frames stops the run.
  private(set) var isWanted = true

  init(_ chip: ExaminedChip, _ job: ExaminedChip.Job) throws(ChipError) {
    self.chip = chip
    driver = chip.makeDriver()
    result = ExaminedRun(settings: chip.placement.settings, begin: chip.now)
    before = chip.traffic
    loop = DriverLoop(due: chip.now)
    switch job {
    case .sampling(let settings):
      result.settings = try driver.configure(settings)
      driver.start()
    case .selfTest:
      _ = try driver.configure(chip.placement.settings)
      try driver.startSelfTest()
    }
    restarts = driver.health.restarts
    chip.edges?.forget()
    chip.port.forgetWrites()
    chip.port.startRows()
  }

  /// Performs the steps that are due, and returns the latest time for the next call.
  func turn(_ body: (borrowing RawBatch, any ChipDriver) -> Bool) -> Timestamp {
    let event = chip.edges?.takeEdges() ?? .due
    if isWanted, loop.isDue(at: chip.now, event) { step(event, body) }
    // The next edge also ends the wait, even if the driver does not wait for an edge, so that each
    // edge is recorded at its own time.
    return min(loop.due, chip.edges?.nextEdge ?? .distantFuture)
  }

  private func step(_ event: Event, _ body: (borrowing RawBatch, any ChipDriver) -> Bool) {
    batch.removeAll()
    checkForReset()
    do throws(ChipError) {
      loop.take(try driver.step(event, into: &batch), at: chip.now)
      if loop.isOver { isWanted = false }
      timeouts = 0
      guard batch.frames > 0 else { return }
      failures = 0
      isSuspect = false
      result.batches += 1
      result.frames += UInt64(batch.frames)
      result.largestBatch = max(result.largestBatch, batch.frames)
      if !body(batch, driver) { isWanted = false }
    } catch {
      note(error)
      failures += 1
      loop.wait(until: chip.now + .milliseconds(1) * Int64(1 << (2 * min(failures - 1, 4))))
    }
  }

  /// After an error, checks whether the chip lost power, before the driver's own reset hides this.
  private func checkForReset() {
    guard isSuspect, let condition = readCondition() else { return }
    if condition == .reset { result.brownOuts += 1 }
    isSuspect = condition == .unclear && !isReset
    if isReset { chip.port.forgetWrites() }
    isReset = false
  }

  /// Returns the condition of the chip's registers; `nil` if the chip does not respond. The
  /// registers are read up to four times, because one read may fail on an unreliable bus. A later
  /// call would be too late, because the driver resets the chip.
  private func readCondition() -> ExaminedChip.Condition? {
    for _ in 0..<4 { if let condition = try? chip.condition() { return condition } }
    return nil
  }

  private func note(_ error: ChipError) {
    result.add(error, at: chip.now)
    timeouts = error.busError == .timeout ? timeouts + 1 : 0
    result.timeoutsInARow = max(result.timeoutsInARow, timeouts)
    isSuspect = true
    switch error {
    case .rejected(let register, let wrote, let readBack):
      if wrote != readBack, chip.isSteady(register), (try? chip.read(register)) == wrote {
        result.misreadings += 1
      }
    case .rejectedWord(let word):
      guard let row = chip.rows.first(where: { $0.place == word.place }),
        word.wrote != word.readBack, row.effect == .none, row.isWritable
      else { break }
      if (try? chip.read(row)) == word.wrote { result.misreadings += 1 }
    case .identity(let found, let register):
      if let again = try? chip.read(register), again != found { result.misreadings += 1 }
    case .bus, .resetTimedOut, .unexpected, .unsupportedSetting, .firmware: break
    }
    if driver.health.restarts != restarts {
      restarts = driver.health.restarts
      isReset = true
    }
  }

  /// Stops the chip unless `leavesRunning` is set, and returns the result.
  func finish(leavesRunning: Bool = false) -> ExaminedRun {
    // Discard the edges that stopping the chip causes.
    _ = chip.edges?.takeEdges()
    result.end = chip.now
    result.health = driver.health
    result.selfTest = driver.selfTest
    result.identity = driver.identity
    result.edges = chip.edges?.times ?? []
    chip.port.endRow()
    result.failuresInARow = chip.port.longestRow
    result.isolatedFailures = chip.port.isolatedFailures
    chip.lastIdentity = driver.identity ?? chip.lastIdentity
    if !leavesRunning {
      do throws(ChipError) { try driver.stop() } catch { result.add(error, at: chip.now) }
      chip.rest()
    }
    result.traffic = chip.traffic - before
    return result
  }
}
