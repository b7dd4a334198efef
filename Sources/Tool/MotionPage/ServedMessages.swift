// SPDX-License-Identifier: Apache-2.0
import SourceReading
import Otolith
import Recordings
import Runtime

/// A converter from a source's samples and motions to ROS 2 messages, which runs while a Foxglove
/// client subscribes to the messages. The source overwrites its rings at its own pace.
struct ServedMessages {
  private let source: any MotionSource
  private let frame: FrameOption
  private let encoder = ROSEncoder()
  private var clock = UTCClock()
  private var samples: RingReader<SourcedSample>
  private var motions: RingReader<MotionSample>
  private var auxiliary: AuxiliaryReader
  private var nextStatus = Timestamp.zero

  init(_ source: any MotionSource, frame: FrameOption) {
    self.source = source
    self.frame = frame
    samples = source.pipeline.samples.reader()
    motions = source.pipeline.motions.reader()
    auxiliary = AuxiliaryReader(source)
  }

  /// Passes new messages to `body`, each with its time in nanoseconds since 1970. Messages without
  /// subscribers are skipped.
  mutating func take(
    _ report: [ChipReport], biasSigma: Double?, wanting isWanted: (ROSTopic) -> Bool,
    _ body: (ROSEncoder.Message, Int64) -> Void
  ) {
    clock.set()
    while let sourced = samples.read() {
      let stamp = clock.nanoseconds(sourced.sample.timestamp)
      for message in encoder.messages(sourced.sample, stamp: stamp) { body(message, stamp) }
    }
    let wantsMotion = isWanted(.imu) || isWanted(.transform)
    while let motion = motions.read() {
      guard wantsMotion else { continue }
      auxiliary.follow(until: motion.timestamp)
      let row = MotionRow(motion, frame, declination: source.declination ?? 0)
      let stamp = clock.nanoseconds(motion.timestamp)
      let sigmas = (
        tilt: Optional(motion.inclinationSigma),
        // In frames without north the heading is undefined, so its standard deviation is pi.
        heading: Optional(frame.isNorth ? motion.headingSigma : .pi), bias: biasSigma
      )
      let messages = encoder.messages(row, sigmas: sigmas, isNorth: frame.isNorth, stamp: stamp)
      for message in messages { body(message, stamp) }
    }
    let now = Timestamp.now
    guard isWanted(.diagnostics), now >= nextStatus, !report.isEmpty else { return }
    nextStatus = now + .seconds(1)
    let stamp = clock.nanoseconds(now)
    body(encoder.message(source.diagnostics(report), stamp: stamp), stamp)
  }
}
