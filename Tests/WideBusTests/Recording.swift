// SPDX-License-Identifier: Apache-2.0
import Simulation
import BusTraces
import Boards
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

/// A trace of what was done to a chip that is not in the catalog.
struct Recording {
  let trace: Trace
  /// The trace's lines without times and names.
  let events: [String]

  /// Records what `body` does to the chip of `bench`, after its registers were read.
  static func of(
    _ bench: Bench, _ chip: String, rows: [RegisterRow],
    window: RegisterWindow? = nil, _ body: (inout BankedBus<HostConnection>) throws -> Void
  ) throws -> Recording {
    let recorder = TraceRecorder()
    let origin = bench.bus.clock.now
    let port = RecordingPort(bench.port, of: "chip", to: recorder)
    port.begin(TracedChip(chip, .i2c), called: "chip")
    PortRegisters(port).readAll(rows.filter { $0.isReadable && $0.effect == .none })
    var bus = BankedBus(HostConnection(port), window ?? .none)
    let driver = RecordingDriver(OneStep(), over: port)
    driver.start()
    var batch = RawBatch()
    _ = try driver.step(.due, into: &batch)
    try body(&bus)
    recorder.end(at: bench.bus.clock.now)
    var lines: [UInt8] = []
    _ = recorder.take(from: origin, into: &lines)
    let header = TraceHeader(origin: origin, board: "otolith-board: 1\n")
    let text = header.text + String(decoding: lines, as: UTF8.self)
    let events = text.split(separator: "\n").drop { $0 != "events:" }.dropFirst()
      .map { $0.split(separator: " ", maxSplits: 2).last.map(String.init) ?? "" }
    return Recording(
      trace: try Trace(bytes: Array(text.utf8), file: "made-up.trace"),
      events: events.filter { $0 != "now" && !$0.hasPrefix("open") })
  }

  func chip(_ places: RegisterPlaces, isExact: Bool) throws -> ChipTrace {
    let answers = ChipTrace(trace, chip: "chip", queues: [], places: places, isExact: isExact)
    // All was done in one step, to which the trace is advanced.
    let step = zip(trace.lines, trace.events).first {
      if case .stepped = $0.1.kind { true } else { false }
    }
    if isExact, let step { answers.goToStep(atLine: step.0) }
    return answers
  }
}

/// A driver that does nothing when it is stepped: a trace records its calls, and begins with the
/// contents of the registers before them.
private final class OneStep: ChipDriver {
  var channels: ChannelSet { [] }
  var health: Health { Health() }
  var now: Timestamp { .zero }
  var identity: UInt8? { nil }
  func range(of channel: Channel, at index: Int) -> Scalar? { nil }
  func rate(at index: Int) -> Scalar? { nil }
  func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings { settings }
  func start() {}
  func startSelfTest() throws(ChipError) { throw .unsupportedSetting }
  func stop() throws(ChipError) {}
  func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> NextStep { .never }
  func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading { ChipReading() }
}
