// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import CoreMotionTesting
import Testing

/// Items that a program's tests create can be read by its code, with the public names only.
@Suite struct InitialiserTests {
  /// At a pitch of +90 degrees the top edge is up, and gravity is (0, -1, 0) in device axes.
  @Test func `gravity follows the attitude`() {
    let motion = CMDeviceMotion(
      attitude: CMAttitude(roll: 0, pitch: .pi / 2, yaw: 0), heading: 45, timestamp: 12.5)
    #expect(abs(motion.gravity.x) < 1e-12 && abs(motion.gravity.y + 1) < 1e-12)
    #expect(abs(motion.gravity.z) < 1e-12)
    #expect(motion.heading == 45 && motion.timestamp == 12.5)
    #expect(motion.magneticField.accuracy.rawValue == -1)
    let reported = CMDeviceMotion(gravity: CMAcceleration(x: 0.5, y: 0, z: 0))
    #expect(reported.gravity.x == 0.5 && reported.heading == -1)
  }

  @Test func `angles are returned as they were given`() {
    let attitude = CMAttitude(roll: 0.3, pitch: -0.4, yaw: 2)
    #expect(abs(attitude.roll - 0.3) < 1e-12 && abs(attitude.pitch + 0.4) < 1e-12)
    #expect(abs(attitude.yaw - 2) < 1e-12)
    // A zero quaternion becomes the identity; one of length 2 is normalized.
    #expect(CMAttitude(quaternion: CMQuaternion()).quaternion.w == 1)
    #expect(CMAttitude(quaternion: CMQuaternion(x: 0, y: 0, z: 0, w: 2)).quaternion.w == 1)
  }

  @Test func `heights made by a test say what they were given`() {
    let relative = CMAltitudeData(relativeAltitude: -2.5, pressure: 101.2, timestamp: 3)
    #expect(relative.relativeAltitude == -2.5 && relative.pressure == 101.2)
    #expect(relative.timestamp == 3)
    let absolute = CMAbsoluteAltitudeData(altitude: 431, accuracy: 2, precision: 0.5)
    #expect(absolute.altitude == 431 && absolute.accuracy == 2 && absolute.precision == 0.5)
  }

  /// A list that a test created is enumerated like a recorded one.
  @Test func `a list that a test made is enumerated as often as one likes`() throws {
    let items = (1...3).map { index in
      CMRecordedAccelerometerData(
        acceleration: CMAcceleration(x: 0, y: 0, z: -Double(index)), identifier: UInt64(index),
        startDate: Date(timeIntervalSince1970: Double(index)), timestamp: Double(index))
    }
    let list = CMSensorDataList(items)
    for _ in 0..<2 {
      var iterator = NSFastEnumerationIterator(list)
      for index in 1...3 {
        let item = try #require(iterator.next() as? CMRecordedAccelerometerData)
        #expect(item.acceleration.z == -Double(index) && item.identifier == UInt64(index))
        #expect(item.startDate.timeIntervalSince1970 == Double(index))
      }
      #expect(iterator.next() == nil)
    }
    var empty = NSFastEnumerationIterator(CMSensorDataList())
    #expect(empty.next() == nil)
  }

  @Test func `steps and activities made by a test say what they were given`() {
    let data = CMPedometerData(
      startDate: Date(timeIntervalSince1970: 0), endDate: Date(timeIntervalSince1970: 60),
      numberOfSteps: 110, distance: 80.5)
    #expect(data.numberOfSteps.intValue == 110 && data.distance?.doubleValue == 80.5)
    #expect(data.floorsAscended == nil && data.currentPace == nil)
    let activity = CMMotionActivity(walking: true, startDate: Date(timeIntervalSince1970: 7))
    #expect(activity.walking && !activity.running && !activity.unknown)
  }
}
