// SPDX-License-Identifier: Apache-2.0
public import CoreMotion

extension CMMotionActivity {
  /// Creates an activity; omitted flags are false. `timestamp` is in seconds since boot.
  public convenience init(
    stationary: Bool = false, walking: Bool = false, running: Bool = false,
    automotive: Bool = false, cycling: Bool = false, unknown: Bool = false, startDate: Date,
    confidence: CMMotionActivityConfidence = .high, timestamp: TimeInterval = 0
  ) {
    var state = State()
    state.isStationary = stationary
    state.isWalking = walking
    state.isRunning = running
    state.isAutomotive = automotive
    state.isCycling = cycling
    state.isUnknown = unknown
    state.startDate = startDate
    state.confidence = confidence
    self.init(state, timestamp: timestamp)
  }
}

extension CMPedometerData {
  /// Creates pedometer data: `distance` in metres, paces in seconds per metre, cadence in steps per
  /// second. Pass `nil` for values that a device would not know.
  public convenience init(
    startDate: Date, endDate: Date, numberOfSteps: Int, distance: Double? = nil,
    floorsAscended: Int? = nil, floorsDescended: Int? = nil, currentPace: Double? = nil,
    currentCadence: Double? = nil, averageActivePace: Double? = nil
  ) {
    var state = State()
    state.startDate = startDate
    state.endDate = endDate
    state.steps = numberOfSteps
    state.distance = distance
    state.floorsAscended = floorsAscended
    state.floorsDescended = floorsDescended
    state.currentPace = currentPace
    state.currentCadence = currentCadence
    state.averageActivePace = averageActivePace
    self.init(state)
  }
}

extension CMPedometerEvent {
  public convenience init(date: Date, type: CMPedometerEventType) {
    var state = State()
    state.date = date
    state.type = type
    self.init(state)
  }
}

extension CMOdometerData {
  /// Creates odometer data: distances in metres, speeds in m/s; a negative `speedAccuracy` marks
  /// the speed as invalid.
  public convenience init(
    startDate: Date, endDate: Date, gpsDate: Date, deltaDistance: Double,
    deltaDistanceAccuracy: Double = 0, speed: Double = 0, speedAccuracy: Double = -1,
    deltaAltitude: Double = 0, verticalAccuracy: Double = 0,
    originDevice: CMOdometerOriginDevice = .local, slope: Double? = nil,
    maxAbsSlope: Double? = nil
  ) {
    var state = State()
    state.startDate = startDate
    state.endDate = endDate
    state.gpsDate = gpsDate
    state.deltaDistance = deltaDistance
    state.deltaDistanceAccuracy = deltaDistanceAccuracy
    state.speed = speed
    state.speedAccuracy = speedAccuracy
    state.deltaAltitude = deltaAltitude
    state.verticalAccuracy = verticalAccuracy
    state.originDevice = originDevice
    state.slope = slope
    state.maxAbsSlope = maxAbsSlope
    self.init(state)
  }
}
