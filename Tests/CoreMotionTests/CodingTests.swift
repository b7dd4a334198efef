// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import CoreMotionTesting
import Testing

/// Archives: a decoded item equals the encoded one and has the same class, and nothing invalid is
/// decoded.
@Suite struct CodingTests {
  static var start: Date { Date(timeIntervalSinceReferenceDate: 700_000_000.125) }
  static var end: Date { Date(timeIntervalSinceReferenceDate: 700_000_600.75) }

  static func read<Item: NSObject & NSSecureCoding>(_ item: Item) throws -> Item {
    try #require(try DataTests.archived(item))
  }

  @Test func `every flag of an activity is coded alone`() throws {
    // Each flag is encoded alone, so that none is taken for another.
    let flags: [KeyPath<CMMotionActivity, Bool>] = [
      \.stationary, \.walking, \.running, \.automotive, \.cycling, \.unknown,
    ]
    for index in flags.indices {
      let read = try Self.read(
        CMMotionActivity(
          stationary: index == 0, walking: index == 1, running: index == 2,
          automotive: index == 3, cycling: index == 4, unknown: index == 5,
          startDate: Self.start, confidence: .medium, timestamp: 12.5))
      #expect(flags.map { read[keyPath: $0] } == flags.indices.map { $0 == index })
      #expect(read.startDate == Self.start && read.confidence == .medium)
      #expect(read.timestamp == 12.5)
    }
  }

  @Test func `a pedometer's data come back from an archive, events too`() throws {
    let read = try Self.read(
      CMPedometerData(
        startDate: Self.start, endDate: Self.end, numberOfSteps: 1171, distance: 575.6,
        floorsAscended: 3, floorsDescended: 2, currentPace: 0.7, currentCadence: 1.9,
        averageActivePace: 0.8))
    #expect(read.startDate == Self.start && read.endDate == Self.end)
    #expect(read.numberOfSteps.intValue == 1171 && Int(truncating: read.numberOfSteps) == 1171)
    #expect(read.distance?.doubleValue == 575.6)
    #expect(read.floorsAscended?.intValue == 3 && read.floorsDescended?.intValue == 2)
    #expect(read.currentPace == 0.7 && read.currentCadence == 1.9)
    #expect(read.averageActivePace == 0.8)
    // An unknown value stays unknown and does not become zero.
    let bare = try Self.read(
      CMPedometerData(startDate: Self.start, endDate: Self.end, numberOfSteps: 0))
    #expect(bare.distance == nil && bare.floorsAscended == nil && bare.floorsDescended == nil)
    #expect(bare.currentPace == nil && bare.currentCadence == nil && bare.averageActivePace == nil)
    let event = try Self.read(CMPedometerEvent(date: Self.start, type: .resume))
    #expect(event.date == Self.start && event.type == .resume)
  }

  @Test func `an odometer's data come back from an archive`() throws {
    let read = try Self.read(
      CMOdometerData(
        startDate: Self.start, endDate: Self.end, gpsDate: Self.start, deltaDistance: 100,
        deltaDistanceAccuracy: 1, speed: 2, speedAccuracy: 3, deltaAltitude: 4,
        verticalAccuracy: 5, originDevice: .remote, slope: 0.06, maxAbsSlope: 0.07))
    #expect(read.startDate == Self.start && read.endDate == Self.end && read.gpsDate == Self.start)
    #expect(read.deltaDistance == 100 && read.deltaDistanceAccuracy == 1)
    #expect(read.speed == 2 && read.speedAccuracy == 3)
    #expect(read.deltaAltitude == 4 && read.verticalAccuracy == 5)
    #expect(read.originDevice == .remote && read.slope == 0.06 && read.maxAbsSlope == 0.07)
  }

  @Test func `data of research come back from an archive`() throws {
    let rate = try Self.read(
      CMRecordedRotationRateData(
        rotationRate: CMRotationRate(x: 1, y: 2, z: 3), startDate: Self.start, timestamp: 4))
    #expect([rate.rotationRate.x, rate.rotationRate.y, rate.rotationRate.z] == [1, 2, 3])
    #expect(rate.startDate == Self.start && rate.timestamp == 4)
    // 1013.25 hPa and 59 F are 101.325 kPa and 15 degrees Celsius.
    let pressure = try Self.read(
      CMRecordedPressureData(
        pressure: Measurement(value: 1013.25, unit: .hectopascals),
        temperature: Measurement(value: 59, unit: .fahrenheit), identifier: .max,
        startDate: Self.end, timestamp: 5))
    #expect(abs(pressure.pressure.value - 101.325) < 1e-9 && pressure.pressure.unit == .kilopascals)
    #expect(abs(pressure.temperature.value - 15) < 1e-9 && pressure.temperature.unit == .celsius)
    #expect(pressure.identifier == .max && pressure.startDate == Self.end)
    let heart = try Self.read(
      CMHighFrequencyHeartRateData(heartRate: 61.5, confidence: .highest, date: Self.end))
    #expect(heart.heartRate == 61.5 && heart.confidence == .highest && heart.date == Self.end)
  }

  @Test func `falls, water and symptoms come back from an archive`() throws {
    let fall = try Self.read(CMFallDetectionEvent(date: Self.start, resolution: .unresponsive))
    #expect(fall.date == Self.start && fall.resolution == .unresponsive)
    let event = try Self.read(CMWaterSubmersionEvent(date: Self.start, state: .submerged))
    #expect(event.date == Self.start && event.state == .submerged)
    let depth = try Self.read(
      CMWaterSubmersionMeasurement(
        date: Self.start, depth: Measurement(value: 100, unit: .feet),
        pressure: Measurement(value: 4, unit: .bars),
        surfacePressure: Measurement(value: 1, unit: .bars), submersionState: .submergedDeep))
    #expect(abs((depth.depth?.value ?? 0) - 30.48) < 1e-9 && depth.depth?.unit == .meters)
    #expect(depth.pressure.map { abs($0.value - 400) < 1e-9 } == true)
    #expect(abs(depth.surfacePressure.value - 100) < 1e-9)
    #expect(depth.submersionState == .submergedDeep && depth.date == Self.start)
    let water = try Self.read(
      CMWaterTemperature(
        date: Self.end, temperature: Measurement(value: 68, unit: .fahrenheit), uncertainty: 0.5))
    #expect(abs(water.temperature.value - 20) < 1e-9 && water.temperatureUncertainty.value == 0.5)
    let tremor = try Self.read(
      CMTremorResult(
        startDate: Self.start, endDate: Self.end, unknown: 0.5, none: 0.25, slight: 0.125,
        mild: 0.0625, moderate: 0.03125, strong: 0.03125))
    #expect(tremor.percentUnknown == 0.5 && tremor.percentNone == 0.25)
    #expect(tremor.percentSlight == 0.125 && tremor.percentMild == 0.0625)
    #expect(tremor.percentModerate == 0.03125 && tremor.percentStrong == 0.03125)
    #expect(tremor.startDate == Self.start && tremor.endDate == Self.end)
    let dyskinesia = try Self.read(
      CMDyskineticSymptomResult(
        startDate: Self.start, endDate: Self.end, unlikely: 0.75, likely: 0.25))
    #expect(dyskinesia.percentUnlikely == 0.75 && dyskinesia.percentLikely == 0.25)
  }

  @Test func `a device motion comes back from an archive`() throws {
    let read = try Self.read(
      CMDeviceMotion(
        attitude: CMAttitude(roll: 0.1, pitch: 0.2, yaw: 0.3),
        rotationRate: CMRotationRate(x: 1, y: 2, z: 3),
        userAcceleration: CMAcceleration(x: 4, y: 5, z: 6),
        magneticField: CMCalibratedMagneticField(
          field: CMMagneticField(x: 7, y: 8, z: 9), accuracy: .uncalibrated),
        heading: 123, sensorLocation: .headphoneRight, timestamp: 10))
    let angles = [read.attitude.roll, read.attitude.pitch, read.attitude.yaw]
    #expect(AttitudeTests.isNear(angles, [0.1, 0.2, 0.3], 1e-12))
    #expect(read.sensorLocation == .headphoneRight && read.heading == 123)
    #expect(read.magneticField.accuracy == .uncalibrated && read.timestamp == 10)
    let (rate, acceleration) = (read.rotationRate, read.userAcceleration)
    #expect(rate.x == 1 && rate.y == 2 && rate.z == 3)
    #expect(acceleration.x == 4 && acceleration.y == 5 && acceleration.z == 6)
    let field = read.magneticField.field
    #expect(field.x == 7 && field.y == 8 && field.z == 9)
    // Without a given gravity, it is (0, 0, -1) of the frame in device coordinates: -(m13, m23,
    // m33).
    let gravity = [read.gravity.x, read.gravity.y, read.gravity.z]
    #expect(AttitudeTests.isNear(gravity, AttitudeTests.gravity(read.attitude), 1e-12))
  }

  /// An empty archive may be forged or from another version.
  @Test func `an empty archive is refused`() throws {
    let coder = try Self.archive { _ in }
    #expect(CMLogItem(coder: coder) == nil && CMAccelerometerData(coder: coder) == nil)
    #expect(CMGyroData(coder: coder) == nil && CMMagnetometerData(coder: coder) == nil)
    #expect(CMRotationRateData(coder: coder) == nil)
    #expect(CMRecordedRotationRateData(coder: coder) == nil)
    #expect(CMAmbientPressureData(coder: coder) == nil)
    #expect(CMRecordedPressureData(coder: coder) == nil)
    #expect(CMMotionActivity(coder: coder) == nil && CMPedometerData(coder: coder) == nil)
    #expect(CMPedometerEvent(coder: coder) == nil && CMOdometerData(coder: coder) == nil)
    #expect(CMHighFrequencyHeartRateData(coder: coder) == nil)
    #expect(CMFallDetectionEvent(coder: coder) == nil)
    #expect(CMWaterSubmersionEvent(coder: coder) == nil)
    #expect(CMWaterSubmersionMeasurement(coder: coder) == nil)
    #expect(CMWaterTemperature(coder: coder) == nil && CMTremorResult(coder: coder) == nil)
    #expect(CMDyskineticSymptomResult(coder: coder) == nil)
    #expect(CMAttitude(coder: coder) == nil && CMDeviceMotion(coder: coder) == nil)
  }

  /// A missing number does not become a measurement of zero.
  @Test func `an archive with missing numbers is refused`() throws {
    let time: (NSKeyedArchiver) -> Void = { $0.encode(1.5, forKey: "timestamp") }
    #expect(CMLogItem(coder: try Self.archive(time))?.timestamp == 1.5)
    #expect(CMAltitudeData(coder: try Self.archive(time)) == nil)
    #expect(CMAbsoluteAltitudeData(coder: try Self.archive(time)) == nil)
    let altitude = try Self.read(
      CMAltitudeData(relativeAltitude: 1.25, pressure: 101.5, timestamp: 2))
    #expect(altitude.relativeAltitude.doubleValue == 1.25 && altitude.timestamp == 2)
    #expect(altitude.pressure.doubleValue == 101.5)
  }

  /// Values that are present but wrong: not a number, a text, an unknown case, a truncated list.
  @Test func `an archive of nonsense is refused`() throws {
    #expect(
      CMLogItem(coder: try Self.archive { $0.encode(Double.nan, forKey: "timestamp") }) == nil)
    let partly = try Self.archive { coder in
      coder.encode(1.0, forKey: "timestamp")
      coder.encode(1.0, forKey: "acceleration.x")
      coder.encode(2.0, forKey: "acceleration.y")
    }
    #expect(CMLogItem(coder: partly)?.timestamp == 1 && CMAccelerometerData(coder: partly) == nil)
    let text = try Self.archive { $0.encode("fall" as NSString, forKey: "event") }
    // With the default policy a wrong class ends the process, as for every other object.
    text.decodingFailurePolicy = .setErrorAndReturn
    #expect(CMPedometerEvent(coder: text) == nil)
    func event(_ list: [String: Any]) throws -> CMPedometerEvent? {
      let data = try PropertyListSerialization.data(
        fromPropertyList: list, format: .binary, options: 0)
      return CMPedometerEvent(
        coder: try Self.archive { $0.encode(data as NSData, forKey: "event") })
    }
    // This list is correct; the others differ from it in one value.
    #expect(try event(["date": Self.start, "type": 1])?.type == .resume)
    #expect(try event(["date": Self.start, "type": 2]) == nil)
    #expect(try event(["date": Self.start, "type": "resume"]) == nil)
    #expect(try event(["type": 1]) == nil)
    let cut = try Self.archive { $0.encode(Data([0x62, 0x70]) as NSData, forKey: "event") }
    #expect(CMPedometerEvent(coder: cut) == nil)
  }

  static func archive(_ fill: (NSKeyedArchiver) -> Void) throws -> NSKeyedUnarchiver {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    fill(archiver)
    archiver.finishEncoding()
    let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    reader.requiresSecureCoding = true
    return reader
  }

  @Test func `subclasses are archived`() throws {
    let read = try Self.read(LabelledAcceleration(label: "left foot"))
    #expect(read.label == "left foot" && read.timestamp == 42 && read.acceleration.x == 7)
    #expect((read.copy() as? LabelledAcceleration)?.label == "left foot")
  }

  @Test func `copies are of the same class`() throws {
    let items: [any NSObject & NSCopying] = [
      CMMotionActivity(walking: true, startDate: Self.start), CMPedometerData(), CMPedometerEvent(),
      CMOdometerData(), CMHighFrequencyHeartRateData(), CMRecordedPressureData(),
      CMRecordedRotationRateData(), CMTremorResult(), CMDyskineticSymptomResult(),
      CMFallDetectionEvent(date: Self.start, resolution: .confirmed), CMWaterSubmersionEvent(),
      CMWaterSubmersionMeasurement(), CMWaterTemperature(), LabelledAcceleration(label: "hip"),
    ]
    for item in items {
      let copy = try #require(item.copy() as? NSObject)
      #expect(type(of: copy) == type(of: item))
    }
    let copy = CMMotionActivity(walking: true, startDate: Self.start).copy() as? CMMotionActivity
    #expect(copy?.walking == true && copy?.startDate == Self.start)
  }
}

/// A subclass as programs write it, with stored properties that it encodes itself.
final class LabelledAcceleration: CMAccelerometerData {
  let label: String

  init(label: String) {
    self.label = label
    super.init()
  }

  required init?(coder: NSCoder) {
    guard let label = coder.decodeObject(of: NSString.self, forKey: "label") else { return nil }
    self.label = "\(label)"
    super.init(coder: coder)
  }

  override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(label as NSString, forKey: "label")
  }

  override var timestamp: TimeInterval { 42 }
  override var acceleration: CMAcceleration { CMAcceleration(x: 7, y: 0, z: 0) }
}
