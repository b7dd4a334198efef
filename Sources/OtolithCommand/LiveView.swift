// SPDX-License-Identifier: Apache-2.0
import Foundation
import Otolith
import Recordings
import Synchronization

/// Follows a session and writes what it sees, until it is stopped or the time is over.
final class LiveView: Sendable {
  private let session: BoardSession
  private let format: LiveFormat
  private let frame: FrameOption
  private let declination: Double
  private let isWanted = Atomic<Bool>(true)
  private let listener: Listener?
  private let overwrittenCount = Atomic<UInt64>(0)

  init(
    _ session: BoardSession, _ format: LiveFormat, _ frame: FrameOption, declination: Double
  ) {
    self.session = session
    self.format = format
    self.frame = frame
    self.declination = declination
    listener = try? Listener()
    if let listener { session.pipeline.add(listener) }
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
    var reader = session.pipeline.motions.reader()
    defer { overwrittenCount.store(reader.missed, ordering: .relaxed) }
    var output = Output(format)
    if format == .csv, !output.write(Array(MotionFormat.csvHeader.utf8)) {
      return output.failure
    }
    var first: Timestamp?
    var reported = [ChipState](repeating: .starting, count: session.board.chips.count)
    var nextTable = Timestamp.zero
    let begin = Timestamp.now
    while isWanted.load(ordering: .acquiring) {
      report(&reported)
      var rows: [UInt8] = []
      while let motion = reader.read() {
        let start = first ?? motion.timestamp
        first = start
        let isOver = duration.map { (motion.timestamp - start).seconds >= $0 } ?? false
        if isOver {
          _ = output.write(rows)
          return output.failure
        }
        switch format {
        case .table:
          if motion.timestamp >= nextTable {
            guard output.show(motion, frame, declination, session) else { return output.failure }
            nextTable = motion.timestamp + .milliseconds(100)
          }
        case .csv: MotionFormat.appendCSV(row(motion), to: &rows)
        case .jsonl: MotionFormat.appendJSON(row(motion), to: &rows)
        }
      }
      guard output.write(rows) else { return output.failure }
      let now = Timestamp.now
      // A board that stays silent ends too: the given time, and five seconds to start up.
      if first == nil, now - begin > TimeSpan(seconds: (duration ?? 0) + 5) {
        return silence(reported)
      }
      listener?.wait(until: now + .milliseconds(500)) { reader.isBehind }
    }
    return nil
  }

  private func row(_ motion: MotionSample) -> MotionRow {
    MotionRow(motion, frame, declination: declination)
  }

  /// Says, once for each change, which chip fell silent and which came back.
  private func report(_ reported: inout [ChipState]) {
    for (index, state) in session.pipeline.chips.enumerated() where state != reported[index] {
      let chip = session.board.chips[index]
      let wasFailing = if case .failed = reported[index] { true } else { false }
      switch state {
      case .failed(let error):
        // Counters tell of hiccups; a line is for what lasts.
        if !wasFailing {
          Terminal.complain(chip.sentence(for: error, on: session.board.bus(chip.bus)))
        }
      case .delivering where wasFailing: Terminal.complain("\(chip.name): gives samples again")
      default: break
      }
      reported[index] = state
    }
  }

  private func silence(_ states: [ChipState]) -> Failure {
    for (index, state) in states.enumerated() {
      if case .failed(let error) = state {
        let chip = session.board.chips[index]
        return Failure(
          "no motion: \(chip.sentence(for: error, on: session.board.bus(chip.bus)))",
          Failure.unavailable)
      }
    }
    return Failure(
      "no motion: no chip of \(session.board.file) gives samples", Failure.unavailable)
  }

  /// The last line: what came, what was lost, what came late, what failed on the way.
  static func summary(_ session: BoardSession, overwritten: UInt64) -> String {
    let report = session.report
    let received = report.reduce(0) { $0 + $1.health.received }
    let lost = report.reduce(0) { $0 + $1.health.missing }
    let late = report.reduce(0) { $0 + $1.late }
    let errors = report.reduce(0) { $0 + $1.health.busErrors }
    var line =
      "received \(received) samples, lost \(lost), late \(late), bus errors \(errors)"
    if overwritten > 0 { line += "; \(overwritten) not shown, the output was too slow" }
    return line
  }
}
