// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Pressure and altitude in the ICAO standard atmosphere (Doc 7488, the same as ISO 2533 and, so
/// far up, the U.S. Standard Atmosphere 1976), from 5 km below the sea to 20 km above it. Altitudes
/// are geopotential: at 1 km 0.2 m, at 10 km 16 m less than geometric ones.
public enum StandardAtmosphere {
  /// At sea level, kPa.
  public static var seaLevelPressure: Scalar { 101.325 }

  /// Metres.
  public static var altitudes: ClosedRange<Scalar> { -5_000...20_000 }

  /// At sea level, K.
  private static var seaLevelTemperature: Scalar { 288.15 }
  /// The fall of temperature with each metre, K/m, up to the tropopause.
  private static var lapse: Scalar { 0.0065 }
  /// Metres.
  private static var tropopause: Scalar { 11_000 }
  private static var tropopauseTemperature: Scalar { 216.65 }
  /// g / R for dry air, K/m: 9.80665 / 287.05287.
  private static var weight: Scalar { 9.80665 / 287.05287 }

  /// Returns the altitude in metres at which there is `pressure`, kPa, where there is
  /// `seaLevelPressure`, kPa, at sea level; `nil` outside of `altitudes`, and for a value that is
  /// no pressure.
  public static func altitude(
    at pressure: Scalar, seaLevelPressure: Scalar = seaLevelPressure
  ) -> Scalar? {
    let part = pressure / seaLevelPressure
    guard pressure > 0, part > 0, part.isFinite else { return nil }
    let below = seaLevelTemperature / lapse * (1 - pow(part, lapse / weight))
    let altitude =
      below <= tropopause
      ? below : tropopause - log(part / tropopausePart) * tropopauseTemperature / weight
    return altitudes.contains(altitude) ? altitude : nil
  }

  /// Returns the pressure in kPa at `altitude`, metres, where there is `seaLevelPressure`, kPa, at
  /// sea level; `nil` outside of `altitudes`.
  public static func pressure(
    at altitude: Scalar, seaLevelPressure: Scalar = seaLevelPressure
  ) -> Scalar? {
    guard altitudes.contains(altitude) else { return nil }
    guard altitude > tropopause else { return seaLevelPressure * part(at: altitude) }
    return seaLevelPressure * tropopausePart
      * exp(-(altitude - tropopause) * weight / tropopauseTemperature)
  }

  /// Returns the pressure in kPa at sea level, where there is `pressure`, kPa, at `altitude`,
  /// metres: airfields call it QNH. `nil` outside of `altitudes`.
  public static func seaLevelPressure(where pressure: Scalar, isAt altitude: Scalar) -> Scalar? {
    guard pressure > 0, pressure.isFinite,
      let part = self.pressure(at: altitude, seaLevelPressure: 1)
    else { return nil }
    return pressure / part
  }

  /// Returns the metres by which one must climb until the pressure is 1 kPa less than `pressure`,
  /// kPa: 83 at sea level, 222 at 10 km.
  public static func metresPerKilopascal(at pressure: Scalar) -> Scalar {
    guard let altitude = altitude(at: pressure) else { return 0 }
    let temperature = max(seaLevelTemperature - lapse * altitude, tropopauseTemperature)
    return temperature / (weight * pressure)
  }

  /// Returns the part of the pressure at sea level that is left at an altitude up to the
  /// tropopause.
  private static func part(at altitude: Scalar) -> Scalar {
    pow(1 - lapse * altitude / seaLevelTemperature, weight / lapse)
  }

  private static var tropopausePart: Scalar { part(at: tropopause) }
}
