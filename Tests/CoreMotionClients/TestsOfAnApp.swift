// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import CoreMotionTesting

/// Returns samples as an app's tests create them on Linux.
func samples() -> [CMLogItem] {
  [
    CMAccelerometerData(acceleration: CMAcceleration(x: 0, y: 0, z: -1), timestamp: 1),
    CMGyroData(rotationRate: CMRotationRate(x: 0, y: 0, z: 1), timestamp: 1),
    CMMagnetometerData(magneticField: CMMagneticField(x: 20, y: 0, z: -40), timestamp: 1),
    CMDeviceMotion(attitude: CMAttitude(roll: 0, pitch: 0.1, yaw: 0), timestamp: 1),
    CMDeviceMotion(attitude: CMAttitude(quaternion: CMQuaternion(x: 0, y: 0, z: 0, w: 1))),
    CMMotionActivity(walking: true, startDate: Date()),
    CMAltitudeData(relativeAltitude: 1.5, pressure: 101.3),
    CMAbsoluteAltitudeData(altitude: 431, accuracy: 2),
  ]
}

func steps() -> CMPedometerData {
  CMPedometerData(startDate: .distantPast, endDate: Date(), numberOfSteps: 12, distance: 8.4)
}

func recorded() -> CMSensorDataList {
  CMSensorDataList([
    CMRecordedAccelerometerData(
      acceleration: CMAcceleration(x: 0, y: 0, z: -1), identifier: 7, startDate: Date())
  ])
}
