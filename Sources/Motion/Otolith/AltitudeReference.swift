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

/// A hub's model of the air, shared by all listeners: the pressure at sea level, and since when it
/// is known.
package final class Altimetry: Sendable {
  private struct Air: Sendable {
    /// The pressure at sea level in kPa.
    var pressure: Double
    /// The time of that pressure; `nil` if unknown.
    var since: Timestamp?
    /// The sensor's contribution to its error in kPa: one standard deviation.
    var sensor: Double
    /// The base of the air column with unknown temperature, in metres.
    var base: Double
  }
  private struct State: Sendable {
    var chosen: AltitudeReference?
    var air: Air?
  }
  private let state = Mutex(State())

  /// The absolute error of a barometer in kPa, when compared with another one: the absolute
  /// accuracy of a BMP280 is 1 hPa (data sheet BST-BMP280-DS001, table 2).
  private static var absoluteError: Double { 0.1 }
  /// The weather's pressure change per hour, kPa: British sea forecasts call a change of up to 1.5
  /// hPa in 3 hours slow.
  private static var tendency: Double { 0.05 }
  /// The deviation from the pressure of another day, kPa: about the spread in a winter at middle
  /// latitudes.
  private static var climate: Double { 1 }
  /// The relative error of height differences, which grow with the air's absolute temperature: 10 K
  /// of 288 K.
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

  /// Returns the air according to `reference` at `reading`. A pressure from the board file was
  /// measured at an unknown time, so it is not fresh.
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
