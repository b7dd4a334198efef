// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// The relation between pressure and altitude in the ICAO standard atmosphere, from 5 km below to
/// 20 km above sea level. The standard is Doc 7488. It is identical to ISO 2533 and, up to this
/// altitude, to the U.S. Standard Atmosphere 1976. Altitudes are geopotential: they are 0.2 m less
/// than geometric altitudes at 1 km, and 16 m less at 10 km.
public enum StandardAtmosphere {
  /// The standard pressure at sea level in kPa.
  public static var seaLevelPressure: Scalar { 101.325 }

  /// The range of altitudes for which the formulas are valid, in metres.
  public static var altitudes: ClosedRange<Scalar> { -5_000...20_000 }

  /// The standard temperature at sea level in K.
  private static var seaLevelTemperature: Scalar { 288.15 }
  /// The decrease of temperature with altitude up to the tropopause, in K/m.
  private static var lapse: Scalar { 0.0065 }
  /// The altitude of the tropopause in metres.
  private static var tropopause: Scalar { 11_000 }
  private static var tropopauseTemperature: Scalar { 216.65 }
  /// The ratio g / R of gravity to the gas constant of dry air, in K/m: 9.80665 / 287.05287.
  private static var weight: Scalar { 9.80665 / 287.05287 }

  /// Returns the altitude in metres at `pressure` in kPa; `nil` outside `altitudes` and for an
  /// invalid pressure. `seaLevelPressure` is in kPa.
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

  /// Returns the pressure in kPa at `altitude` in metres; `nil` outside `altitudes`.
  /// `seaLevelPressure` is in kPa.
  public static func pressure(
    at altitude: Scalar, seaLevelPressure: Scalar = seaLevelPressure
  ) -> Scalar? {
    guard altitudes.contains(altitude) else { return nil }
    guard altitude > tropopause else { return seaLevelPressure * part(at: altitude) }
    return seaLevelPressure * tropopausePart
      * exp(-(altitude - tropopause) * weight / tropopauseTemperature)
  }

  /// Returns the pressure in kPa at sea level (QNH at airfields) if the pressure at `altitude` in
  /// metres is `pressure` in kPa; `nil` outside `altitudes`.
  public static func seaLevelPressure(where pressure: Scalar, isAt altitude: Scalar) -> Scalar? {
    guard pressure > 0, pressure.isFinite,
      let part = self.pressure(at: altitude, seaLevelPressure: 1)
    else { return nil }
    return pressure / part
  }

  /// Returns the climb in metres over which the pressure falls by 1 kPa, starting at `pressure` in
  /// kPa: 83 m at sea level and 222 m at 10 km.
  public static func metresPerKilopascal(at pressure: Scalar) -> Scalar {
    guard let altitude = altitude(at: pressure) else { return 0 }
    let temperature = max(seaLevelTemperature - lapse * altitude, tropopauseTemperature)
    return temperature / (weight * pressure)
  }

  /// Returns the ratio of the pressure at an altitude up to the tropopause to the pressure at sea
  /// level.
  private static func part(at altitude: Scalar) -> Scalar {
    pow(1 - lapse * altitude / seaLevelTemperature, weight / lapse)
  }

  private static var tropopausePart: Scalar { part(at: tropopause) }
}
