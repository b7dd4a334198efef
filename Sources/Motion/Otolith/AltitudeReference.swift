// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Recognition
internal import Synchronization

/// The reference for converting a pressure to an altitude above sea level.
public enum AltitudeReference: Equatable, Sendable {
  /// The air pressure reduced to sea level. Weather services and airfields (QNH) publish this
  /// pressure in hectopascals: 1013.25 hPa are 101.325 kPa.
  case seaLevelPressure(kilopascals: Double)
  /// The height of the device above sea level at the next reading. From then on the altitude
  /// follows the pressure.
  case height(metres: Double)
}

extension MotionHub {
  /// The reference for altitudes above sea level. If no value is set here, the reference comes from
  /// `location` in the board file (`sea-level-pressure-hpa`, otherwise `height-m`). `nil` if
  /// neither is set; then only relative altitudes are known. A value set here applies from the next
  /// reading on, even if it is equal to the previous value. Setting `nil` returns to the board
  /// file.
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

/// A hub's model of the air, shared by all listeners: the pressure at sea level, and the time at
/// which it was valid.
package final class Altimetry: Sendable {
  private struct Air: Sendable {
    /// The pressure at sea level in kPa.
    var pressure: Double
    /// The time at which this pressure was valid; `nil` if unknown.
    var since: Timestamp?
    /// The sensor's contribution to the error of this pressure in kPa, as a standard deviation.
    var sensor: Double
    /// The reference height in metres. The temperature of the air between this height and the
    /// device is unknown.
    var base: Double
  }
  private struct State: Sendable {
    var chosen: AltitudeReference?
    var air: Air?
  }
  private let state = Mutex(State())

  /// The absolute error of a barometer in kPa, which matters when its readings are compared with
  /// the readings of another barometer. A BMP280 has an absolute accuracy of 1 hPa (data sheet
  /// BST-BMP280-DS001, table 2).
  private static var absoluteError: Double { 0.1 }
  /// The change of pressure due to weather, in kPa per hour. British sea forecasts call changes of
  /// up to 1.5 hPa in 3 hours slow.
  private static var tendency: Double { 0.05 }
  /// The deviation of the pressure after many days, in kPa: about the standard deviation in a
  /// winter at middle latitudes.
  private static var climate: Double { 1 }
  /// The relative error of height differences. They are proportional to the absolute temperature of
  /// the air, which is known to 10 K of 288 K.
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

  /// Returns the air model that follows from `reference` at `reading`. A pressure from the board
  /// file is not fresh, because the time of its measurement is unknown.
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
