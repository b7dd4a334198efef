// SPDX-License-Identifier: Apache-2.0
public import Boards
internal import MotionSources
public import Runtime
internal import ChipCatalog
public import Quantities
public import Registers
internal import Sampling
public import Sensors

/// Lets the drivers of a board do again what they did while a trace of it was recorded, in recorded
/// time: they are called at the same moments, and clock and chip answer the same. As long as they
/// ask the same, their samples are the same, to the last bit.
public struct TracePlayback {
  /// The outcome of one chip.
  public struct Chip: Sendable {
    public var name: String
    /// The counts of its driver, all runs together.
    public var health = Health()
    /// The counts while it was recorded; `nil` where the trace ends before that.
    public var recordedHealth: Health?
    public var samples = 0
    /// The places where its driver now asks something else, the first hundred.
    public var divergences: [ChipTrace.Divergence] = []
    public var divergenceCount = 0
    /// The last thing that it failed with, and how often.
    public var error: ChipError?
    public var failures = 0
  }

  private let board: Board
  private let trace: Trace

  /// A playback of the trace of `board`; `nil` for a board that is no trace.
  public init?(_ board: Board) {
    guard let trace = board.trace else { return nil }
    self.board = board
    self.trace = trace
  }

  /// The channels that each chip of the board is used for: of two that sample the same the first.
  public var channelsUsed: [ChannelSet] {
    MotionPipeline.channelsUsed(of: board.chips.map { BoardSession.channels(of: $0) })
  }

  /// Plays it from begin to end. `receive` is given every sample as it comes, with its chip's place
  /// in the board: of the chips in turn, so not quite in the order of their times. Returns one of
  /// each chip of the board. Throws where a chip cannot be set as the board file asks.
  public func run(_ receive: (Sample, Int) -> Void) throws(SessionError) -> [Chip] {
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
      // Other entries of the table have no part in what a driver does.
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
      case .health(let health):
        chips[source].recordedHealth = (chips[source].recordedHealth ?? Health()) + health
      case .clock, .transaction, .hole, .ended: break
      }
    }
    for (name, player) in players {
      guard let source = sources[name] else { continue }
      chips[source].health = player.health
      chips[source].divergences = player.answers.divergences
      chips[source].divergenceCount = player.answers.divergenceCount
    }
    return chips
  }
}

/// A chip of the board with its driver over its trace.
private final class PlayedChip {
  let answers: ChipTrace
  private let entry: CatalogEntry
  private let placement: ChipPlacement
  private let calibration: ChipCalibration
  private let source: Int
  private(set) var slot: ReaderSlot?
  /// The newest before the present line.
  var edges = Event.due
  /// Of drivers before the present one: each opening makes a new one, which counts from zero.
  private var earlier = Health()

  var health: Health { earlier + (slot?.driver.health ?? Health()) }

  init(_ board: Board, _ trace: Trace, _ source: Int) throws(SessionError) {
    placement = board.chips[source]
    self.source = source
    // The parser has found the name in this very catalogue.
    guard let entry = ChipCatalog.entry(named: placement.chip) else {
      throw .setting(chip: placement.name, .unsupportedSetting)
    }
    self.entry = entry
    calibration = board.calibration?.chips[placement.name]?.errors ?? ChipCalibration()
    answers = ChipTrace(
      trace, chip: placement.name, queues: entry.queueRegisters, places: entry.places, isExact: true
    )
    try open()
  }

  /// Makes the driver, as the one that was recorded was made when its bus was opened.
  func open() throws(SessionError) {
    earlier = health
    let driver = entry.driver(HostConnection(TracePort(replaying: answers)))
    let settings: SensorSettings
    do { settings = try driver.configure(placement.settings) } catch {
      throw .setting(chip: placement.name, error)
    }
    // Who is behind whom was seen to when it was recorded: a step that did not take place is not in
    // the trace.
    slot = ReaderSlot(
      source: source, driver: driver, mounting: placement.mounting, calibration: calibration,
      rate: settings.rate, patience: settings.patience)
  }
}

/// The samples, or the error, of a step.
private final class PlayedSamples: SampleConsumer {
  var samples: [Sample] = []
  var error: ChipError?

  func receive(_ sample: Sample, from source: Int) { samples.append(sample) }
  func chip(_ source: Int, failed error: ChipError) { self.error = error }
  func chipRecovered(_ source: Int) {}
}
