// SPDX-License-Identifier: Apache-2.0
import Foundation
import Otolith
import Recordings
import Runtime
import Sampling
import Sensors
import Synchronization

/// Follows a source of motion and writes what it sees, until it is stopped or the time is over.
final class LiveView: Sendable {
  private let source: any MotionSource
  private let format: LiveFormat
  private let frame: FrameOption
  private let declination: Double
  private let isWanted = Atomic<Bool>(true)
  private let listener: Listener?
  /// The chips' counts from before: a service's may have run for long.
  private let before: [ChipReport]
  private let overwrittenCount = Atomic<UInt64>(0)

  init(
    _ source: any MotionSource, _ format: LiveFormat, _ frame: FrameOption, declination: Double
  ) {
    self.source = source
    before = source.report
    self.format = format
    self.frame = frame
    self.declination = declination
    listener = try? Listener()
    if let listener { source.pipeline.add(listener) }
  }

  /// Motions that this view was too slow to see.
  var overwritten: UInt64 { overwrittenCount.load(ordering: .relaxed) }

  /// Ends `follow`, from any thread.
  func stop() {
    isWanted.store(false, ordering: .releasing)
    listener?.wake()
  }

  /// Writes motion for so many seconds of data, or until stopped. Returns what went wrong.
  func follow(for duration: Double?) -> Failure? {
    var reader = source.pipeline.motions.reader()
    var beside = BesideFollower(source)
    defer { overwrittenCount.store(reader.missed, ordering: .relaxed) }
    var output = Output(format)
    if format == .csv, !output.write(Array(MotionFormat.csvHeader(with: source.channels).utf8)) {
      return output.failure
    }
    var first: Timestamp?
    var silent: Set<Int> = []
    var nextTable = Timestamp.zero
    let begin = Timestamp.now
    while isWanted.load(ordering: .acquiring) {
      report(&silent)
      var rows: [UInt8] = []
      while let motion = reader.read() {
        let start = first ?? motion.timestamp
        first = start
        let isOver = duration.map { (motion.timestamp - start).seconds >= $0 } ?? false
        if isOver {
          _ = output.write(rows)
          return output.failure
        }
        beside.follow(until: motion.timestamp)
        switch format {
        case .table:
          if motion.timestamp >= nextTable {
            guard output.show(motion, beside.newest, frame, declination, source) else {
              return output.failure
            }
            nextTable = motion.timestamp + .milliseconds(100)
          }
        case .csv:
          MotionFormat.appendCSV(row(motion, beside.newest), with: source.channels, to: &rows)
        case .jsonl: MotionFormat.appendJSON(row(motion, beside.newest), to: &rows)
        }
      }
      guard output.write(rows) else { return output.failure }
      let now = Timestamp.now
      // A board that stays silent ends too: the given time, and five seconds to start up.
      if first == nil, now - begin > TimeSpan(seconds: (duration ?? 0) + 5) {
        return silence()
      }
      listener?.wait(until: now + .milliseconds(500)) { reader.isBehind }
    }
    return nil
  }

  private func row(_ motion: MotionSample, _ beside: BesideMotion) -> MotionRow {
    var row = MotionRow(motion, frame, declination: declination)
    beside.add(to: &row)
    return row
  }

  /// Says, once for each change, which chip fell silent and which came back; one that is starting
  /// again has not yet.
  private func report(_ silent: inout Set<Int>) {
    var said: [String] = []
    for (index, state) in source.pipeline.chips.enumerated() {
      switch state {
      case .failed(let error):
        // Counters tell of hiccups; a line is for what lasts.
        guard silent.insert(index).inserted else { continue }
        let sentence = source.sentence(for: error, ofChip: index)
        // A service that is gone is one line, however many chips it has.
        if !said.contains(sentence) { Terminal.complain(sentence) }
        said.append(sentence)
      case .delivering:
        guard silent.remove(index) != nil else { continue }
        Terminal.complain("\(source.name(ofChip: index)): gives samples again")
      case .starting: break
      }
    }
  }

  private func silence() -> Failure {
    for (index, state) in source.pipeline.chips.enumerated() {
      if case .failed(let error) = state {
        return Failure(
          "no motion: \(source.sentence(for: error, ofChip: index))", Failure.unavailable)
      }
    }
    return Failure(
      "no motion: no chip of \(source.place) gives samples", Failure.unavailable)
  }

  /// The last line: what came, what was lost, what came late, what failed on the way.
  var summary: String {
    let report = source.report
    func sum(_ count: (ChipReport) -> UInt64) -> UInt64 {
      let now = report.reduce(0) { $0 + count($1) }
      let then = before.reduce(0) { $0 + count($1) }
      // A service that started its board anew counts from zero.
      return now >= then ? now - then : now
    }
    let received =
      source is ServiceSource ? source.pipeline.samples.count : sum(\.health.received)
    var line =
      "received \(received) samples, lost \(sum(\.health.missing)), "
      + "late \(sum(\.late)), bus errors \(sum(\.health.busErrors))"
    let missed = source.pipeline.overwritten
    if missed > 0 { line += "; \(missed) missed, this program was too slow for the service" }
    if overwritten > 0 { line += "; \(overwritten) not shown, the output was too slow" }
    return line
  }
}
