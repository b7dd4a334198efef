// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

extension MPU6050Chip {
  /// Returns the delays of the filters of a part with this identity, as it runs with `settings`.
  public static func delays(of settings: SensorSettings, identity: UInt8) -> StreamDelays {
    let part = MPU6050Part(identity: identity) ?? .mpu6050
    var settings = settings
    let configuration = MPU6050Configuration(nearest: &settings, of: part, isSPI: false)
    // In cycle mode it samples once and sleeps: there is no filter, and no gyroscope.
    if configuration.cycles { return StreamDelays() }
    var delays = configuration.lowPassFilter.delays(of: part.generation)
    if configuration.magnetometer != nil {
      delays.magneticField = AK8963Chip.delays.magneticField
    }
    return delays
  }
}

extension MPU6050Map.LowPassFilter {
  /// Seconds. MPU-6050: one filter code for both sensors (RM-MPU-6000A section 4.3). Later parts:
  /// RM-MPU-6500A section 4.5 for the gyroscope; for the accelerometer, which has a filter of its
  /// own set to the same code, the MPU-9250's register map, revision 1.6, ACCEL_CONFIG 2. (The
  /// MPU-6500's says twice as much, more than filters so wide can delay.)
  func delays(of generation: MPU6050Part.Generation) -> StreamDelays {
    let isFirst = generation == .mpu6050
    let (gyro, accel) =
      switch self {
      case .hz256: isFirst ? (0.98, 0) : (0.97, 1.88)
      case .hz188: isFirst ? (1.9, 2.0) : (2.9, 1.88)
      case .hz98: isFirst ? (2.8, 3.0) : (3.9, 2.88)
      case .hz42: isFirst ? (4.8, 4.9) : (5.9, 4.88)
      case .hz20: isFirst ? (8.3, 8.5) : (9.9, 8.87)
      case .hz10: isFirst ? (13.4, 13.8) : (17.85, 16.83)
      case .hz5: isFirst ? (18.6, 19.0) : (33.48, 32.48)
      }
    return StreamDelays(rotationRate: gyro / 1000, acceleration: accel / 1000)
  }
}
