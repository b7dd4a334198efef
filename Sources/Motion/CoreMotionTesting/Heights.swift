// SPDX-License-Identifier: Apache-2.0
public import CoreMotion
internal import Otolith

extension CMAltitudeData {
  /// Creates an altitude: `relativeAltitude` in metres since the start, `pressure` in kPa,
  /// `timestamp` in seconds since boot.
  public convenience init(
    relativeAltitude: NSNumber, pressure: NSNumber = 101.325, timestamp: TimeInterval = 0
  ) {
    self.init(
      metres: relativeAltitude.doubleValue, kilopascals: pressure.doubleValue, timestamp: timestamp)
  }
}

extension CMAbsoluteAltitudeData {
  /// Creates an altitude in metres above sea level, with its accuracy and precision in metres.
  /// `timestamp` is in seconds since boot.
  public convenience init(
    altitude: Double, accuracy: Double = 1, precision: Double = 0.1, timestamp: TimeInterval = 0
  ) {
    self.init(metres: altitude, accuracy: accuracy, precision: precision, timestamp: timestamp)
  }
}

extension CMRecordedAccelerometerData {
  /// Creates recorded data: `acceleration` in g, including gravity, measured at `startDate`.
  /// `timestamp` is in seconds since boot.
  public convenience init(
    acceleration: CMAcceleration, identifier: UInt64 = 1, startDate: Date,
    timestamp: TimeInterval = 0
  ) {
    self.init(
      Vector3(acceleration), timestamp: timestamp, identifier: identifier, startDate: startDate)
  }
}

extension CMSensorDataList {
  /// Creates a list of `items`, in the given order.
  public convenience init(_ items: [CMRecordedAccelerometerData]) { self.init(items: items) }
}
