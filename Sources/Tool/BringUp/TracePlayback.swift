// SPDX-License-Identifier: Apache-2.0
package import BusTraces
package import Boards
internal import MotionSources
package import Runtime
internal import ChipCatalog
package import Quantities
package import Registers
internal import Sampling
package import Sensors

/// The playback of a bus trace to a board's drivers. The drivers run at the recorded times, with
/// the recorded clock and chip responses. While they make the recorded requests, their samples are
/// identical to the recorded samples, to the last bit.
package struct TracePlayback {
  /// The outcome for one chip.
  package struct Chip: Sendable {
    package var name: String
    /// The counters of the chip's drivers, summed over all runs.
    package var health = Health()
    /// The recorded counters; `nil` if the trace ends before it contains them.
    package var recordedHealth: Health?
    /// False if an older version wrote the trace, which then lacks newer counters.
    package var hasAllCounters = true
    package var samples = 0
    /// The first hundred places where the driver's request differs from the recorded request.
    package var divergences: [ChipTrace.Divergence] = []
    package var divergenceCount = 0
    /// Remarks about an identity that belongs to another chip, and about readings that are stuck or
    /// not valid measurements.
    package var notes: [String] = []
    /// The last error, and the number of errors.
    package var error: ChipError?
    package var failures = 0

    /// True if no sample came because the driver's requests differ from the recorded requests.
    package var isUnrepeatable: Bool { samples == 0 && divergenceCount > 0 }

    /// A remark about requests that differ from the recorded requests; `nil` if there are none.
    package var divergenceRemark: String? {
      guard let first = divergences.first else { return nil }
      let count = divergenceCount == 1 ? "1 request differs" : "\(divergenceCount) requests differ"
      let effect =
        isUnrepeatable
        ? "the recorded samples cannot be repeated"
        : "samples after it may not be the recorded ones"
      return "\(count) from the recorded ones, the first in line \(first.line), because another "
        + "version of the driver recorded the trace: \(effect); record it again with this version"
    }
  }

  private let board: Board
  private let trace: Trace

  /// Prepares the playback of the trace of `board`; returns `nil` if the board has none.
  package init?(_ board: Board) {
    guard let trace = board.trace else { return nil }
    self.board = board
    self.trace = trace
  }

  /// The combination that turns the samples of the board's chips into the samples for motion.
  package var combination: SensorCombination { SensorCombination(board.pipelineChips) }

  /// Plays the whole trace. `receive` gets every sample and the index of the sample's chip in the
  /// board. Samples come in the order of reading, so their times are not strictly sorted. Returns
  /// one outcome per chip. Throws if a chip does not support the board file's settings.
  package func run(_ receive: (Sample, Int) -> Void) throws(SessionError) -> [Chip] {
    let collector = PlayedSamples()
    var players: [String: PlayedChip] = [:]
    var chips = board.chips.map { Chip(name: $0.name) }
    let sources = Dictionary(
      board.chips.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for (line, event) in zip(trace.lines, trace.events) {
      guard let source = sources[event.chip] else { continue }
      if players[event.chip] == nil {
        players[event.chip] = try PlayedChip(board, trace, source)
      }
      guard let player = players[event.chip] else { continue }
      switch event.kind {
      case .opened: try player.open()
      case .started: player.slot?.driver.start()
      case .selfTestStarted: try? player.slot?.driver.startSelfTest()
      case .stopped: try? player.slot?.driver.stop()
      case .edges(let count, let newest): player.edges = Event(edges: count, edgeTime: newest)
      case .stepped(let isEdge):
        player.answers.goToStep(atLine: line)
        player.slot?.step(isEdge ? player.edges : .due, at: event.time, to: collector)
        for sample in collector.samples { receive(sample, source) }
        chips[source].samples += collector.samples.count
        collector.samples.removeAll(keepingCapacity: true)
        if let error = collector.error {
          chips[source].error = error
          chips[source].failures += 1
          collector.error = nil
        }
      case .health(let health, let isComplete):
        chips[source].recordedHealth = (chips[source].recordedHealth ?? Health()) + health
        if !isComplete { chips[source].hasAllCounters = false }
      // Trace entries of these kinds do not concern the driver.
      case .clock, .transaction, .hole, .ended: break
      }
    }
    for (name, player) in players {
      guard let source = sources[name] else { continue }
      chips[source].health = player.health
      chips[source].notes = player.notes(isNoisy: board.isNoisy)
      chips[source].divergences = player.answers.divergences
      chips[source].divergenceCount = player.answers.divergenceCount
    }
    return chips
  }
}

/// A chip on the board. Its driver reads from the trace instead of the bus.
private final class PlayedChip {
  let answers: ChipTrace
  private let entry: CatalogEntry
  private let placement: ChipPlacement
  private let calibration: ChipCalibration
  private let source: Int
  private(set) var slot: ReaderSlot?
  /// The most recent interrupt edges recorded before the current line of the trace.
  var edges = Event.due
  /// The counters of earlier drivers. They are kept because each time the bus is opened, a new
  /// driver starts to count from zero.
  private var earlier = Health()

  var health: Health { earlier + (slot?.driver.health ?? Health()) }

  /// Returns the remarks about the recorded identity and about the most recent driver's readings.
  /// If `isNoisy` is false, values may repeat without a remark.
  func notes(isNoisy: Bool) -> [String] {
    guard let quality = slot?.quality else { return [] }
    let stuck = isNoisy ? placement.stuckChannels(quality) : []
    return [
      identityRemark, placement.invalidRemark(quality), placement.stuckRemark(stuck),
      placement.clippedRemark(quality.pinned.ends(of: placement)),
    ].compactMap(\.self)
  }

  /// The remark about an identity that belongs to another chip; `nil` if the identity is right.
  private var identityRemark: String? {
    let described = entry.description.identity
    guard let identity = answers.opened?.identity, !described.supported.contains(identity),
      described.copies[identity] == nil
    else { return nil }
    let (title, value) = (entry.description.title, "0x" + hexadecimal(identity))
    if answers.bank != 0 {
      return
        "the identity register held \(value), because register bank \(answers.bank) was selected: another "
        + "program left it so; the identity of \(title) is in bank 0, which otolith run and otolith bringup select"
    }
    return
      "the identity register held \(value), which is not the identity of \(title): check the board file's chip and address"
  }

  init(_ board: Board, _ trace: Trace, _ source: Int) throws(SessionError) {
    placement = board.chips[source]
    self.source = source
    // A missing catalogue entry cannot occur, because the parser found the chip's kind in the same
    // catalogue.
    guard let entry = ChipCatalog.entry(named: placement.chip) else {
      throw .setting(chip: placement.name, .unsupportedSetting)
    }
    self.entry = entry
    calibration = board.calibration?.chips[placement.name]?.errors ?? ChipCalibration()
    answers = ChipTrace(
      trace, chip: placement.name, queues: entry.queueRegisters, places: entry.places,
      firmware: entry.description.firmware, isExact: true
    )
    try open()
  }

  /// Creates a new driver, as the recording program did when it opened the chip's bus.
  func open() throws(SessionError) {
    earlier = health
    let driver = entry.driver(HostConnection(TracePort(replaying: answers)))
    let settings: SensorSettings
    do { settings = try driver.configure(placement.settings) } catch {
      throw .setting(chip: placement.name, error)
    }
    // Chips behind a host chip need no special order, because a step that did not happen is not in
    // the trace.
    let slot = ReaderSlot(
      source: source, driver: driver, mounting: placement.mounting, calibration: calibration,
      rate: settings.rate, latenessLimit: settings.latenessLimit)
    slot.expect(entry.description.countSizes(with: settings))
    self.slot = slot
  }
}

/// A receiver for the samples or the error of one step.
private final class PlayedSamples: SampleConsumer {
  var samples: [Sample] = []
  var error: ChipError?

  func receive(_ sample: Sample, from source: Int) { samples.append(sample) }
  func chip(_ source: Int, failed error: ChipError) { self.error = error }
  func chipRecovered(_ source: Int) {}
}
