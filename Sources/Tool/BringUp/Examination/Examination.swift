// SPDX-License-Identifier: Apache-2.0
internal import Simulation
package import Boards
package import MotionSources
package import Runtime
internal import ChipCatalog
internal import KernelSensors
internal import LinuxBus
internal import LinuxSystem
package import Quantities
package import Registers
package import Sensors

/// A board opened for checks, bus by bus and chip by chip, on the caller's thread. While it is
/// open, other programs cannot open its chips. A check leaves behind no thread, no fusion and no
/// file.
///
/// A board with only simulated buses, or a board from a trace, uses a virtual clock, so that an
/// hour takes seconds. Any other board uses the machine's clock.
package final class Examination {
  package let board: Board
  /// True if the examination uses a virtual clock.
  package let isVirtual: Bool
  let clock: any SimulationClock
  private let virtual: VirtualClock?
  private let builder: BoardBuilder
  /// The simulated buses in use. Their chips keep their state between checks, as real chips do.
  private var simulated: [String: [ReachedChip]] = [:]

  /// Opens the board. With `isLive` every board uses the machine's clock.
  package init(_ board: Board, isLive: Bool = false) {
    self.board = board
    isVirtual = !isLive && board.canRunInstantly
    if isVirtual {
      let virtual = VirtualClock()
      self.virtual = virtual
      clock = virtual
    } else {
      virtual = nil
      clock = WireClock()
    }
    builder = BoardBuilder(board, clock: clock)
  }

  /// The current time, on the clock of the samples.
  package var now: Timestamp { clock.now }

  /// Waits for `span`.
  package func wait(_ span: TimeSpan) { wait(until: now + span) }

  /// Waits until `time`.
  package func wait(until time: Timestamp) {
    if let virtual { return virtual.advance(to: time) }
    var poller = Poller()
    _ = try? poller.wait(until: time)
  }

  /// Opens the chip called `name` without accessing its registers; returns `nil` if the board has
  /// no such chip. Throws if the chip's bus, its address or, with `usesInterrupt`, its interrupt
  /// line cannot be opened.
  package func open(_ name: String, usesInterrupt: Bool = true) throws(SessionError)
    -> ExaminedChip?
  {
    guard let chip = board.chips.first(where: { $0.name == name }) else { return nil }
    if let sensor = chip.kernelSensor {
      throw .reach(chip: name, OpenError(registersOfKernelSensor: sensor.name))
    }
    guard let bus = board.bus(chip.bus) else { return nil }
    guard bus.isSimulated else {
      let reached = try builder.reach(bus, usesInterrupt: usesInterrupt) { $0.name == name }
      return reached.first.map { ExaminedChip($0, bus, self) }
    }
    let all: [ReachedChip]
    if let known = simulated[bus.name] {
      all = known
    } else {
      all = try builder.reach(bus, usesInterrupt: true) { _ in true }
      simulated[bus.name] = all
    }
    guard var reached = all.first(where: { $0.placement.name == name }) else { return nil }
    if !usesInterrupt { reached.edges = nil }
    return ExaminedChip(reached, bus, self)
  }

  /// Opens the bus, so that all of its addresses can be probed. Throws if the bus cannot be opened.
  package func probe(_ bus: BusDescription) throws(SessionError) -> BusProbe {
    do throws(OpenError) {
      switch bus.connection {
      case .i2c(let path): return try .i2c(path)
      case .spi(let path, _, _): return try .spi(path)
      case .trace: return .trace(of: board, bus)
      case .simulated: break
      }
    } catch { throw .open(error) }
    return .simulated(try builder.models(on: bus), bus)
  }

  // MARK: Drivers

  /// Runs the drivers of several chips together, each with its settings, for `span` or until `body`
  /// returns false. `body` receives the chip's index in `chips`, a reading in chip axes without
  /// calibration, and the reading's time.
  package func sample(
    _ chips: [(chip: ExaminedChip, settings: SensorSettings)], for span: TimeSpan,
    _ body: (Int, ChipReading, Timestamp) -> Bool
  ) throws(ChipError) -> [ExaminedRun] {
    var runs: [ChipRun] = []
    for (chip, settings) in chips { runs.append(try ChipRun(chip, .sampling(settings))) }
    var isOver = false
    turn(runs, until: now + span) { index, batch, driver in
      for frame in 0..<batch.frames where !isOver {
        let reading = driver.decode(batch, frame: frame)
        isOver = !body(index, reading, batch.timestamp(ofFrame: frame))
      }
      return !isOver
    }
    return runs.map { $0.finish() }
  }

  /// Runs the drivers of `runs` until `end`, or until one of them has finished.
  func turn(
    _ runs: [ChipRun], until end: Timestamp,
    _ body: (Int, borrowing RawBatch, any ChipDriver) -> Bool
  ) {
    var poller = Poller()
    for run in runs {
      if let descriptor = run.chip.edges?.fileDescriptor { poller.add(descriptor) }
    }
    var turnsAtOnce = 0
    while now < end {
      var next = end
      for (index, run) in runs.enumerated() {
        next = min(next, run.turn { body(index, $0, $1) })
      }
      guard runs.allSatisfy(\.isWanted) else { return }
      if next <= now {
        // Advance the virtual clock after 100,000 iterations of the loop. Otherwise the clock would
        // stop for a chip that is always due, on a trace whose transactions take no time.
        turnsAtOnce += 1
        if isVirtual, turnsAtOnce > 100_000 { wait(until: now + .milliseconds(1)) }
        continue
      }
      turnsAtOnce = 0
      if isVirtual { wait(until: next) } else { _ = try? poller.wait(until: next) }
    }
  }
}
