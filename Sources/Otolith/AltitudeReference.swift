// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Recognition
internal import Synchronization

/// The reference by which a pressure becomes an altitude above the sea.
public enum AltitudeReference: Equatable, Sendable {
  /// The air pressure reduced to sea level. Weather services and airfields (QNH) give it in
  /// hectopascals: 1013.25 hPa are 101.325 kPa.
  case seaLevelPressure(kilopascals: Double)
  /// The device's height above the sea at the next reading; from there on altitude follows the
  /// pressure.
  case height(metres: Double)
}

extension MotionHub {
  /// The reference of altitudes above the sea: the one set here, else the board file's `location`
  /// (`sea-level-pressure-hpa`, else `height-m`). `nil` where there is neither; then only relative
  /// altitudes are known. A value set here, even the same again, holds from the next reading on;
  /// setting `nil` goes back to the board file.
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

/// A hub's knowledge of the air, shared by all listeners: the pressure at sea level, and since
/// when.
package final class Altimetry: Sendable {
  private struct Air: Sendable {
    /// At sea level, kPa.
    var pressure: Double
    /// The time when that was so; `nil` where it is not known.
    var since: Timestamp?
    /// One standard deviation of the sensor's own error in this, kPa.
    var sensor: Double
    /// The foot of the column of air whose temperature is not known, metres.
    var base: Double
  }
  private struct State: Sendable {
    var chosen: AltitudeReference?
    var air: Air?
  }
  private let state = Mutex(State())

  /// Of a barometer that is compared with another one, kPa: the absolute accuracy of a BMP280 is 1
  /// hPa (data sheet BST-BMP280-DS001, table 2).
  private static var absoluteError: Double { 0.1 }
  /// The weather's change in an hour, kPa: what British sea forecasts call slowly is up to 1.5 hPa
  /// in 3 hours.
  private static var tendency: Double { 0.05 }
  /// The deviation from another day's pressure, kPa: about the spread of a winter of the middle
  /// latitudes.
  private static var climate: Double { 1 }
  /// Height differences grow with the air's absolute temperature: 10 K of 288 K.
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

  /// Returns the air by `reference` when `reading` is taken. A board file's weather was true on
  /// some day.
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
