// SPDX-License-Identifier: Apache-2.0
import SourceReading
import CommandOutput
internal import Runtime
import Foundation
import Otolith
import Recordings
import Sensors
import Synchronization

/// A view that prints the values of a motion source until `stop` is called or the duration has
/// elapsed.
final class LiveView: Sendable {
  private let source: any MotionSource
  private let format: LiveFormat
  private let frame: FrameOption
  private let declination: Double
  /// The number of motions printed per second; if `nil`, all motions are printed.
  private let rate: Double?
  private let isWanted = Atomic<Bool>(true)
  private let waker: Waker?
  private let counts: SourceCounts
  private let overwrittenCount = Atomic<UInt64>(0)
  private let seenCount = Atomic<UInt64>(0)
  private let shownCount = Atomic<UInt64>(0)

  init(
    _ source: any MotionSource, _ format: LiveFormat, _ frame: FrameOption, declination: Double,
    rate: Double?
  ) {
    self.source = source
    self.rate = rate
    counts = SourceCounts(of: source)
    self.format = format
    self.frame = frame
    self.declination = declination
    waker = try? Waker()
    if let waker { source.pipeline.add(waker) }
  }

  /// The number of motions that were overwritten before this view read them.
  var overwritten: UInt64 { overwrittenCount.load(ordering: .relaxed) }

  /// Ends `follow`. This function can be called on any thread.
  func stop() {
    isWanted.store(false, ordering: .releasing)
    waker?.wake()
  }

  /// Prints motion for `duration` seconds of data, or until the view is stopped. Returns the error
  /// if there was one.
  func follow(for duration: Double?) -> Failure? {
    var reader = source.pipeline.motions.reader()
    var auxiliary = AuxiliaryReader(source)
    defer { overwrittenCount.store(reader.missed, ordering: .relaxed) }
    var output = Output(format)
    if format == .csv, !output.write(Array(MotionFormat.csvHeader(with: source.channels).utf8)) {
      return output.failure
    }
    var first: Timestamp?
    var watch = ChipWatch(of: source)
    var thinning = Decimation(interval: rate.map { 1 / $0 } ?? (format == .table ? 0.1 : 0))
    let thins = rate != nil || format == .table
    let begin = Timestamp.now
    /// The number of motions so far, and the time when the newest arrived.
    var (seen, arrival) = (UInt64(0), begin)
    while isWanted.load(ordering: .acquiring) {
      watch.report()
      var rows: [UInt8] = []
      while let motion = reader.read() {
        let start = first ?? motion.timestamp
        first = start
        let isOver = duration.map { (motion.timestamp - start).seconds >= $0 } ?? false
        if isOver {
          _ = output.write(rows)
          return output.failure
        }
        auxiliary.follow(until: motion.timestamp)
        seenCount.add(1, ordering: .relaxed)
        if thins, !thinning.takes(motion.timestamp.seconds) { continue }
        shownCount.add(1, ordering: .relaxed)
        switch format {
        case .table:
          guard output.show(motion, auxiliary.newest, frame, declination, source) else {
            return output.failure
          }
        case .csv:
          MotionFormat.appendCSV(row(motion, auxiliary.newest), with: source.channels, to: &rows)
        case .jsonl: MotionFormat.appendJSON(row(motion, auxiliary.newest), to: &rows)
        }
      }
      guard output.write(rows) else { return output.failure }
      let now = Timestamp.now
      if seenCount.load(ordering: .relaxed) != seen {
        (seen, arrival) = (seenCount.load(ordering: .relaxed), now)
      }
      // End if nothing has arrived for five seconds, and the duration plus five seconds for the
      // start have elapsed.
      if first == nil || duration != nil, now - begin > TimeSpan(seconds: (duration ?? 0) + 5),
        now - arrival > .seconds(5)
      {
        return watch.silence
      }
      // If the output rate is limited, wake only for motions that are printed.
      let due = thins ? min(thinning.due, (first?.seconds ?? 0) + (duration ?? .infinity)) : 0
      waker?.wait(
        until: now + .milliseconds(500), notBefore: due > 0 ? Timestamp(seconds: due) : .zero
      ) { reader.isBehind }
    }
    return nil
  }

  private func row(_ motion: MotionSample, _ auxiliary: AuxiliaryReadings) -> MotionRow {
    var row = MotionRow(motion, frame, declination: declination)
    auxiliary.add(to: &row)
    return row
  }

  /// The final line with the counts of motions, lost and late samples, and errors.
  var summary: String {
    var line = counts.line
    if rate != nil {
      line +=
        "; \(shownCount.load(ordering: .relaxed)) of \(seenCount.load(ordering: .relaxed)) motions "
        + "shown"
    }
    if overwritten > 0 { line += "; \(overwritten) not shown, because the output was too slow" }
    return line
  }
}
