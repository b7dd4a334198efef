// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Otolith
import Recordings
import Runtime
import Sensors

/// Writes samples and motion as messages of ROS 2 into an MCAP file.
struct MessageLog {
  let file: RotatingLog<MCAPFile>
  private let source: any MotionSource
  private let isNorth: Bool
  private let encoder = ROSEncoder()
  private var newest: (time: Timestamp, stamp: Int64)?
  private var nextStatus = Timestamp.zero

  /// Messages of `source`, whose attitude is given in `frame`.
  init(
    _ source: any MotionSource, frame: FrameOption,
    opening: ([MCAPChannel]) throws(FileWriterError) -> RotatingLog<MCAPFile>
  ) throws(FileWriterError) {
    self.source = source
    isNorth = frame == .xMagneticNorthZVertical || frame == .xTrueNorthZVertical
    file = try opening(ROSTopic.all(of: source.channels).map { MCAPChannel($0) })
  }

  mutating func add(_ sample: Sample, stamp: Int64) throws(FileWriterError) {
    newest = (sample.timestamp, stamp)
    try append(encoder.messages(sample, stamp: stamp), sample.timestamp, stamp)
  }

  mutating func add(
    _ row: MotionRow, of motion: MotionSample, biasSigma: Double, stamp: Int64
  ) throws(FileWriterError) {
    let sigmas = (
      tilt: Optional(motion.inclinationSigma),
      // Elsewhere it is a heading from anywhere.
      heading: Optional(isNorth ? motion.headingSigma : .pi), bias: Optional(biasSigma)
    )
    try append(
      encoder.messages(row, sigmas: sigmas, isNorth: isNorth, stamp: stamp), motion.timestamp,
      stamp)
  }

  /// Adds what the chips do, once a second.
  mutating func addStatus() throws(FileWriterError) {
    guard let newest, newest.time >= nextStatus else { return }
    nextStatus = newest.time + .seconds(1)
    let parts = source.diagnostics(source.report)
    try append([encoder.message(parts, stamp: newest.stamp)], newest.time, newest.stamp)
  }

  private func append(
    _ messages: [ROSEncoder.Message], _ time: Timestamp, _ stamp: Int64
  ) throws(FileWriterError) {
    for message in messages {
      try file.append(
        MCAPMessage(channel: message.topic.rawValue, time: stamp, data: message.bytes), at: time)
    }
  }
}
