// SPDX-License-Identifier: Apache-2.0
internal import Recognition

/// A phase of a shake, with its time.
public struct ShakeUpdate: Equatable, Sendable {
  public var phase: ShakePhase
  /// The time of the sample that determined the phase, on CLOCK_MONOTONIC.
  public var timestamp: Timestamp

  public init(_ phase: ShakePhase, timestamp: Timestamp) {
    self.phase = phase
    self.timestamp = timestamp
  }
}

extension MotionHub {
  /// Returns shakes as detected by `ShakeRecognizer`. Each shake is reported as `began`, followed
  /// by `ended` or `cancelled`. Needs an accelerometer.
  public func shakes(buffering: StreamBuffering = .newest(16)) -> EventStream<ShakeUpdate> {
    EventStream(self, buffering: buffering) { ShakeRecognition() }
  }
}

package struct ShakeRecognition: SampleRecognition {
  private var recognizer = ShakeRecognizer()

  package init() {}

  package static var channels: ChannelSet { .acceleration }

  package mutating func update(_ sample: Sample) -> ShakeUpdate? {
    recognizer.update(sample.acceleration, at: sample.timestamp).map {
      ShakeUpdate($0, timestamp: sample.timestamp)
    }
  }
}
