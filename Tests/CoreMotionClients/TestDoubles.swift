// SPDX-License-Identifier: Apache-2.0
import CoreMotion

// Test doubles as programs write them: every class is subclassed, and the usual members are
// overridden.

class FakeLogItem: CMLogItem {
  private let time: TimeInterval
  override var timestamp: TimeInterval { time }

  init(time: TimeInterval) {
    self.time = time
    super.init()
  }

  required init?(coder: NSCoder) {
    fatalError("init(coder:) has not been implemented")
  }

  override func copy(with zone: NSZone? = nil) -> Any { FakeLogItem(time: time) }
  override class var supportsSecureCoding: Bool { false }
}

class FakeAccelerometerData: CMAccelerometerData {
  var fake = CMAcceleration(x: 0, y: 0, z: -1)
  override var acceleration: CMAcceleration { fake }
}

class FakeGyroData: CMGyroData {
  override var rotationRate: CMRotationRate { CMRotationRate(x: 1, y: 2, z: 3) }
}

class FakeMagnetometerData: CMMagnetometerData {
  override var magneticField: CMMagneticField { CMMagneticField(x: 1, y: 2, z: 3) }
}

class FakeAttitude: CMAttitude {
  var angle = 0.0
  override var roll: Double { angle }
  override var pitch: Double { angle }
  override var yaw: Double { angle }
  override var quaternion: CMQuaternion { CMQuaternion(x: 0, y: 0, z: 0, w: 1) }
  override var rotationMatrix: CMRotationMatrix { CMRotationMatrix() }
  override func multiply(byInverseOf attitude: CMAttitude) { angle -= attitude.yaw }
}

class FakeDeviceMotion: CMDeviceMotion {
  let fakeAttitude = FakeAttitude()
  override var attitude: CMAttitude { fakeAttitude }
  override var rotationRate: CMRotationRate { CMRotationRate() }
  override var gravity: CMAcceleration { CMAcceleration(x: 0, y: 0, z: -1) }
  override var userAcceleration: CMAcceleration { CMAcceleration() }
  override var magneticField: CMCalibratedMagneticField { CMCalibratedMagneticField() }
  override var heading: Double { 90 }
  override var sensorLocation: CMDeviceMotion.SensorLocation { .headphoneLeft }
}

class FakeActivity: CMMotionActivity {
  var isWalking = false
  override var walking: Bool { isWalking }
  override var running: Bool { false }
  override var stationary: Bool { !isWalking }
  override var automotive: Bool { false }
  override var cycling: Bool { false }
  override var unknown: Bool { false }
  override var startDate: Date { Date(timeIntervalSince1970: 0) }
  override var confidence: CMMotionActivityConfidence { .high }
}

class FakePedometerData: CMPedometerData {
  let steps: Int
  init(steps: Int) {
    self.steps = steps
    super.init()
  }
  required init?(coder: NSCoder) { return nil }
  override var numberOfSteps: NSNumber { steps as NSNumber }
  override var distance: NSNumber? { 12.5 }
  override var floorsAscended: NSNumber? { nil }
  override var floorsDescended: NSNumber? { 0 }
  override var currentPace: NSNumber? { NSNumber(value: 0.7) }
  override var currentCadence: NSNumber? { nil }
  override var averageActivePace: NSNumber? { nil }
  override var startDate: Date { .distantPast }
  override var endDate: Date { Date() }
}

class FakePedometerEvent: CMPedometerEvent {
  override var type: CMPedometerEventType { .resume }
  override var date: Date { Date() }
}

class FakePedometer: CMPedometer {
  var handler: CMPedometerHandler?
  override class func isStepCountingAvailable() -> Bool { true }
  override class func isDistanceAvailable() -> Bool { true }
  override class func isFloorCountingAvailable() -> Bool { true }
  override class func isPaceAvailable() -> Bool { true }
  override class func isCadenceAvailable() -> Bool { true }
  override class func isPedometerEventTrackingAvailable() -> Bool { true }
  override class func authorizationStatus() -> CMAuthorizationStatus { .authorized }
  override func startUpdates(from start: Date, withHandler handler: @escaping CMPedometerHandler) {
    self.handler = handler
  }
  override func stopUpdates() { handler = nil }
  override func startEventUpdates(handler: @escaping CMPedometerEventHandler) {
    handler(FakePedometerEvent(), nil)
  }
  override func stopEventUpdates() {}
  override func queryPedometerData(
    from start: Date, to end: Date, withHandler handler: @escaping CMPedometerHandler
  ) {
    handler(FakePedometerData(steps: 7), nil)
  }
}

class FakeActivityManager: CMMotionActivityManager {
  override class func isActivityAvailable() -> Bool { true }
  override class func authorizationStatus() -> CMAuthorizationStatus { .denied }
  override func startActivityUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler
  ) {
    handler(FakeActivity())
  }
  override func stopActivityUpdates() {}
  override func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMMotionActivityQueryHandler
  ) {
    handler([FakeActivity()], nil)
  }
}

class FakeManager: CMMotionManager {
  private var handler: CMAccelerometerHandler?
  private var interval = 0.5
  private var active = false

  override init() { super.init() }
  override var isAccelerometerAvailable: Bool { true }
  override var isAccelerometerActive: Bool { active }
  override var accelerometerUpdateInterval: TimeInterval {
    get { interval }
    set { interval = newValue }
  }
  override var accelerometerData: CMAccelerometerData? { FakeAccelerometerData() }
  override func startAccelerometerUpdates() { active = true }
  override func startAccelerometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAccelerometerHandler
  ) {
    active = true
    self.handler = handler
  }
  override func stopAccelerometerUpdates() { active = false }
  override var deviceMotion: CMDeviceMotion? { FakeDeviceMotion() }
  override var attitudeReferenceFrame: CMAttitudeReferenceFrame { .xTrueNorthZVertical }
  override class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame { [] }
  override func startDeviceMotionUpdates(using referenceFrame: CMAttitudeReferenceFrame) {}
  override func startDeviceMotionUpdates(
    using referenceFrame: CMAttitudeReferenceFrame, to queue: OperationQueue,
    withHandler handler: @escaping CMDeviceMotionHandler
  ) {}

  func push(_ x: Double) {
    let data = FakeAccelerometerData()
    data.fake.x = x
    handler?(data, nil)
  }
}

class FakeHeadphones: CMHeadphoneMotionManager {
  override var isDeviceMotionAvailable: Bool { true }
  override var deviceMotion: CMDeviceMotion? { FakeDeviceMotion() }
  override var delegate: (any CMHeadphoneMotionManagerDelegate)? {
    get { super.delegate }
    set { super.delegate = newValue }
  }
  override func startDeviceMotionUpdates(
    to queue: OperationQueue, withHandler handler: @escaping DeviceMotionHandler
  ) {
    queue.addOperation { print("started") }
  }
}

class FakeStepCounter: CMStepCounter {
  override class func isStepCountingAvailable() -> Bool { true }
  override func stopStepCountingUpdates() {}
}

class FakeWaterManager: CMWaterSubmersionManager {
  override class var waterSubmersionAvailable: Bool { true }
  override class var authorizationStatus: CMAuthorizationStatus { .authorized }
  override var maximumDepth: Measurement<UnitLength>? { Measurement(value: 6, unit: .meters) }
}

class FakeFallManager: CMFallDetectionManager {
  override class var isAvailable: Bool { true }
  override var authorizationStatus: CMAuthorizationStatus { .authorized }
  override func requestAuthorization(handler: @escaping (CMAuthorizationStatus) -> Void) {
    handler(.authorized)
  }
}

class FakeDisorderManager: CMMovementDisorderManager {
  override class func isAvailable() -> Bool { true }
  override class func version() -> String? { "1" }
}

class FakeTremor: CMTremorResult {
  override var percentStrong: Float { 1 }
}

class FakeOdometer: CMOdometerData {
  override var slope: Double? { 0.1 }
}

func useDoubles() -> [NSObject] {
  // The doubles are created without arguments, even if they declare no initialiser.
  [
    FakeLogItem(time: 1), FakeAccelerometerData(), FakeGyroData(), FakeMagnetometerData(),
    FakeAttitude(), FakeDeviceMotion(), FakeActivity(), FakePedometerData(steps: 1),
    FakePedometerEvent(), FakePedometer(), FakeActivityManager(), FakeManager(),
    FakeHeadphones(), FakeStepCounter(), FakeWaterManager(), FakeFallManager(),
    FakeDisorderManager(), FakeTremor(), FakeOdometer(),
  ]
}
