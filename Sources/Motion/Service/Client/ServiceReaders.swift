// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Quantities
internal import Runtime

/// This program's readers of the service's rings.
struct ServiceReaders: Sendable {
  var samples: RingReader<SourcedSample>
  var motions: RingReader<MotionSample>
  var detections: RingReader<SourcedDetection>
  var chipSamples: RingReader<SourcedSample>?

  init(_ connection: ServiceConnection) {
    samples = connection.samples.reader()
    motions = connection.motions.reader()
    detections = connection.detections.reader()
    chipSamples = connection.chipSamples?.reader()
  }

  var isBehind: Bool { samples.isBehind || motions.isBehind || detections.isBehind }
  var missed: UInt64 { samples.missed + motions.missed }

  mutating func relay(into pipeline: MotionPipeline) {
    pipeline.relay(&samples, &motions, &detections, &chipSamples)
  }
}
