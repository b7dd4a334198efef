// SPDX-License-Identifier: Apache-2.0
internal import Recognition

/// The side of the device that is up, with the time at which it was determined.
public struct OrientationUpdate: Equatable, Sendable {
  public var orientation: DeviceOrientation
  /// The time of the sample that determined the orientation, on CLOCK_MONOTONIC.
  public var timestamp: Timestamp

  public init(_ orientation: DeviceOrientation, timestamp: Timestamp) {
    self.orientation = orientation
    self.timestamp = timestamp
  }
}

extension MotionHub {
  /// Returns the side of the device that is up: the initial side at the first sample, then each
  /// change. `OrientationRecognizer` defines what counts as a change. Needs an accelerometer.
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
