// SPDX-License-Identifier: Apache-2.0
public import CoreMotion
internal import Otolith

// What a program's handlers are given, made by its tests. `import CoreMotionTesting` beside
// `CoreMotion` shows these initialisers; a program that does not import it cannot collide with
// them.

extension CMAccelerometerData {
  /// Creates data of `acceleration` in g, gravity included: flat and face up at rest is (0, 0, -1).
  /// `timestamp`: seconds since the machine booted.
  public convenience init(acceleration: CMAcceleration, timestamp: TimeInterval = 0) {
    self.init(Vector3(acceleration), timestamp: timestamp)
  }
}

extension CMGyroData {
  /// Creates data of `rotationRate` in rad/s, bias included. `timestamp`: seconds since the machine
  /// booted.
  public convenience init(rotationRate: CMRotationRate, timestamp: TimeInterval = 0) {
    self.init(Vector3(rotationRate), timestamp: timestamp)
  }
}

extension CMMagnetometerData {
  /// Creates data of `magneticField` in microtesla, the device's own included. `timestamp`: seconds
  /// since the machine booted.
  public convenience init(magneticField: CMMagneticField, timestamp: TimeInterval = 0) {
    self.init(Vector3(magneticField), timestamp: timestamp)
  }
}

extension CMRotationRateData {
  /// Creates data of `rotationRate` in rad/s. `timestamp`: seconds since the machine booted.
  public convenience init(rotationRate: CMRotationRate, timestamp: TimeInterval = 0) {
    self.init(Vector3(rotationRate), timestamp: timestamp)
  }
}

extension CMRecordedRotationRateData {
  /// Creates data of `rotationRate` in rad/s, observed at `startDate`. `timestamp`: seconds since
  /// the machine booted.
  public convenience init(
    rotationRate: CMRotationRate, startDate: Date, timestamp: TimeInterval = 0
  ) {
    self.init(Vector3(rotationRate), startDate: startDate, timestamp: timestamp)
  }
}

extension CMAmbientPressureData {
  /// Creates data in any units; both are kept in kPa and degrees Celsius. `timestamp`: seconds
  /// since the machine booted.
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
  /// Creates data in any units; both are kept in kPa and degrees Celsius. `identifier`: of the
  /// batch. `timestamp`: seconds since the machine booted.
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
  /// Creates data of `heartRate` in beats a minute. `timestamp`: seconds since the machine booted.
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
