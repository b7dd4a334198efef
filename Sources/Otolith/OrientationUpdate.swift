// SPDX-License-Identifier: Apache-2.0

/// Which side of the device is up from a moment on.
public struct OrientationUpdate: Equatable, Sendable {
  public var orientation: DeviceOrientation
  /// When the sample was taken that settled it, on CLOCK_MONOTONIC.
  public var timestamp: Timestamp

  public init(_ orientation: DeviceOrientation, timestamp: Timestamp) {
    self.orientation = orientation
    self.timestamp = timestamp
  }
}

extension MotionHub {
  /// Which side of the device is up: first as it is found, at rest with the first sample, then whenever it changes.
  /// `OrientationRecognizer` says what counts as a change. Needs an accelerometer.
  public func orientations(buffering: StreamBuffering = .newest(16)) -> EventStream<
    OrientationUpdate
  > {
    EventStream(self, buffering: buffering) { OrientationRecognition() }
  }
}

package struct OrientationRecognition: SampleRecognition {
  private var recognizer = OrientationRecognizer()

  package init() {}

  package static var channels: ChannelSet { .acceleration }

  package mutating func update(_ sample: Sample) -> OrientationUpdate? {
    recognizer.update(sample.acceleration, at: sample.timestamp).map {
      OrientationUpdate($0, timestamp: sample.timestamp)
    }
  }
}
