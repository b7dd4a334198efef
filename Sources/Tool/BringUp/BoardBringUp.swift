// SPDX-License-Identifier: Apache-2.0
internal import Simulation
package import Boards
internal import ChipCatalog
internal import Foundation
internal import KernelSensors
internal import LinuxBus
package import Quantities
internal import Registers
internal import MotionSources
internal import Runtime
package import Fusion
internal import Sensors

/// The sequence of all checks of a board. An earlier failure explains later ones, so the order is:
/// the bus, its addresses, each chip's identity and self-test, the samples, the interrupt line, the
/// noise, and the axes.
package struct BoardBringUp {
  package struct Options: Sendable {
    /// The duration of each check of a FIFO, an interrupt line or bus errors.
    package var span = TimeSpan.seconds(2)
    /// The duration of the noise measurement.
    package var noiseSpan = TimeSpan.seconds(6)
    /// The time that a person has for turning the board; `nil` if no person is present.
    package var timeout: TimeSpan? = .seconds(60)
    /// True if a simulated board runs in real time, so that a person can watch.
    package var isLive = false

    package init() {}
  }

  /// Callbacks about the progress of the checks.
  package struct Observer {
    package var begins: (_ check: String, _ subject: String?) -> Void = { _, _ in }
    package var ends: (CheckRecord) -> Void = { _ in }
    /// Asks the user for the next position of the board.
    package var asks: (MountingGestures.Step) -> Void = { _ in }
    package var refuses: (MountingError) -> Void = { _ in }
    /// This function is called repeatedly during a check. It returns false to stop the checks; the
    /// current check then ends early.
    package var isWanted: () -> Bool = { true }

    package init() {}
  }

  private let board: Board
  private let options: Options
  private let observer: Observer
  private var report: BringUpReport

  private init(
    _ board: Board, _ options: Options, _ observer: Observer, made: String, machine: String
  ) {
    self.board = board
    self.options = options
    self.observer = observer
    report = BringUpReport(board: board.name, file: board.file, made: made, machine: machine)
  }

  /// Checks `board`. A simulated board is at rest, or is turned when a check requires this; the
  /// rest of its simulation is unchanged, and only its own buses are checked.
  package static func run(
    _ board: Board, _ options: Options = Options(), made: String = "", machine: String = "",
    observer: Observer = Observer()
  ) -> BringUpReport {
    var run = BoardBringUp(board, options, observer, made: made, machine: machine)
    let begin = Date()
    run.checkBuses()
    run.checkAxes()
    run.report.seconds = Date().timeIntervalSince(begin)
    run.report.isSimulated = board.canRunInstantly
    run.report.notice = board.notice
    run.report.dropConsequences()
    run.report.wiring = WiringPicture(board).map {
      CheckRecord.Picture("\(board.name), pin by pin", svg: $0.svg)
    }
    return run.report
  }

  // MARK: Buses and chips

  private mutating func checkBuses() {
    let examination = Examination(board.atRest, isLive: options.isLive)
    for bus in board.buses where !board.chips(on: bus.name).isEmpty && observer.isWanted() {
      let chips = board.chips(on: bus.name)
      observer.begins("bus", bus.name)
      let probe: BusProbe
      do throws(SessionError) { probe = try examination.probe(bus) } catch {
        add(CheckRecord("bus", of: bus.name, findings: [.opening(error, of: bus.name)], "\(error)"))
        for chip in chips { skip("identity", chip.name, "its bus could not be opened") }
        continue
      }
      var scan: AddressCheck.Result?
      if bus.wire == .i2c {
        let result = AddressCheck.run(probe, name: bus.name, expecting: chips)
        scan = result
        add(result.record(of: bus))
      } else {
        add(CheckRecord("bus", of: bus.name, .passed, "\(probe.name) opens"))
      }
      for chip in chips {
        guard observer.isWanted() else { return }
        guard scan?.isBusDead != true else {
          skip("identity", chip.name, "its bus is dead")
          continue
        }
        check(chip, examination, probe, scan)
      }
    }
    for chip in board.chips {
      guard let sensor = chip.kernelSensor, begin("identity", chip.name) else { continue }
      skip(
        "identity", chip.name, "\(OpenError(registersOfKernelSensor: sensor.name))")
    }
  }

  private mutating func check(
    _ placement: ChipPlacement, _ examination: Examination, _ probe: BusProbe,
    _ scan: AddressCheck.Result?
  ) {
    let name = placement.name
    observer.begins("identity", name)
    if let host = placement.behind {
      return skip("identity", name, "sits behind '\(host)' and answers only while that runs")
    }
    let opened: ExaminedChip?
    do throws(SessionError) { opened = try open(name, examination) } catch {
      return add(
        CheckRecord("identity", of: name, findings: [.opening(error, of: name)], "\(error)"))
    }
    guard let chip = opened else { return }
    let identity = IdentityCheck.run(chip, on: probe, of: board, scan: scan)
    add(identity.record)
    guard identity.isRight else {
      return skip("self-test", name, "it is not known what the chip is")
    }
    if begin("self-test", name) { add(SelfTestCheck.run(chip).record) }
    if begin("fifo", name) {
      add(QueueCheck.run(fresh(chip, examination), for: options.span).record)
    }
    if begin("interrupt", name) {
      add(InterruptCheck.run(chip, for: options.span, searchesLines: true).record)
    }
    if begin("bus errors", name) {
      add(ErrorSoak.run(chip, for: options.span) { _ in observer.isWanted() }.record)
    }
    if begin("noise", name) {
      add(
        NoiseCheck.run(
          fresh(chip, examination), for: options.noiseSpan, isWanted: observer.isWanted
        ).record)
    }
  }

  /// Returns the chip, ready for another check: the chip of a trace is rewound to the beginning.
  private func fresh(_ chip: ExaminedChip, _ examination: Examination) -> ExaminedChip {
    guard chip.bus.isTrace else { return chip }
    return (try? examination.open(chip.placement.name)) ?? chip
  }

  /// Opens the chip, with its interrupt line if possible. If the line cannot be opened, this is
  /// reported as a separate finding.
  private mutating func open(_ name: String, _ examination: Examination) throws(SessionError)
    -> ExaminedChip?
  {
    do { return try examination.open(name) } catch {
      guard case .reach(_, let reason) = error, reason.isOfLine else { throw error }
      add(
        CheckRecord(
          "interrupt", of: name, findings: [.opening(error, of: name)], reason.description))
      return try examination.open(name, usesInterrupt: false)
    }
  }

  // MARK: Axes

  private mutating func checkAxes() {
    let sensing = board.chips.filter { chip in
      chip.behind == nil && chip.kernelSensor == nil
        && chip.sheet?.channels
          .contains { $0.channel == .acceleration } == true
    }
    guard !sensing.isEmpty, observer.isWanted() else { return }
    observer.begins("axes", nil)
    // Skip the axes if no chip with a readable identity can show which side is up.
    let dead = report.checks.filter { $0.check == "identity" && $0.state != .passed }
      .compactMap(\.subject)
    guard sensing.contains(where: { !dead.contains($0.name) }) else {
      return skip("axes", nil, "no accelerometer answers")
    }
    guard !board.buses.allSatisfy(\.isTrace) else {
      return skip("axes", nil, "the board of a trace cannot be turned")
    }
    guard let timeout = options.timeout else {
      return skip("axes", nil, "needs a person to turn the board: run it in a terminal")
    }
    guard let turned = board.turned else {
      return skip("axes", nil, "the simulated board follows its recording")
    }
    var alive = turned
    alive.chips.removeAll { dead.contains($0.name) }
    do throws(SessionError) {
      let result = try AxesCheck.run(
        Examination(alive, isLive: options.isLive), timeout: timeout, ask: observer.asks,
        refuse: observer.refuses,
        isWanted: observer.isWanted)
      add(result.record)
    } catch { add(CheckRecord("axes", of: nil, .failed, "\(error)")) }
  }

  // MARK: Records

  private func begin(_ check: String, _ subject: String?) -> Bool {
    guard observer.isWanted() else { return false }
    observer.begins(check, subject)
    return true
  }

  private mutating func add(_ record: CheckRecord) {
    report.checks.append(record)
    observer.ends(record)
  }

  private mutating func skip(_ check: String, _ subject: String?, _ why: String) {
    add(CheckRecord(check, of: subject, .skipped, why))
  }
}

extension Board {
  /// The board, kept at rest if it is simulated. A board whose file sets constant values or plays a
  /// recording is unchanged.
  package var atRest: Board { moving(.still) }

  /// Returns the board with `motion` if it is simulated and its file leaves the motion open;
  /// otherwise the unchanged board.
  fileprivate func moving(_ motion: SimulationDescription.Motion) -> Board {
    guard let simulation, !simulation.motion.isGiven else { return self }
    var board = self
    board.simulation?.motion = motion
    return board
  }

  /// The board, turned as the checks require if it is simulated; `nil` if its file fixes the
  /// simulated motion.
  fileprivate var turned: Board? {
    guard let simulation else { return self }
    return simulation.motion.isGiven ? nil : moving(.profile(.gestures))
  }
}

extension SimulationDescription.Motion {
  /// True if the board file sets constant values or plays a recording.
  fileprivate var isGiven: Bool {
    switch self {
    case .held, .recording: true
    default: false
    }
  }
}
