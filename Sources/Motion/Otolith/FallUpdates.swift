// SPDX-License-Identifier: Apache-2.0
public import Recognition

extension MotionHub {
  /// Returns falls of the person who carries the device, as detected by `PersonFallRecognizer`.
  /// Each fall is reported about 3 s after the impact, and again when it is known whether the
  /// person got up, at most a minute later. Needs an accelerometer.
  public func falls(buffering: StreamBuffering = .newest(16)) -> EventStream<Fall> {
    EventStream(self, buffering: buffering) { FallRecognition() }
  }
}

package struct FallRecognition: SampleRecognition {
  private var recognizer = PersonFallRecognizer()

  package init() {}

  package static var channels: ChannelSet { .acceleration }

  package mutating func update(_ sample: Sample) -> Fall? {
    recognizer.update(sample.acceleration, at: sample.timestamp)
  }
}
