// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Recognition

/// An altitude of the device, from the pressure of the air.
public struct Altitude: Equatable, Sendable {
  /// The middle of the second that it is the mean of, on CLOCK_MONOTONIC.
  public var timestamp: Timestamp
  /// The air pressure, kPa.
  public var pressure: Double
  /// Metres above the start of the stream: the first is 0. Differences are those of the standard
  /// atmosphere.
  public var relativeAltitude: Double
  /// One standard deviation of the noise of either altitude, metres.
  public var precision: Double
  /// The altitude above the sea in metres, with its standard deviation; `nil` while there is no
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

/// An altitude above the sea.
public struct AbsoluteAltitude: Equatable, Sendable {
  /// Metres above the sea.
  public var altitude: Double
  /// One standard deviation, metres: of the sensor, of the weather since the reference, and of air
  /// that is warmer or colder than the standard atmosphere's.
  public var accuracy: Double

  public init(_ altitude: Double, accuracy: Double) {
    self.altitude = altitude
    self.accuracy = accuracy
  }
}

extension MotionHub {
  /// Returns altitudes, about one a second whatever the barometer's rate. Needs a barometer.
  public func altitudes(buffering: StreamBuffering = .newest(16)) -> EventStream<Altitude> {
    EventStream(self, buffering: buffering) { AltitudeRecognition(self) }
  }
}

package struct AltitudeRecognition: SampleRecognition {
  private var smoother = PressureSmoother()
  /// The standard atmosphere's altitude of the first reading.
  private var start: Double?
  private let altimetry: Altimetry
  private let location: Location?

  package init(_ hub: MotionHub) {
    altimetry = hub.altimetry
    location = hub.source?.location
  }

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
      precision: reading.precision * scale, absolute: altimetry.absolute(reading, location))
  }
}
