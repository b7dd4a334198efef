// SPDX-License-Identifier: Apache-2.0
public import CoreMotion
internal import Otolith

// Initialisers for items that a program's tests pass to the program's handlers. They need `import
// CoreMotionTesting` in addition to `CoreMotion`, so that their names cannot collide with those in
// other programs.

extension CMAccelerometerData {
  /// Creates data for `acceleration` in g, including gravity: flat and face up at rest is (0, 0,
  /// -1). `timestamp` is in seconds since boot.
  public convenience init(acceleration: CMAcceleration, timestamp: TimeInterval = 0) {
    self.init(Vector3(acceleration), timestamp: timestamp)
  }
}

extension CMGyroData {
  /// Creates data for `rotationRate` in rad/s, including bias. `timestamp` is in seconds since
  /// boot.
  public convenience init(rotationRate: CMRotationRate, timestamp: TimeInterval = 0) {
    self.init(Vector3(rotationRate), timestamp: timestamp)
  }
}

extension CMMagnetometerData {
  /// Creates data for `magneticField` in microtesla, including the device's own field. `timestamp`
  /// is in seconds since boot.
  public convenience init(magneticField: CMMagneticField, timestamp: TimeInterval = 0) {
    self.init(Vector3(magneticField), timestamp: timestamp)
  }
}

extension CMRotationRateData {
  /// Creates data for `rotationRate` in rad/s. `timestamp` is in seconds since boot.
  public convenience init(rotationRate: CMRotationRate, timestamp: TimeInterval = 0) {
    self.init(Vector3(rotationRate), timestamp: timestamp)
  }
}

extension CMRecordedRotationRateData {
  /// Creates data for `rotationRate` in rad/s, measured at `startDate`. `timestamp` is in seconds
  /// since boot.
  public convenience init(
    rotationRate: CMRotationRate, startDate: Date, timestamp: TimeInterval = 0
  ) {
    self.init(Vector3(rotationRate), startDate: startDate, timestamp: timestamp)
  }
}

extension CMAmbientPressureData {
  /// Creates data from any units; both values are stored in kPa and degrees Celsius. `timestamp` is
  /// in seconds since boot.
  public convenience init(
    pressure: Measurement<UnitPressure>, temperature: Measurement<UnitTemperature>,
    timestamp: TimeInterval = 0
  ) {
    self.init(
      kilopascals: pressure.converted(to: .kilopascals).value,
      celsius: temperature.converted(to: .celsius).value, timestamp: timestamp)
  }
}

extension CMRecordedPressureData {
  /// Creates data from any units; both values are stored in kPa and degrees Celsius. `identifier`
  /// is the number of the batch. `timestamp` is in seconds since boot.
  public convenience init(
    pressure: Measurement<UnitPressure>, temperature: Measurement<UnitTemperature>,
    identifier: UInt64, startDate: Date, timestamp: TimeInterval = 0
  ) {
    self.init(
      kilopascals: pressure.converted(to: .kilopascals).value,
      celsius: temperature.converted(to: .celsius).value, identifier: identifier,
      startDate: startDate, timestamp: timestamp)
  }
}

extension CMHighFrequencyHeartRateData {
  /// Creates data for `heartRate` in beats per minute. `timestamp` is in seconds since boot.
  public convenience init(
    heartRate: Double, confidence: CMHighFrequencyHeartRateDataConfidence, date: Date? = nil,
    timestamp: TimeInterval = 0
  ) {
    var state = State()
    state.heartRate = heartRate
    state.confidence = confidence
    state.date = date
    self.init(state, timestamp: timestamp)
  }
}

extension Vector3 {
  init(_ acceleration: CMAcceleration) {
    self.init(acceleration.x, acceleration.y, acceleration.z)
  }

  init(_ rate: CMRotationRate) { self.init(rate.x, rate.y, rate.z) }

  init(_ field: CMMagneticField) { self.init(field.x, field.y, field.z) }
}
