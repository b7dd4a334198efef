// SPDX-License-Identifier: Apache-2.0
import BringUp
import Simulation
import BusTraces
import Boards
import ChipCatalog
import Foundation
import Quantities
import Recordings
import Registers
import MotionSources
import Sampling
import Sensors
import Testing

/// Collects everything that a board delivers.
final class Collector: SampleConsumer {
  var samples: [Sample] = []
  var errors: [ChipError] = []

  func receive(_ sample: Sample, from source: Int) { samples.append(sample) }
  func chip(_ source: Int, failed error: ChipError) { errors.append(error) }
  func chipRecovered(_ source: Int) {}
}

/// A simulated board that ran on a virtual clock, and its trace.
struct Recorded {
  let live = Collector()
  let health: Health
  let trace: String
  let recorder: TraceRecorder

  init(
    _ text: String, for span: TimeSpan = .seconds(1), recorder: TraceRecorder = TraceRecorder()
  ) throws {
    let board = try BoardFile.parse(
      text, file: "live.yaml", catalogue: ChipCatalog.descriptions)
    self.recorder = recorder
    let clock = VirtualClock(now: Timestamp(nanoseconds: 77_000_000_123))
    let origin = clock.now
    let bus = try BoardBuilder(board, clock: clock, recorder: recorder)
      .build(try #require(board.buses.first))
    Recorded.run(bus.reader, clock, for: span, to: live)
    _ = bus.reader.stop()
    recorder.end(at: clock.now)
    health = try #require(bus.reader.slots.first).driver.health
    var lines: [UInt8] = []
    _ = recorder.take(from: origin, into: &lines)
    let header = TraceHeader(
      origin: origin, facts: [("otolith", "0.1.0")], board: BoardFile.shareableText(of: board),
      calibration: board.calibration?.text)
    trace = header.text + String(decoding: lines, as: UTF8.self)
  }

  /// Reads a bus for `span`, like a reader thread.
  static func run(
    _ reader: BusReader, _ clock: VirtualClock, for span: TimeSpan, to consumer: Collector
  ) {
    reader.start(at: clock.now)
    let end = clock.now + span
    while clock.now < end {
      let next = reader.turn(at: clock.now, to: consumer)
      clock.advance(to: min(next, end))
    }
  }

  /// Returns a board file with one chip.
  static func board(_ chip: String, _ keys: String, faults: String = "[]") -> String {
    """
    otolith-board: 1
    name: One chip
    buses: { wire: { simulated: i2c } }
    chips:
      chip:
        chip: \(chip)
        on: wire
    \(keys.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
    simulation: { motion: sway, seed: 3, faults: \(faults) }
    """
  }
}

/// Returns the board of the trace `text`.
func traced(_ text: String) throws -> Board {
  let path = "/tmp/otolith-\(UInt64.random(in: 0 ... .max)).trace"
  var writer = try FileWriter(path: path)
  try writer.write(Array(text.utf8))
  try writer.commit()
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try BoardFile.load(path: path, catalogue: ChipCatalog.descriptions)
}

/// The results of a playback.
struct Played {
  var samples: [Sample] = []
  var chips: [TracePlayback.Chip]

  init(_ board: Board) throws {
    var samples: [Sample] = []
    chips = try #require(TracePlayback(board)).run { sample, _ in samples.append(sample) }
    self.samples = samples
  }
}
