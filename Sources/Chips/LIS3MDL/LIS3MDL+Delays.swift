// SPDX-License-Identifier: Apache-2.0
public import Sensors

extension LIS3MDLChip {
  /// Returns the delay of a sample as the chip runs with `settings`: half of the time over which it
  /// averages, which its fastest rate of the same performance shows (data sheet, table 4 and
  /// section 3).
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let configuration = LIS3MDLConfiguration(nearest: &settings, of: .lis3mdl, isSPI: false)
    return StreamDelays(magneticField: 0.5 / configuration.performance.fastHertz)
  }
}
