// SPDX-License-Identifier: Apache-2.0
import SourceReading
package import Otolith
package import Recordings
package import Runtime

/// A log that writes samples and motion as ROS 2 messages into an MCAP file.
package struct MessageLog {
  package let file: RotatingLog<MCAPFile>
  private let path: String
  private let source: any MotionSource
  private let maker: MessageMaker
  private var newest: (time: Timestamp, stamp: Int64)?
  private var nextStatus = Timestamp.zero

  /// Creates a log in the file at `path` for the messages that `maker` builds from `source`.
  package init(
    _ source: any MotionSource, _ maker: MessageMaker, path: String, rotation: LogRotation,
    replaces: Bool
  ) throws(FileWriterError) {
    if let reason = MessageMaker.refusal(of: UTCTime.now) {
      throw FileWriterError(.cannotCreate, file: path, reason: reason)
    }
    self.path = path
    self.source = source
    self.maker = maker
    file = try RotatingLog(path: path, rotation: rotation, replaces: replaces) {
      path, replaces throws(FileWriterError) in
      try MCAPFile(path: path, replaces: replaces, channels: maker.channels)
    }
  }

  package mutating func add(_ sample: Sample, stamp: Int64) throws(FileWriterError) {
    newest = (sample.timestamp, stamp)
    try append(maker.messages(sample, stamp: stamp), sample.timestamp)
  }

  /// Adds a sample that fusion does not use, from the chip with index `chip`. `stamp` is in
  /// nanoseconds since 1970.
  package func add(_ sample: Sample, of chip: Int, stamp: Int64) throws(FileWriterError) {
    try append(maker.messages(sample, of: chip, stamp: stamp), sample.timestamp)
  }

  package func add(
    _ row: MotionRow, of motion: MotionSample, biasSigma: Double, stamp: Int64
  ) throws(FileWriterError) {
    try append(
      maker.messages(row, of: motion, biasSigma: biasSigma, stamp: stamp), motion.timestamp)
  }

  /// Adds the chips' states once per second.
  mutating func addStatus() throws(FileWriterError) {
    guard let newest, newest.time >= nextStatus else { return }
    nextStatus = newest.time + .seconds(1)
    let parts = source.diagnostics(source.report)
    try append(maker.message(parts, stamp: newest.stamp), newest.time)
  }

  private func append(_ messages: [MCAPMessage], _ time: Timestamp) throws(FileWriterError) {
    for message in messages {
      if let reason = MessageMaker.refusal(of: message) {
        throw FileWriterError(.failed, file: path, reason: reason)
      }
      try file.append(message, at: time)
    }
  }
}
