// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Otolith
import Testing

/// Apple's raw values, typed from the published headers: programs store them in files and send them
/// to servers.
@Suite struct RawValueTests {
  @Test func `raw values of authorization are Core Motion's`() {
    let status: [CMAuthorizationStatus] = [.notDetermined, .restricted, .denied, .authorized]
    #expect(status.map(\.rawValue) == [0, 1, 2, 3])
    #expect(CMAuthorizationStatus(rawValue: 4) == nil)
  }

  @Test func `raw values of activities, pedometers and hearts are Core Motion's`() {
    let confidence: [CMMotionActivityConfidence] = [.low, .medium, .high]
    #expect(confidence.map(\.rawValue) == [0, 1, 2])
    #expect(CMPedometerEventType.pause.rawValue == 0 && CMPedometerEventType.resume.rawValue == 1)
    let origins: [CMOdometerOriginDevice] = [.unknown, .local, .remote]
    #expect(origins.map(\.rawValue) == [0, 1, 2])
    let heart: [CMHighFrequencyHeartRateDataConfidence] = [.low, .medium, .high, .highest]
    #expect(heart.map(\.rawValue) == [0, 1, 2, 3])
  }

  @Test func `raw values of headphones and falls are Core Motion's`() {
    #expect(CMHeadphoneActivityManager.Status.disconnected.rawValue == 0)
    #expect(CMHeadphoneActivityManager.Status.connected.rawValue == 1)
    let resolutions: [CMFallDetectionEvent.UserResolution] = [
      .confirmed, .dismissed, .rejected, .unresponsive,
    ]
    #expect(resolutions.map(\.rawValue) == [0, 1, 2, 3])
  }

  @Test func `raw values of water are Core Motion's`() {
    let states: [CMWaterSubmersionEvent.State] = [.unknown, .notSubmerged, .submerged]
    #expect(states.map(\.rawValue) == [0, 1, 2])
    let depths: [CMWaterSubmersionMeasurement.DepthState] = [
      .unknown, .notSubmerged, .submergedShallow, .submergedDeep, .approachingMaxDepth,
      .pastMaxDepth, .sensorDepthError,
    ]
    #expect(depths.map(\.rawValue) == [0, 100, 200, 300, 400, 500, 600])
    #expect(CMWaterSubmersionMeasurement.DepthState(rawValue: 1) == nil)
  }

  /// Programs read a handler's error in this way.
  @Test func `an error reads as programs read it`() async throws {
    let hub = MotionHub()
    try hub.use(ScriptedSource(.pressure, name: "barometer"))
    let error = await withCheckedContinuation { continuation in
      CMPedometer(hub: hub).queryPedometerData(from: .distantPast, to: Date()) { _, error in
        continuation.resume(returning: error)
      }
    }
    #expect((error as NSError?)?.code == 104)
    #expect((error as NSError?)?.code == Int(CMErrorMotionActivityNotAvailable.rawValue))
    #expect((error as NSError?)?.domain == "CMErrorDomain")
    #expect(error?.localizedDescription.hasPrefix("barometer has no accelerometer") ?? false)
  }

  @Test func `objects that are made empty say nothing`() {
    let activity = CMMotionActivity()
    #expect(
      !activity.unknown && !activity.stationary && !activity.walking && !activity.running
        && !activity.automotive && !activity.cycling)
    #expect(activity.confidence == .low && activity.timestamp == 0)
    let steps = CMPedometerData()
    #expect(steps.numberOfSteps == 0 && steps.distance == nil && steps.floorsAscended == nil)
    #expect(steps.floorsDescended == nil && steps.currentPace == nil)
    #expect(steps.currentCadence == nil && steps.averageActivePace == nil)
    #expect(CMPedometerEvent().type == .pause)
    // A negative accuracy means that the value is invalid.
    #expect(CMOdometerData().speedAccuracy < 0 && CMOdometerData().slope == nil)
    #expect(CMHighFrequencyHeartRateData().date == nil)
    let depth = CMWaterSubmersionMeasurement()
    #expect(depth.depth == nil && depth.pressure == nil && depth.submersionState == .unknown)
    #expect(CMWaterSubmersionEvent().state == .unknown)
    #expect(CMWaterTemperature().temperature.unit == .celsius)
    #expect(CMAmbientPressureData().pressure.unit == .kilopascals)
    #expect(CMRecordedPressureData().identifier == 0)
    #expect(CMTremorResult().percentNone == 0 && CMDyskineticSymptomResult().percentLikely == 0)
    #expect(CMRecordedRotationRateData().rotationRate.x == 0)
  }
}
