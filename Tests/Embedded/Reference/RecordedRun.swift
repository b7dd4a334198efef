// SPDX-License-Identifier: Apache-2.0
import BusTraces
import Boards
import ChipCatalog
import Foundation
import Quantities
import Registers
import MotionSources
import Sampling
import Sensors

/// A simulated board that was read as on Linux, and the trace of its buses.
struct RecordedRun {
  /// The samples of all chips in order of delivery.
  let samples: [Sample]
  /// The board whose buses are the trace.
  let traced: Board

  init(_ board: Board, for span: TimeSpan) throws {
    let recorder = TraceRecorder(capacity: 4_000_000)
    let clock = MicrosecondClock()
    let origin = clock.now
    let collector = Collector()
    let builder = BoardBuilder(board, clock: clock, recorder: recorder)
    let buses = try board.buses.map { bus throws in try builder.build(bus) }
    for bus in buses { bus.reader.start(at: clock.now) }
    let end = clock.now + span
    while clock.now < end {
      var next = end
      for bus in buses { next = min(next, bus.reader.turn(at: clock.now, to: collector)) }
      clock.advance(to: next)
    }
    for bus in buses { _ = bus.reader.stop() }
    recorder.end(at: clock.now)
    samples = collector.samples

    var lines: [UInt8] = []
    let (_, dropped) = recorder.take(from: origin, into: &lines)
    guard dropped == 0 else { throw ReferenceError("\(dropped) events did not fit the recorder") }
    let header = TraceHeader(
      origin: origin, board: BoardFile.shareableText(of: board), calibration: nil)
    let path = FileManager.default.temporaryDirectory
      .appending(path: "otolith-\(UInt64.random(in: 0 ... .max)).trace")
    try (Data(header.text.utf8) + Data(lines)).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    traced = try BoardFile.load(path: path.path, catalogue: ChipCatalog.descriptions)
  }
}

private final class Collector: SampleConsumer {
  var samples: [Sample] = []

  func receive(_ sample: Sample, from source: Int) { samples.append(sample) }
  func chip(_ source: Int, failed error: ChipError) {}
  func chipRecovered(_ source: Int) {}
}
