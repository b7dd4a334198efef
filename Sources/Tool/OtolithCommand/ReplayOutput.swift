// SPDX-License-Identifier: Apache-2.0
import MotionRecorder
import BoardCommands
import Fusion
import Otolith
import Recordings
import Runtime

/// The output of a replay: rows of motion, or messages for samples and motion.
struct ReplayOutput: ~Copyable {
  private var writer: FileWriter
  private var buffer: [UInt8]
  /// The format of rows; `nil` if messages are written instead.
  private let rows: OutputFormat?
  private let channels: ChannelSet
  /// The newest row, which is held until the next row arrives, because the last row also contains
  /// the results of the whole replay.
  private var newest: MotionRow?
  private var messages: ReplayMessages?

  /// Creates the output for a recording of `channels` in the file at `path`. `rows` is the format
  /// of rows, which is used if `maker` is `nil`; otherwise `maker` makes messages. `isUncertain`
  /// adds uncertainties to each motion.
  init(
    _ writer: consuming FileWriter, path: String, _ rows: OutputFormat?, of channels: ChannelSet,
    isUncertain: Bool, _ maker: MessageMaker?, _ recordings: [String]
  ) {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(1 << 17)
    if rows == .csv {
      buffer += MotionFormat.csvHeader(with: channels, isUncertain: isUncertain).utf8
    }
    var messages: ReplayMessages?
    if let maker {
      messages = ReplayMessages(maker, of: recordings, path: path, to: &buffer)
    }
    self.writer = writer
    self.buffer = buffer
    self.rows = rows
    self.channels = channels
    newest = nil
    self.messages = messages
  }

  /// Adds a sample, with the original time of the recording.
  mutating func add(_ sample: Sample) throws(FileWriterError) {
    try messages?.add(sample, to: &buffer)
  }

  /// Writes a motion as a row with its original time in the recording, together with the sensor
  /// faults at that time.
  mutating func add(
    _ row: MotionRow, of motion: MotionSample, biasSigma: Double, faults: SensorFaults
  ) throws(FileWriterError) {
    if let newest { rows?.append(newest, with: channels, to: &buffer) }
    newest = row
    messages?.note(faults)
    try messages?.add(row, of: motion, biasSigma: biasSigma, to: &buffer)
  }

  /// Writes the buffer if it has reached the block size. Returns true if the buffer was written.
  mutating func flush() throws(FileWriterError) -> Bool {
    guard buffer.count > 1 << 16 else { return false }
    try writer.write(buffer)
    buffer.removeAll(keepingCapacity: true)
    return true
  }

  /// Writes the remaining rows and closes the file. `complete` adds the final results to the last
  /// row.
  consuming func finish(_ complete: (inout MotionRow) -> Void) throws(FileWriterError) {
    if var newest {
      complete(&newest)
      rows?.append(newest, with: channels, to: &buffer)
    }
    // Copy the buffer, because Swift 6.2 reports overlapping accesses to fields of a consumed
    // value.
    var rest = buffer
    messages?.finish(to: &rest)
    try writer.write(rest)
    try writer.commit()
  }
}

/// A converter from a replay's samples and motions to ROS 2 messages, with the recording's times.
private struct ReplayMessages {
  private let maker: MessageMaker
  private let recordings: String
  private let path: String
  private var stream: MCAPStream
  private var first: Timestamp?
  private var nextStatus: Timestamp?
  private var received = 0
  /// The sensor faults since the last status message.
  private var faults: SensorFaults = []

  init(
    _ maker: MessageMaker, of recordings: [String], path: String, to buffer: inout [UInt8]
  ) {
    self.maker = maker
    self.recordings = recordings.joined(separator: ", ")
    self.path = path
    stream = MCAPStream(channels: maker.channels, to: &buffer)
  }

  mutating func add(_ sample: Sample, to buffer: inout [UInt8]) throws(FileWriterError) {
    let time = sample.timestamp
    received += 1
    try append(maker.messages(sample, stamp: time.nanoseconds), to: &buffer)
    let first = self.first ?? time
    self.first = first
    // Send at most one status per second. If the recording's clock was set back, start a new
    // second.
    if let nextStatus, time < nextStatus, nextStatus - time <= .seconds(1) { return }
    nextStatus = time + .seconds(1)
    let span = (time - first).seconds
    let rows = SensorFaultRow.rows(of: faults)
    let status = ROSEncoder.Status(
      level: rows.isEmpty ? .ok : .warning, name: "otolith: replay",
      message: rows.isEmpty ? "replayed" : rows.map(\.sentence).joined(separator: "; "),
      hardware: recordings,
      values: [
        ("rate Hz", span > 0 ? "\((Double(received - 1) / span * 1000).rounded() / 1000)" : "0.0"),
        ("received", "\(received)"), ("faults", faults.names),
      ])
    faults = []
    try append(maker.message([status], stamp: time.nanoseconds), to: &buffer)
  }

  mutating func add(
    _ row: MotionRow, of motion: MotionSample, biasSigma: Double, to buffer: inout [UInt8]
  ) throws(FileWriterError) {
    let messages = maker.messages(
      row, of: motion, biasSigma: biasSigma, stamp: row.timestamp.nanoseconds)
    try append(messages, to: &buffer)
  }

  /// Adds the sensor faults of the newest motion to the faults in the next status message.
  mutating func note(_ newest: SensorFaults) { faults.formUnion(newest) }

  mutating func finish(to buffer: inout [UInt8]) { stream.finish(to: &buffer) }

  private mutating func append(
    _ messages: [MCAPMessage], to buffer: inout [UInt8]
  ) throws(FileWriterError) {
    for message in messages {
      if let reason = MessageMaker.refusal(of: message) {
        throw FileWriterError(.cannotCreate, file: path, reason: reason)
      }
      stream.append(message, to: &buffer)
    }
  }
}
