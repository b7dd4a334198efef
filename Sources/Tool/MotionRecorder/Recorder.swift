// SPDX-License-Identifier: Apache-2.0
package import SourceReading
package import CommandOutput
import Foundation
package import LinuxSystem
import Otolith
package import Recordings
package import MotionSources
package import Runtime

/// A recorder that writes a source's samples and motions into log files. The sensors never wait for
/// a disk: the source overwrites its rings, and overwritten items are counted.
package final class Recorder {
  package struct Log {
    let format: LogFormat
    package let file: RotatingLog<LogFile>

    package init(format: LogFormat, file: RotatingLog<LogFile>) {
      (self.format, self.file) = (format, file)
    }
  }

  private struct Row: Sendable {
    var sample: Sample
    /// The values of the channels that are recorded separately for each chip.
    var spare: Sample?
    /// The index of the chip in the board.
    var source: Int
    var lost: UInt64
  }

  private let source: any MotionSource
  private let samples: Log?
  private let motions: Log?
  private var messages: MessageLog?
  private let frame: FrameOption
  private let declination: Double
  private let duration: Double?
  private let counts: SourceCounts
  private var clock = UTCClock()

  private let chips: ChipColumns
  private var sampleReader: RingReader<SourcedSample>
  private var spareReader: RingReader<SourcedSample>?
  private var motionReader: RingReader<MotionSample>
  private var auxiliary: AuxiliaryReader
  private var order = TimeOrder<Row>()
  /// The numbers of lost samples and motions that no written row has reported yet.
  private var lostSamples: UInt64 = 0
  private var lostMotions: UInt64 = 0
  /// The numbers of items that the source overwrote before they were read.
  private var overtaken: (samples: UInt64, spare: UInt64, motions: UInt64) = (0, 0, 0)
  private var disordered: UInt64 = 0
  /// The time of the first sample or motion, at which the duration starts.
  private var first: Timestamp?
  private var newest: Timestamp?
  private var isOver = false
  /// The reason why writing failed; `nil` if the reader merely closed the pipe.
  package private(set) var failure: Failure?

  package init(
    _ source: any MotionSource, samples: Log?, motions: Log?, messages: MessageLog?,
    frame: FrameOption, duration: Double?
  ) {
    self.source = source
    self.samples = samples
    self.motions = motions
    self.messages = messages
    self.frame = frame
    self.duration = duration
    declination = source.declination ?? 0
    counts = SourceCounts(of: source)
    chips = source.chipColumns
    sampleReader = source.pipeline.samples.reader()
    spareReader = samples == nil && messages == nil ? nil : source.pipeline.chipSamples()
    motionReader = source.pipeline.motions.reader()
    auxiliary = AuxiliaryReader(source)
  }

  // MARK: Duration

  /// Records from a running source until `wakeEvent` is signalled, the duration has elapsed, or
  /// writing fails.
  package func follow(until wakeEvent: WakeEvent) {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    var watch = ChipWatch(of: source)
    let begin = Timestamp.now
    /// The timestamp of the newest item, and the time when this item was read.
    var (seen, arrival) = (newest, begin)
    var nextSync = begin
    while wakeEvent.drain() == 0 {
      watch.report()
      clock.set()
      attempt { () throws(FileWriterError) in
        try take()
        try flush()
      }
      if isOver { return }
      let now = Timestamp.now
      if newest != seen { (seen, arrival) = (newest, now) }
      // End if nothing has arrived for five seconds, and the duration plus five seconds for the
      // start have elapsed.
      if let duration, now - begin > TimeSpan(seconds: duration + 5), now - arrival > .seconds(5) {
        finish()
        if failure == nil { failure = watch.silence }
        return
      }
      if now >= nextSync {
        nextSync = now + .seconds(1)
        attempt { () throws(FileWriterError) in
          try samples?.file.sync()
          try motions?.file.sync()
          try messages?.file.sync()
        }
        if isOver { return }
      }
      _ = try? poller.wait(until: now + .milliseconds(50))
    }
  }

  /// Records a simulated board on a virtual clock, without waiting.
  package func followInstantly(_ board: BoardSession, until wakeEvent: WakeEvent)
    throws(SessionError)
  {
    clock.fix(at: Timestamp(nanoseconds: 1_000_000_000))
    var progress = ProgressLine("record")
    defer { progress.end() }
    // Run ten seconds longer than the duration, because the chips need time to start.
    var watch = ChipWatch(of: source)
    try board.runInstantly(for: TimeSpan(seconds: (duration ?? 0) + 10)) {
      watch.report()
      if let first, let newest, let duration { progress.show((newest - first).seconds / duration) }
      attempt { () throws(FileWriterError) in
        try take()
        try flush(ifBeyond: 1 << 16)
      }
      return !isOver && wakeEvent.drain() == 0
    }
    if first == nil, failure == nil { failure = ChipWatch(of: source).silence }
  }

  /// Writes the rows that are still held. Call this function after the source has stopped.
  package func finish() {
    guard failure == nil else { return }
    attempt { () throws(FileWriterError) in
      try take()
      try write(all: true)
      try samples?.file.finish()
      try motions?.file.finish()
      try messages?.file.finish()
    }
  }

  /// Deletes the files of a recording that received no sample.
  package func discard() {
    samples?.file.discard()
    motions?.file.discard()
    messages?.file.discard()
  }

  private func attempt(_ body: () throws(FileWriterError) -> Void) {
    do throws(FileWriterError) { try body() } catch {
      isOver = true
      // It is not an error if the reader of a pipe closes it (`| head`).
      if error.kind != .readerGone { failure = Failure(error) }
    }
  }

  private func flush(ifBeyond bytes: Int = 0) throws(FileWriterError) {
    try samples?.file.flush(ifBeyond: bytes)
    try motions?.file.flush(ifBeyond: bytes)
    try messages?.file.flush(ifBeyond: bytes)
  }

  // MARK: Rows

  /// Reads the samples and motions that are new in the source's rings.
  private func take() throws(FileWriterError) {
    while let sourced = sampleReader.read() {
      lostSamples += UInt64(sourced.sample.missing) + sampleReader.missed - overtaken.samples
      overtaken.samples = sampleReader.missed
      let sample = sourced.sample
      guard isWanted(sample.timestamp) else { continue }
      add(Row(sample: sample, source: Int(sourced.source), lost: 0))
      try messages?.add(sample, stamp: clock.nanoseconds(sample.timestamp))
    }
    try takeSpare()
    try messages?.addStatus()
    try write(all: false)
    guard motions != nil || messages != nil else { return }
    let biasSigma = messages == nil ? 0 : source.calibration.gyroBiasSigma
    while let motion = motionReader.read() {
      lostMotions += UInt64(motion.missing) + motionReader.missed - overtaken.motions
      overtaken.motions = motionReader.missed
      guard isWanted(motion.timestamp) else { continue }
      auxiliary.follow(until: motion.timestamp)
      var row = MotionRow(motion, frame, declination: declination)
      auxiliary.newest.add(to: &row)
      try messages?.add(
        row, of: motion, biasSigma: biasSigma, stamp: clock.nanoseconds(motion.timestamp))
      guard let motions else { continue }
      let line = motions.format.line(
        row, source.channels, utc: clock.text(motion.timestamp), lost: lostMotions)
      lostMotions = 0
      try motions.file.append(line, at: motion.timestamp)
    }
  }

  /// Reads the new samples of the channels that are recorded separately for each chip.
  private func takeSpare() throws(FileWriterError) {
    while let sourced = spareReader?.read() {
      let missed = spareReader?.missed ?? 0
      lostSamples += UInt64(sourced.sample.missing) + missed - overtaken.spare
      overtaken.spare = missed
      let sample = sourced.sample
      guard isWanted(sample.timestamp) else { continue }
      let chip = Int(sourced.source)
      try messages?.add(sample, of: chip, stamp: clock.nanoseconds(sample.timestamp))
      var none = sample
      none.channels = []
      add(Row(sample: none, spare: sample, source: chip, lost: 0))
    }
  }

  private func add(_ row: Row) {
    guard samples != nil else { return }
    var row = row
    row.lost = lostSamples
    if order.add(row, at: row.sample.timestamp) {
      lostSamples = 0
    } else {
      disordered += 1
      lostSamples += 1
    }
  }

  private func write(all: Bool) throws(FileWriterError) {
    guard samples != nil else { return }
    var held: Row?
    while let row = order.next(all: all) {
      // Join the two parts of a chip's sample into one row: the values for motion, and the values
      // recorded separately for the chip. The parts follow each other and have the same time.
      if var whole = held, whole.source == row.source, whole.spare == nil, let spare = row.spare,
        whole.sample.timestamp == row.sample.timestamp
      {
        whole.spare = spare
        whole.lost += row.lost
        held = whole
        continue
      }
      if let held { try append(held) }
      held = row
    }
    if let held { try append(held) }
  }

  private func append(_ row: Row) throws(FileWriterError) {
    guard let samples else { return }
    let time = row.sample.timestamp
    let line = samples.format.line(
      row.sample, source.channels, spare: row.spare, of: row.source, chips, utc: clock.text(time),
      lost: row.lost)
    try samples.file.append(line, at: time)
  }

  /// Returns false if `time` is after the end of the duration.
  private func isWanted(_ time: Timestamp) -> Bool {
    let begin = first ?? time
    first = begin
    newest = time
    guard let duration, (time - begin).seconds >= duration else { return true }
    isOver = true
    return false
  }

  /// The final line with the counts of samples, losses and written rows.
  package var summary: String {
    var line = counts.line
    let missed = overtaken.samples + overtaken.spare + overtaken.motions
    if missed > 0 { line += "; \(missed) not written, because the disk was too slow" }
    if disordered > 0 { line += "; \(disordered) skipped, more than a second late" }
    // After a failure omit the counts of written rows, because the last line is the error.
    guard failure == nil else { return line }
    let written = [
      samples.map { ($0.file.rows, "samples", $0.file.files) },
      motions.map { ($0.file.rows, "motions", $0.file.files) },
      messages.map { ($0.file.rows, "messages", $0.file.files) },
    ]
    for (rows, what, files) in written.compactMap(\.self) {
      line += "; \(rows) \(what) in \(files) " + (files == 1 ? "file" : "files")
    }
    return line
  }
}
