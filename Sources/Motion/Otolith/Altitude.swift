// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Recognition

/// An altitude of the device, derived from the air pressure.
public struct Altitude: Equatable, Sendable {
  /// The time of the altitude on CLOCK_MONOTONIC: the middle of the second over which the altitude
  /// is averaged.
  public var timestamp: Timestamp
  /// The air pressure in kPa.
  public var pressure: Double
  /// The altitude in metres relative to the first altitude of the stream, which is 0. Differences
  /// are computed with the standard atmosphere.
  public var relativeAltitude: Double
  /// The standard deviation of the noise of both altitudes, in metres.
  public var precision: Double
  /// The altitude above sea level with its uncertainty; `nil` without a
  /// `MotionHub.altitudeReference`.
  public var absolute: AbsoluteAltitude?

  public init(
    timestamp: Timestamp, pressure: Double, relativeAltitude: Double, precision: Double,
    absolute: AbsoluteAltitude? = nil
  ) {
    self.timestamp = timestamp
    self.pressure = pressure
    self.relativeAltitude = relativeAltitude
    self.precision = precision
    self.absolute = absolute
  }
}

/// An altitude above sea level.
public struct AbsoluteAltitude: Equatable, Sendable {
  /// The altitude in metres above sea level.
  public var altitude: Double
  /// The standard deviation of the altitude in metres. It includes the error of the sensor, changes
  /// of the weather since the reference, and the deviation of the air temperature from the standard
  /// atmosphere.
  public var accuracy: Double

  public init(_ altitude: Double, accuracy: Double) {
    self.altitude = altitude
    self.accuracy = accuracy
  }
}

extension MotionHub {
  /// Returns about one altitude per second, whatever the rate of the barometer. Needs a barometer.
  public func altitudes(buffering: StreamBuffering = .newest(16)) -> EventStream<Altitude> {
    EventStream(self, buffering: buffering) { AltitudeRecognition(self) }
  }
}

package struct AltitudeRecognition: SampleRecognition {
  private var smoother = PressureSmoother()
  /// The altitude of the first reading in the standard atmosphere, in metres; `nil` before the
  /// first reading.
  private var start: Double?
  private let hub: MotionHub

  package init(_ hub: MotionHub) { self.hub = hub }

  package static var channels: ChannelSet { .pressure }

  package mutating func update(_ sample: Sample) -> Altitude? {
    guard let reading = smoother.update(sample.pressure, at: sample.timestamp),
      let height = StandardAtmosphere.altitude(at: reading.pressure)
    else { return nil }
    let start = start ?? height
    self.start = start
    let scale = StandardAtmosphere.metresPerKilopascal(at: reading.pressure)
    return Altitude(
      timestamp: reading.timestamp, pressure: reading.pressure, relativeAltitude: height - start,
      precision: reading.precision * scale,
      absolute: hub.altimetry.absolute(reading, hub.source?.location))
  }
}
