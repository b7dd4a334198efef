// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Otolith
import Testing

@Suite struct DataTests {
  // MARK: - Structures

  @Test func `structures are zero by default`() {
    let acceleration = CMAcceleration()
    #expect([acceleration.x, acceleration.y, acceleration.z] == [0, 0, 0])
    let rate = CMRotationRate()
    #expect([rate.x, rate.y, rate.z] == [0, 0, 0])
    let field = CMMagneticField()
    #expect([field.x, field.y, field.z] == [0, 0, 0])
    let q = CMQuaternion()
    #expect([q.x, q.y, q.z, q.w] == [0, 0, 0, 0])
    #expect(AttitudeTests.rows(CMRotationMatrix()) == [Double](repeating: 0, count: 9))
    let calibrated = CMCalibratedMagneticField()
    #expect(calibrated.field.z == 0 && calibrated.accuracy.rawValue == 0)
    #expect(calibrated.accuracy == .low)
  }

  @Test func `structures have memberwise initialisers`() {
    var acceleration = CMAcceleration(x: 1, y: 2, z: 3)
    acceleration.y = 5
    #expect([acceleration.x, acceleration.y, acceleration.z] == [1, 5, 3])
    let rate = CMRotationRate(x: 1, y: 2, z: 3)
    #expect([rate.x, rate.y, rate.z] == [1, 2, 3])
    let q = CMQuaternion(x: 1, y: 2, z: 3, w: 4)
    #expect([q.x, q.y, q.z, q.w] == [1, 2, 3, 4])
    let m = CMRotationMatrix(
      m11: 11, m12: 12, m13: 13, m21: 21, m22: 22, m23: 23, m31: 31, m32: 32, m33: 33)
    #expect(AttitudeTests.rows(m) == [11, 12, 13, 21, 22, 23, 31, 32, 33])
    var calibrated = CMCalibratedMagneticField(
      field: CMMagneticField(x: 1, y: 2, z: 3), accuracy: .high)
    calibrated.field.x = 7
    #expect(calibrated.field.x == 7 && calibrated.accuracy.rawValue == 2)
  }

  /// Programs add these conformances themselves, and the module's would conflict with theirs.
  @Test func `structures have no conformances`() {
    let values: [Any] = [
      CMRotationRate(), CMMagneticField(), CMQuaternion(), CMRotationMatrix(),
      CMCalibratedMagneticField(),
    ]
    for value in values {
      #expect(!(value is any Equatable) && !(value is any Encodable))
    }
  }

  @Test func `raw values of motion are Core Motion's`() {
    #expect(CMMagneticFieldCalibrationAccuracy.uncalibrated.rawValue == -1)
    #expect(CMMagneticFieldCalibrationAccuracy.low.rawValue == 0)
    #expect(CMMagneticFieldCalibrationAccuracy.medium.rawValue == 1)
    #expect(CMMagneticFieldCalibrationAccuracy.high.rawValue == 2)
    #expect(CMAttitudeReferenceFrame.xArbitraryZVertical.rawValue == 1)
    #expect(CMAttitudeReferenceFrame.xArbitraryCorrectedZVertical.rawValue == 2)
    #expect(CMAttitudeReferenceFrame.xMagneticNorthZVertical.rawValue == 4)
    #expect(CMAttitudeReferenceFrame.xTrueNorthZVertical.rawValue == 8)
    #expect(CMDeviceMotion.SensorLocation.default.rawValue == 0)
    #expect(CMDeviceMotion.SensorLocation.headphoneLeft.rawValue == 1)
    #expect(CMDeviceMotion.SensorLocation.headphoneRight.rawValue == 2)
  }

  @Test func `error codes are Core Motion's`() {
    let codes: [(CMError, UInt32)] = [
      (CMErrorNULL, 100), (CMErrorDeviceRequiresMovement, 101),
      (CMErrorTrueNorthNotAvailable, 102), (CMErrorUnknown, 103),
      (CMErrorMotionActivityNotAvailable, 104), (CMErrorMotionActivityNotAuthorized, 105),
      (CMErrorMotionActivityNotEntitled, 106), (CMErrorInvalidParameter, 107),
      (CMErrorInvalidAction, 108), (CMErrorNotAvailable, 109), (CMErrorNotEntitled, 110),
      (CMErrorNotAuthorized, 111), (CMErrorNilData, 112), (CMErrorSize, 113),
    ]
    for (code, raw) in codes {
      #expect(code.rawValue == raw)
      #expect(code == CMError(raw) && code == CMError(rawValue: raw))
    }
    #expect(CMErrorDomain == "CMErrorDomain")
  }

  // MARK: - Classes

  static var motion: CMDeviceMotion? {
    var sample = MotionSample(timestamp: Timestamp(nanoseconds: 12_345_000_000))
    sample.contents = [.attitude, .heading, .rotationRate, .magneticField]
    sample.attitude9 = Quaternion(w: 0.5, x: 0.5, y: 0.5, z: 0.5)
    sample.rotationRate = Vector3(1, 2, 3)
    sample.gravity = Vector3(0.1, -0.2, -0.97)
    sample.userAcceleration = Vector3(4, 5, 6)
    sample.magneticField = Vector3(7, 8, 9)
    sample.magneticAccuracy = .high
    return CMDeviceMotion(sample, frame: .xMagneticNorthZVertical, declination: 0)
  }

  static func archived<Item: NSObject & NSSecureCoding>(_ item: Item) throws -> Item? {
    #expect(Item.supportsSecureCoding)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: item, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: Item.self, from: data)
  }

  @Test func `accelerometer data is archived`() throws {
    let item = CMAccelerometerData(Vector3(1, -2, 0.3), timestamp: 12.5)
    let read = try #require(try Self.archived(item))
    #expect(read.timestamp == 12.5)
    #expect([read.acceleration.x, read.acceleration.y, read.acceleration.z] == [1, -2, 0.3])
  }

  @Test func `gyro data is archived`() throws {
    let item = CMGyroData(Vector3(1, -2, 0.3), timestamp: 12.5)
    let read = try #require(try Self.archived(item))
    #expect(read.timestamp == 12.5)
    #expect([read.rotationRate.x, read.rotationRate.y, read.rotationRate.z] == [1, -2, 0.3])
  }

  @Test func `magnetometer data is archived`() throws {
    let item = CMMagnetometerData(Vector3(1, -2, 0.3), timestamp: 12.5)
    let read = try #require(try Self.archived(item))
    #expect(read.timestamp == 12.5)
    #expect([read.magneticField.x, read.magneticField.y, read.magneticField.z] == [1, -2, 0.3])
  }

  @Test func `an attitude is archived`() throws {
    let read = try #require(try Self.archived(AttitudeTests.attitude(0.5, -0.5, 0.5, 0.5)))
    let q = read.quaternion
    #expect([q.x, q.y, q.z, q.w] == [0.5, -0.5, 0.5, 0.5])
  }

  @Test func `a device motion is archived`() throws {
    let item = try #require(Self.motion)
    let read = try #require(try Self.archived(item))
    #expect(read.timestamp == 12.345)
    #expect(
      AttitudeTests.rows(read.attitude.rotationMatrix)
        == AttitudeTests.rows(item.attitude.rotationMatrix))
    #expect([read.rotationRate.x, read.rotationRate.y, read.rotationRate.z] == [1, 2, 3])
    #expect([read.gravity.x, read.gravity.y, read.gravity.z] == [0.1, -0.2, -0.97])
    let user = read.userAcceleration
    #expect([user.x, user.y, user.z] == [4, 5, 6])
    let field = read.magneticField.field
    #expect([field.x, field.y, field.z] == [7, 8, 9])
    #expect(read.magneticField.accuracy == .high && read.sensorLocation == .default)
    #expect(read.heading == item.heading && read.heading >= 0)
  }

  @Test func `a log item is archived`() throws {
    let read = try #require(try Self.archived(CMLogItem(timestamp: 3)))
    #expect(read.timestamp == 3)
  }

  /// An archive without the keys, forged or from another version, is rejected and not decoded as
  /// zeros.
  @Test func `an archive without rotation is refused`() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode(1.0, forKey: "quaternion.x")
    archiver.encode(Double.nan, forKey: "quaternion.w")
    archiver.finishEncoding()
    let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    #expect(CMAttitude(coder: reader) == nil)
    #expect(CMDeviceMotion(coder: reader) == nil)
  }

  @Test func `a copy is of the same type, with the same values`() throws {
    let motion = try #require(Self.motion)
    let items: [CMLogItem] = [
      CMLogItem(timestamp: 1), CMAccelerometerData(Vector3(1, 2, 3), timestamp: 2),
      CMGyroData(Vector3(1, 2, 3), timestamp: 3),
      CMMagnetometerData(Vector3(1, 2, 3), timestamp: 4),
      motion,
    ]
    for item in items {
      let copy = try #require(item.copy() as? CMLogItem)
      #expect(type(of: copy) == type(of: item) && copy.timestamp == item.timestamp)
    }
    #expect((motion.copy() as? CMDeviceMotion)?.heading == motion.heading)
  }

  @Test func `an empty item is zero, without heading or turn`() {
    #expect(CMLogItem().timestamp == 0)
    #expect(CMAccelerometerData().acceleration.z == 0)
    #expect(CMGyroData().rotationRate.z == 0)
    #expect(CMMagnetometerData().magneticField.z == 0)
    #expect(CMDeviceMotion().heading == -1 && CMDeviceMotion().attitude.quaternion.w == 1)
  }

  // MARK: - Doubles, as tests of programs write them

  final class FakeAttitude: CMAttitude {
    override var roll: Double { 1 }
    override var pitch: Double { 2 }
    override var yaw: Double { 3 }
  }

  final class FakeMotion: CMDeviceMotion {
    override var timestamp: TimeInterval { 42 }
    override var attitude: CMAttitude { FakeAttitude() }
    override var rotationRate: CMRotationRate { CMRotationRate(x: 1, y: 2, z: 3) }
    override var gravity: CMAcceleration { CMAcceleration(x: 0, y: -1, z: 0) }
    override var heading: Double { 90 }
  }

  final class FakeAccelerometerData: CMAccelerometerData {
    override var acceleration: CMAcceleration { CMAcceleration(x: 1, y: 0, z: 0) }
  }

  final class FakeManager: CMMotionManager {
    var handler: CMDeviceMotionHandler?
    override var isDeviceMotionAvailable: Bool { true }
    override var deviceMotion: CMDeviceMotion? { FakeMotion() }
    override func startDeviceMotionUpdates(
      to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler
    ) {
      self.handler = handler
    }
    override class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame {
      .xTrueNorthZVertical
    }
  }

  @Test func `programs can subclass managers and data`() {
    let manager = FakeManager()
    var yaw = 0.0
    manager.startDeviceMotionUpdates(to: OperationQueue()) { motion, _ in
      yaw = motion?.attitude.yaw ?? 0
    }
    manager.handler?(manager.deviceMotion, nil)
    #expect(yaw == 3 && manager.deviceMotion?.timestamp == 42 && manager.isDeviceMotionAvailable)
    #expect(FakeAccelerometerData().acceleration.x == 1)
    #expect(FakeManager.availableAttitudeReferenceFrames() == .xTrueNorthZVertical)
  }

  /// Conformances that programs add themselves.
  @Test func `programs can add conformances`() {
    #expect(CMAcceleration(x: 1, y: 2, z: 3) == CMAcceleration(x: 1, y: 2, z: 3))
  }
}

extension CMAcceleration: Equatable {
  static func == (a: CMAcceleration, b: CMAcceleration) -> Bool {
    a.x == b.x && a.y == b.y && a.z == b.z
  }
}
