// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Recognition
internal import Synchronization

/// The reference for converting a pressure to an altitude above sea level.
public enum AltitudeReference: Equatable, Sendable {
  /// The air pressure reduced to sea level. Weather services and airfields (QNH) give it in
  /// hectopascals: 1013.25 hPa are 101.325 kPa.
  case seaLevelPressure(kilopascals: Double)
  /// The device's height above sea level at the next reading; from then on the altitude follows the
  /// pressure.
  case height(metres: Double)
}

extension MotionHub {
  /// The reference for altitudes above sea level: the one set here, otherwise the board file's
  /// `location` (`sea-level-pressure-hpa`, otherwise `height-m`). `nil` if neither is set; then
  /// only relative altitudes are known. A value set here, even an equal one, applies from the next
  /// reading on; setting `nil` returns to the board file.
  public var altitudeReference: AltitudeReference? {
    get { altimetry.reference(source?.location) }
    set { altimetry.choose(newValue) }
  }
}

extension AltitudeReference {
  init?(_ location: Location?) {
    if let pressure = location?.seaLevelPressure {
      self = .seaLevelPressure(kilopascals: pressure)
    } else if let height = location?.height {
      self = .height(metres: height)
    } else {
      return nil
    }
  }
}

/// A hub's model of the air, shared by all listeners: the pressure at sea level, and the time since
/// when it is known.
package final class Altimetry: Sendable {
  private struct Air: Sendable {
    /// The pressure at sea level in kPa.
    var pressure: Double
    /// The time when this pressure was valid; `nil` if unknown.
    var since: Timestamp?
    /// The sensor's contribution to the error of this pressure in kPa, as one standard deviation.
    var sensor: Double
    /// The height in metres from which on the temperature of the air is unknown.
    var base: Double
  }
  private struct State: Sendable {
    var chosen: AltitudeReference?
    var air: Air?
  }
  private let state = Mutex(State())

  /// The absolute error of a barometer in kPa, if its readings are compared with another one: a
  /// BMP280 has an absolute accuracy of 1 hPa (data sheet BST-BMP280-DS001, table 2).
  private static var absoluteError: Double { 0.1 }
  /// The change of pressure due to weather in kPa per hour: British sea forecasts call up to 1.5
  /// hPa in 3 hours slow.
  private static var tendency: Double { 0.05 }
  /// The deviation of the pressure after many days in kPa: about the standard deviation in a winter
  /// at middle latitudes.
  private static var climate: Double { 1 }
  /// The relative error of height differences: they are proportional to the air's absolute
  /// temperature, which is known to 10 K of 288 K.
  private static var temperatureError: Double { 0.035 }

  func reference(_ location: Location?) -> AltitudeReference? {
    state.withLock { $0.chosen } ?? AltitudeReference(location)
  }

  func choose(_ reference: AltitudeReference?) {
    state.withLock { $0 = State(chosen: reference) }
  }

  func absolute(_ reading: PressureReading, _ location: Location?) -> AbsoluteAltitude? {
    let air = state.withLock { state in
      if state.air == nil {
        state.air = Self.air(
          by: state.chosen ?? AltitudeReference(location), at: reading,
          isFresh: state.chosen != nil)
      }
      return state.air
    }
    guard let air,
      let altitude = StandardAtmosphere.altitude(
        at: reading.pressure, seaLevelPressure: air.pressure)
    else { return nil }
    let hours = air.since.map { max(0, (reading.timestamp - $0).seconds / 3600) } ?? .infinity
    let weather = min(Self.tendency * hours, Self.climate)
    let pressure = Vector3(air.sensor, weather, reading.precision).norm
    let column = Self.temperatureError * (altitude - air.base)
    let scale = StandardAtmosphere.metresPerKilopascal(at: reading.pressure)
    return AbsoluteAltitude(altitude, accuracy: Vector3(pressure * scale, column, 0).norm)
  }

  /// Returns the air model that `reference` gives for `reading`. A pressure from the board file is
  /// not fresh, because it was measured at an unknown time.
  private static func air(
    by reference: AltitudeReference?, at reading: PressureReading, isFresh: Bool
  ) -> Air? {
    switch reference {
    case nil: return nil
    case .seaLevelPressure(let pressure):
      return Air(
        pressure: pressure, since: isFresh ? reading.timestamp : nil, sensor: absoluteError, base: 0
      )
    case .height(let height):
      guard
        let pressure = StandardAtmosphere.seaLevelPressure(where: reading.pressure, isAt: height)
      else { return nil }
      return Air(
        pressure: pressure, since: reading.timestamp, sensor: reading.precision, base: height)
    }
  }
}
